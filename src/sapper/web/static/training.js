// Training: one position, in which a safe cell can be proved from so many numbers. Find it.

import { $, announce, button, card, make } from "./dom.js";
import { isStale, Latest, wordsOf } from "./engine.js";
import { makeField } from "./field.js";
import { readFindings, SAFE } from "./findings.js";
import { COVERED, writeLabels } from "./labels.js";
import { noMarks } from "./marks.js";
import * as rules from "./rules.js";
import { percent, shortName } from "./text.js";
import { recall, remember } from "./theme.js";

/** @typedef {import("./events.js").Gestures} Gestures */

const TRIES = 60; // boards to look through before giving up
const BOARD = { topology: { kind: "grid", width: 10, height: 10 }, mines: 20 };
/** One number never proves a cell safe: it takes another to know its mines. */
const SIZES = [2, 3, 4, 5];

/** @implements {Gestures} */
export class Training {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    this.latest = new Latest();
    this.field = makeField(BOARD.topology);
    /** @type {Int16Array} */
    this.labels = new Int16Array(this.field.size).fill(COVERED);
    this.marks = noMarks();
    this.size = SIZES[0];
    /** @type {import("./types.js").Findings | null} */
    this.findings = null;
    this.easiest = -1;
    this.solved = false;
    this.streak = Number(recall("streak", "0"));
    button("train-next").addEventListener("click", () => this.start(this.size));
    button("train-show").addEventListener("click", () => this.reveal());
    button("train-leave").addEventListener("click", () => app.setMode("boards"));
  }

  // --- a position --------------------------------------------------------------------------------

  /** @param {number} size how many numbers the easiest proof takes */
  async start(size) {
    this.size = size;
    this.app.why.close();
    this.findings = null;
    this.solved = false;
    this.marks = noMarks();
    this.labels.fill(COVERED);
    this.say("Looking for a position …");
    this.app.setMode("train");
    try {
      const found = await this.latest.ask((signal) => this.search(size, signal));
      if (!found) return this.say("No such position was found this time. Try again.");
      [this.labels, this.findings, this.easiest] = [found.labels, found.findings, found.easiest];
      this.say(`A safe cell can be proved from ${words(size)}, and none from fewer. Which?`);
      this.app.changed();
      return this.app.board.activate(0, false);
    } catch (error) {
      if (!isStale(error)) this.say(wordsOf(error));
      return undefined;
    }
  }

  /** Play boards by certainty, always the easiest first, until that takes so many numbers. @param {number} size @param {AbortSignal} signal */
  async search(size, signal) {
    const start = this.field.index([5, 5]);
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (attempt) this.say(`Looking for a position … (board ${attempt + 1})`);
      const wish = /** @type {import("./types.js").Wish} */ ({ ...BOARD, rule: "zero", noGuess: false, grade: "", seed: rules.freshSeed(), title: "" });
      const game = rules.newGame(this.field, BOARD.mines);
      const made = await this.app.engine.create(wish, this.field.names[start], signal);
      rules.lay(game, made.layout.map(this.field.index));
      rules.dig(game, start);
      while (game.status === "playing") {
        const position = this.document(game.labels);
        const findings = readFindings(this.field, await this.app.engine.analyse(position, signal));
        const safe = [...findings.verdict.keys()].filter((cell) => findings.verdict[cell] === SAFE);
        if (!safe.length) break;
        const sizes = await Promise.all(safe.map((cell) => this.core(position, cell, signal)));
        const least = Math.min(...sizes);
        if (least === size || (size === SIZES[SIZES.length - 1] && least > size)) {
          return { labels: game.labels, findings, easiest: safe[sizes.indexOf(least)] };
        }
        if (least > size) break;
        safe.forEach((cell, at) => sizes[at] < size && rules.dig(game, cell));
      }
    }
    return null;
  }

  /** How many numbers force a cell, at least. @param {import("./types.js").PositionDocument} position @param {number} cell @param {AbortSignal} signal */
  async core(position, cell, signal) {
    const answer = await this.app.engine.explain(position, this.field.names[cell], signal, true);
    return answer.clues.length;
  }

  /** @param {Int16Array} labels */
  document(labels) {
    // Without the total: what is asked for is a proof from numbers.
    return { topology: this.field.spec, mines: null, labels: writeLabels(this.field, labels) };
  }

  position() {
    return this.document(this.labels);
  }

  /** @returns {import("./types.js").Picture} */
  picture() {
    const { field, labels, findings, marks, solved } = this;
    return { field, labels, flags: new Uint8Array(field.size), mined: null, exploded: -1, findings, odds: solved, marks };
  }

  // --- an answer ---------------------------------------------------------------------------------

  /** @param {number} cell */
  primary(cell) {
    const { findings } = this;
    if (!findings || this.solved || this.labels[cell] !== COVERED) return;
    const name = shortName(this.field, cell);
    if (findings.verdict[cell] === SAFE) {
      this.count(this.streak + 1);
      this.done(cell, `Right: ${name} is safe.`);
      return;
    }
    this.count(0);
    this.marks.target = cell;
    const chance = findings.chance[cell];
    this.say(chance === 1 ? `${name} is certainly a mine. Another cell is safe.` : `${name} is not certain: a mine with ${percent(chance)}. Another cell is safe.`);
    this.app.draw();
  }

  /** Give the answer away. */
  reveal() {
    if (!this.findings || this.solved) return;
    this.count(0);
    this.done(this.easiest, `${shortName(this.field, this.easiest)} is safe.`);
  }

  /** @param {number} cell @param {string} sentence */
  done(cell, sentence) {
    this.solved = true;
    this.marks = noMarks();
    this.say(sentence);
    const { field, labels, marks } = this;
    this.app.why.ask({ field, labels, position: this.position(), marks }, cell, true);
    button("train-next").focus();
  }

  /** @param {number} streak */
  count(streak) {
    this.streak = streak;
    remember("streak", String(streak));
    $("train-streak").textContent = String(streak);
  }

  /** @param {string} sentence */
  say(sentence) {
    $("train-message").textContent = sentence;
    announce(sentence);
  }

  // --- gestures ----------------------------------------------------------------------------------

  /** @param {number} cell */
  secondary(cell) {
    this.primary(cell);
  }

  both() {}

  drag() {
    return false;
  }

  wheel() {
    return false;
  }

  press() {}

  type() {
    return false;
  }

  /** @param {import("./keys.js").Command} command @param {number} cell */
  command(command, cell) {
    if (command === "dig") this.primary(cell);
    else if (command === "hint" || command === "why") this.reveal();
    else if (command === "new") this.start(this.size);
  }

  gauges() {
    $("title").textContent = `Training: ${words(this.size)}`;
    $("train-streak").textContent = String(this.streak);
  }

  /** What the boards offer. */
  card() {
    const sizes = make("div", { class: "row" });
    for (const size of SIZES) sizes.append(make("button", { type: "button", onclick: () => this.start(size) }, words(size)));
    return card("training", "Training: one deduction", "A position and one question: which cell is safe? Choose how many numbers the proof takes.", sizes);
  }
}

/** @param {number} size */
function words(size) {
  return size === SIZES[SIZES.length - 1] ? `${size} or more numbers` : `${size} numbers`;
}
