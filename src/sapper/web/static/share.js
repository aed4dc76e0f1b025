// Sharing: the whole state in the link, after '#', where it never leaves the machine by itself; and copies for others.

import { $, button, dialog, input, make, notify } from "./dom.js";
import { fromBase64, isStale, toBase64, wordsOf } from "./engine.js";
import { writeLabels } from "./labels.js";
import { paint } from "./paint.js";
import * as rules from "./rules.js";
import { checked } from "./state.js";
import { colours } from "./theme.js";

const PAUSE = 500; // milliseconds after a change before the link follows

export class Share {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
    this.written = "";
    const copy = (/** @type {string} */ title, /** @type {() => Promise<string | Uint8Array> | string} */ text) =>
      make("button", { type: "button", onclick: () => this.copy(title, text) }, title);
    $("dialogs").append(
      make(
        "dialog",
        { id: "share", "aria-labelledby": "share-title" },
        make(
          "div",
          { class: "body" },
          make("h2", { id: "share-title" }, "Share"),
          make("label", { class: "stack" }, "Link with everything in it", make("input", { id: "link", readonly: true })),
          make("p", { class: "small" }, "What stands after # is read by the page alone and sent to no server."),
          make("div", { class: "row" }, copy("Copy link", () => input("link").value)),
          make("h3", {}, "Copy the board as"),
          make(
            "div",
            { class: "row" },
            copy("Text", () => this.text()),
            copy("JSON", () => JSON.stringify(this.position())),
            copy("Tatham ID", () => this.convert("tatham")),
            copy("JSMinesweeper link", () => this.convert("jsm")),
            copy("PTTA link", () => this.convert("ptta")),
          ),
          make("h3", {}, "Save a file"),
          make(
            "div",
            { class: "row" },
            make("button", { type: "button", onclick: () => this.file("sapper.txt", () => this.text()) }, "Text file"),
            make("button", { type: "button", onclick: () => this.file("sapper.mbf", () => this.convert("mbf")) }, "MBF"),
            make("button", { type: "button", onclick: () => this.file("sapper.mine", () => this.convert("mine")) }, "JSMinesweeper file"),
            make("button", { type: "button", onclick: () => this.file("sapper.json", () => this.game()) }, "Game record"),
          ),
          make("h3", {}, "A picture"),
          make(
            "div",
            { class: "row" },
            make("button", { type: "button", onclick: () => this.picture("svg", false) }, "Save SVG"),
            make("button", { type: "button", onclick: () => this.picture("png", false) }, "Save PNG"),
            make("button", { type: "button", onclick: () => this.picture("svg", true) }, "Copy SVG"),
            make("button", { type: "button", onclick: () => this.picture("png", true) }, "Copy PNG"),
          ),
          make("div", { class: "ends" }, make("button", { type: "button", class: "primary", onclick: () => dialog("share").close() }, "Done")),
        ),
      ),
    );
    button("share-open").addEventListener("click", async () => {
      await this.follow();
      input("link").value = location.href;
      dialog("share").showModal();
      input("link").select();
    });
  }

  // --- the link ----------------------------------------------------------------------------------

  /** Let the link follow the state, soon. */
  note() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.follow(), PAUSE);
  }

  async follow() {
    if (this.reading) return this.note();
    window.clearTimeout(this.timer);
    const now = this.timer;
    const link = await this.link();
    if (this.timer !== now) return undefined; // something changed meanwhile
    this.written = link;
    history.replaceState(null, "", link);
    this.timer = 0;
    return undefined;
  }

  /** The state, as it stands in a link. */
  async link() {
    return `#s=${await packed(JSON.stringify(this.state()))}`;
  }

  /** Whether a board is being read: until then the link must not be overwritten. */
  get reading() {
    return this.app.arriving.running !== null;
  }

  /** Whether the link is that of the state. */
  get settled() {
    return this.timer === 0;
  }

  state() {
    const { mode, last, play, analyse } = this.app;
    if (mode !== "train" && last === "analyse") return { mode: last, position: analyse.position() };
    if (mode === "train") return { mode: "analyse", position: this.position() };
    const { game, wish, helped } = play;
    const moves = game.moves.map(({ kind, cell, clock }) => [kind[0], cell, Math.round(clock ?? 0)]);
    const layout = game.mined ? [...game.mined.keys()].filter((cell) => game.mined?.[cell]) : null;
    return { mode: "play", wish, layout, moves, spent: Math.round(play.elapsed()), helped };
  }

  /** @param {string} hash @param {boolean} [again] even if the link says so already */
  async open(hash, again = false) {
    if (!hash.startsWith("#s=") || (hash === this.written && !again)) return;
    try {
      const state = checked(JSON.parse(await this.app.arriving.ask(() => unpacked(hash.slice(3)))));
      if (state.mode === "analyse") {
        this.app.analyse.load(state.position);
        this.app.setMode("analyse");
      } else {
        this.app.play.resume(state);
        this.app.setMode("play");
      }
    } catch (error) {
      if (!isStale(error)) notify("The link is damaged: what stands after # cannot be read.", "wrong");
    }
  }

  // --- copies ------------------------------------------------------------------------------------

  position() {
    return this.app.current.position();
  }

  text() {
    const { topology, mines, labels } = this.position();
    if (topology.kind === "graph" || topology.kind === "box") return JSON.stringify(this.position());
    const rows = labels.map((/** @type {any} */ row) => (typeof row === "string" ? row : row.map((/** @type {any} */ one) => (one > 9 ? `(${one})` : one)).join(" ")));
    const head = [...(mines === null ? [] : [`mines: ${mines}`]), `topology: ${topology.kind}`];
    if (topology.offsets) head.push(`offsets: ${topology.offsets.map((/** @type {number[]} */ step) => `(${step})`).join(" ")}`);
    return `${[...head, ...rows].join("\n")}\n`;
  }

  /**
   * A game is shared as the full board where its format knows nothing else.
   * @param {string} format
   * @returns {Promise<string | Uint8Array>}
   */
  async convert(format) {
    const { current, play } = this.app;
    const { mined, field, mines } = play.game;
    let position = this.position();
    if (current === play && mined && format !== "jsm" && format !== "mine") {
      const labels = Int16Array.from(mined, (one, cell) => (one ? -2 : rules.numberAt(field, mined, cell)));
      position = { topology: field.spec, mines, labels: writeLabels(field, labels) };
    }
    const { text, data } = await this.app.engine.convert(position, format);
    return data === null ? text : fromBase64(data);
  }

  /** The game as `sapper review` reads it. */
  game() {
    const { play, current } = this.app;
    if (current !== play || !play.game.mined) throw new Error("There is no game yet: dig somewhere first.");
    const { board, layout, moves } = play.record();
    return JSON.stringify({ ...board, layout, rule: null, seed: null, moves });
  }

  /** @param {string} name @param {() => Promise<string | Uint8Array> | string} content */
  async file(name, content) {
    try {
      save(name, new Blob([/** @type {BlobPart} */ (await content())]));
    } catch (error) {
      notify(wordsOf(error), "wrong");
    }
  }

  /** @param {string} title @param {() => Promise<string | Uint8Array> | string} text */
  async copy(title, text) {
    try {
      await navigator.clipboard.writeText(String(await text()));
      notify(`${title}: copied.`);
    } catch (error) {
      notify(wordsOf(error), "wrong");
    }
  }

  /** Save a picture or copy it. @param {"svg" | "png"} kind @param {boolean} copied */
  async picture(kind, copied) {
    try {
      const drawn = kind === "svg" ? this.svg() : this.png();
      if (!copied) return save(`sapper.${kind}`, await drawn);
      await copyPicture(drawn, kind);
      return notify(`${kind.toUpperCase()}: copied.`);
    } catch (error) {
      return notify(wordsOf(error), "wrong");
    }
  }

  async svg() {
    return new Blob([(await this.app.engine.convert(this.position(), "svg")).text], { type: "image/svg+xml" });
  }

  /** @returns {Promise<Blob>} */
  png() {
    const picture = this.app.picture();
    const unit = Math.max(8, Math.min(64, Math.floor(6000 / Math.max(picture.field.width, picture.field.height))));
    const pad = 8;
    const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", {}));
    canvas.width = Math.ceil(picture.field.width * unit) + 2 * pad;
    canvas.height = Math.ceil(picture.field.height * unit) + 2 * pad;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const theme = colours();
    paint(context, picture, theme, unit, { left: -pad, top: -pad, width: canvas.width, height: canvas.height });
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = theme.opened;
    context.fillRect(0, 0, canvas.width, canvas.height);
    return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("This browser cannot draw a board so large.")))));
  }
}

/**
 * Put a picture on the clipboard; where a browser takes no SVG there, its source as text.
 * @param {Promise<Blob>} drawn a promise, since some browsers ask for it while the click lasts
 * @param {"svg" | "png"} kind
 */
async function copyPicture(drawn, kind) {
  const type = kind === "svg" ? "image/svg+xml" : "image/png";
  const taken = typeof ClipboardItem !== "undefined" && (ClipboardItem.supports?.(type) ?? kind === "png");
  if (taken) return navigator.clipboard.write([new ClipboardItem({ [type]: drawn })]);
  if (kind === "svg") return navigator.clipboard.writeText(await (await drawn).text());
  throw new Error("This browser takes no pictures into the clipboard; save the PNG instead.");
}

/** @param {string} name @param {Blob} blob */
function save(name, blob) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
  notify(`${name} was saved.`);
}

/** @param {string} text deflated, in the letters that links may have */
async function packed(text) {
  const bytes = await through(new Blob([text]), new CompressionStream("deflate-raw"));
  return toBase64(new Uint8Array(bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} link */
async function unpacked(link) {
  const bytes = fromBase64(link.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder().decode(await through(new Blob([bytes]), new DecompressionStream("deflate-raw")));
}

/** @param {Blob} blob @param {CompressionStream | DecompressionStream} stream */
function through(blob, stream) {
  return new Response(blob.stream().pipeThrough(stream)).arrayBuffer();
}
