// What the page asks of an engine. The first one is the server of `sapper serve`; another must have the same
// methods and documents, and nothing else of the page would change.

/** @typedef {import("./types.js").PositionDocument} PositionDocument */
/** @typedef {import("./types.js").Name} Name */
/** @typedef {import("./types.js").Wish} Wish */

/**
 * A text, or a file: its bytes in base64, and its name.
 * @typedef {{text: string} | {data: string, name: string}} Source
 */

/**
 * @typedef {object} Engine
 * @property {(position: PositionDocument, signal?: AbortSignal) => Promise<any>} analyse
 * @property {(position: PositionDocument, cell: Name, signal?: AbortSignal, smallest?: boolean) => Promise<any>} explain
 * @property {(position: PositionDocument, signal?: AbortSignal) => Promise<any>} contradiction
 * @property {(position: PositionDocument, signal?: AbortSignal) => Promise<any>} countByMines
 * @property {(position: PositionDocument, number: number, seed: number, signal?: AbortSignal) => Promise<any>} sample
 * @property {(wish: Wish, start: Name, signal?: AbortSignal) => Promise<any>} create
 * @property {(position: PositionDocument, strategy: string, rule: string, seed: number, signal?: AbortSignal) => Promise<any>} move
 * @property {(position: PositionDocument, cells: Name[] | null, signal?: AbortSignal) => Promise<any>} digs what they are good for
 * @property {(position: PositionDocument, signal?: AbortSignal) => Promise<any>} openings how likely each cell opens an area
 * @property {(source: Source, signal?: AbortSignal) => Promise<any>} read
 * @property {(position: PositionDocument, format: string, signal?: AbortSignal) => Promise<any>} convert
 * @property {(record: any, signal?: AbortSignal) => Promise<any>} review
 * @property {() => Promise<any>} gallery boards to choose from
 * @property {() => Promise<any>} about what this engine can do
 */

/** What an engine could not do, in a sentence. */
export class EngineError extends Error {
  /** @param {string} message @param {any} [partial] what was known before a limit was hit */
  constructor(message, partial = null) {
    super(message);
    this.partial = partial;
  }
}

/** @param {unknown} error whether a newer question took the place of this one */
export function isStale(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** @param {unknown} error */
export function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** @param {string} text */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * The engine behind an address.
 * @param {string} [base]
 * @returns {Engine}
 */
export function httpEngine(base = "api") {
  /** @param {string} path @param {any} body @param {AbortSignal} [signal] */
  const ask = async (path, body, signal) => {
    const request = body === undefined ? { signal } : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
    let reply;
    try {
      reply = await fetch(`${base}/${path}`, request);
    } catch (error) {
      if (isStale(error)) throw error;
      throw new EngineError("The server does not answer. Is 'sapper serve' still running?");
    }
    const answer = await reply.json().catch((error) => {
      if (isStale(error) || reply.ok) throw error; // called off while the answer came
      return null;
    });
    if (reply.ok) return answer;
    throw new EngineError(answer?.error?.message ?? `the server answered ${reply.status}`, answer?.partial);
  };
  return {
    analyse: (position, signal) => ask("analyze", position, signal),
    explain: (position, cell, signal, smallest = false) => ask("explain", { position, cell, smallest }, signal),
    contradiction: (position, signal) => ask("check", position, signal),
    countByMines: (position, signal) => ask("count", position, signal),
    sample: (position, number, seed, signal) => ask("sample", { position, n: number, seed }, signal),
    create: (wish, start, signal) =>
      ask(
        "new",
        {
          board: { topology: wish.topology, mines: wish.mines },
          rule: wish.rule,
          start,
          seed: wish.seed,
          ...(wish.noGuess ? { no_guess: true } : {}),
          ...(wish.grade ? { grade: wish.grade } : {}),
        },
        signal,
      ),
    move: (position, strategy, rule, seed, signal) => ask("move", { position, strategy, rule, seed }, signal),
    digs: (position, cells, signal) => ask("digs", cells ? { position, cells } : { position }, signal),
    openings: (position, signal) => ask("openings", { position }, signal),
    read: (source, signal) => ask("read", source, signal),
    convert: (position, format, signal) => ask("convert", { position, to: format }, signal),
    review: (record, signal) => ask("review", record, signal),
    gallery: () => ask("boards", undefined),
    about: () => ask("about", undefined),
  };
}

/**
 * Questions of which only the newest matters: asking again calls the last one off.
 */
export class Latest {
  constructor() {
    /** @type {AbortController | null} */
    this.running = null;
  }

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} question
   * @returns {Promise<T>}
   */
  async ask(question) {
    this.running?.abort();
    const mine = (this.running = new AbortController());
    try {
      const answer = await question(mine.signal);
      if (mine.signal.aborted) throw new DOMException("a newer question was asked", "AbortError");
      return answer;
    } finally {
      if (this.running === mine) this.running = null;
    }
  }

  cancel() {
    this.running?.abort();
    this.running = null;
  }
}
