// Analysing: edit a position by any means, and see at once what is certain, likely and possible.

import { chart } from "./chart.js";
import { $, announce, button, input, make, notify } from "./dom.js";
import { EngineError, isStale, Latest, wordsOf } from "./engine.js";
import { makeField } from "./field.js";
import { MINED, readFindings, SAFE, tally } from "./findings.js";
import { COVERED, follow, FREE, MINE, readLabels, sign, writeLabels } from "./labels.js";
import { noMarks } from "./marks.js";
import { freshSeed } from "./rules.js";
import { CANDIDATES, reason } from "./reasons.js";
import { cellName, count, percent, plural, shortName } from "./text.js";

/** @typedef {import("./events.js").Gestures} Gestures */
/** @typedef {import("./types.js").PositionDocument} PositionDocument */

const STALE = 250; // milliseconds for which old answers may stay on the board while new ones are computed
const TYPED = new Map([["?", COVERED], ["*", MINE], ["_", FREE], ["Delete", COVERED], ["Backspace", COVERED], ["x", MINE]]);
/** @type {[string, string][]} */
const BRUSHES = [["why", "Ask why"], ["next", "Next"], ["?", "?"], ["*", "✹"], ["_", "_"], ...Array.from({ length: 9 }, (_, n) => /** @type {[string, string]} */ ([String(n), String(n)]))];
const SAID = new Map([["?", "covered"], ["*", "known mine"], ["_", "known free"], ["next", "next number"], ["why", "Ask why"]]);

/** @implements {Gestures} */
export class Analyse {
  /** @param {import("./main.js").App} app @param {PositionDocument} position */
  constructor(app, position) {
    this.app = app;
    this.latest = new Latest();
    this.counting = new Latest();
    this.sampling = new Latest();
    this.comparing = new Latest();
    this.marks = noMarks();
    this.brush = "why";
    /** @type {import("./types.js").Findings | null} */
    this.findings = null;
    this.stale = 0;
    this.drawn = 0;
    /** Whether the position has just been brought, so that nobody has looked around yet. */
    this.fresh = false;
    this.field = makeField(position.topology);
    this.labels = readLabels(this.field, position.labels);
    this.mines = position.mines;
    /** @type {{labels: Int16Array, mines: number | null}[]} */
    this.past = [];
    this.controls();
  }

  controls() {
    const brushes = $("brushes");
    for (const [value, shown] of BRUSHES) {
      const onchange = () => (this.brush = value);
      const radio = make("input", { type: "radio", name: "brush", value, checked: value === "why", "aria-label": SAID.get(value) ?? value, onchange });
      brushes.append(make("label", { class: shown.length > 1 ? "wide" : null }, radio, shown));
    }
    input("total").addEventListener("input", () => this.total());
    input("locked").addEventListener("change", () => this.total());
    button("clear").addEventListener("click", () => {
      this.edit(() => this.labels.fill(COVERED));
      this.choose("next");
    });
    button("edit-undo").addEventListener("click", () => this.undo());
    button("play-on").addEventListener("click", () => this.playOn());
    button("sample").addEventListener("click", () => this.sample());
    button("sample-end").addEventListener("click", () => this.endSample());
  }

  get asking() {
    return this.brush === "why";
  }

  /** @param {PositionDocument} position */
  load(position) {
    const same = JSON.stringify(position.topology) === JSON.stringify(this.field.spec);
    if (!same) this.field = makeField(position.topology);
    this.labels = readLabels(this.field, position.labels);
    this.mines = position.mines;
    this.past = [];
    this.findings = null;
    this.fresh = true;
    // Who brings a position wants to understand it, who brings an empty one to write it.
    this.choose(this.labels.some((label) => label !== COVERED) ? "why" : "next");
    this.edited();
  }

  /** @param {string} brush */
  choose(brush) {
    this.brush = brush;
    /** @type {HTMLInputElement} */ (document.querySelector(`[name="brush"][value="${brush}"]`)).checked = true;
  }

  /** @returns {import("./types.js").Picture} */
  picture() {
    const { field, labels, findings, marks } = this;
    return { field, labels, flags: new Uint8Array(field.size), mined: null, exploded: -1, findings, odds: true, marks };
  }

  /** @returns {PositionDocument} */
  position() {
    return { topology: this.field.spec, mines: this.mines, labels: writeLabels(this.field, this.labels) };
  }

  // --- editing -----------------------------------------------------------------------------------

  /** @param {() => void} change */
  edit(change) {
    this.past.push({ labels: this.labels.slice(), mines: this.mines });
    if (this.past.length > 200) this.past.shift();
    change();
    this.edited();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return notify("There is nothing to take back.");
    this.labels = before.labels;
    this.mines = before.mines;
    return this.edited();
  }

  edited() {
    this.app.arriving.cancel();
    this.app.why.close();
    this.marks = noMarks();
    this.endSample();
    input("total").value = this.mines === null ? "" : String(this.mines);
    input("locked").checked = this.mines !== null;
    window.clearTimeout(this.stale);
    this.stale = window.setTimeout(() => {
      this.findings = null;
      this.app.draw();
    }, STALE);
    this.app.changed();
    this.analyse();
  }

  total() {
    const value = input("total").value.trim();
    const wanted = input("locked").checked || document.activeElement === input("total");
    const mines = wanted && value !== "" ? Math.max(0, Math.floor(Number(value))) : null;
    if (mines !== this.mines) this.edit(() => (this.mines = mines));
  }

  /** @param {number} cell @param {number} value */
  set(cell, value) {
    if (this.labels[cell] === value) return;
    if (value > this.field.neighbours[cell].length) {
      announce(`${cellName(this.field, cell)} has only ${plural(this.field.neighbours[cell].length, "neighbour")}.`);
      return;
    }
    this.edit(() => {
      if (input("building").checked) follow(this.field, this.labels, cell, value);
      this.labels[cell] = value;
    });
    announce(this.said(cell));
  }

  /** @param {number} cell */
  said(cell) {
    const value = sign(this.labels[cell]);
    return `${cellName(this.field, cell)}, ${SAID.get(value) ?? value}`;
  }

  /** The number after this one; after the last comes covered again. @param {number} cell @param {number} by */
  turned(cell, by) {
    const most = this.field.neighbours[cell].length;
    const value = this.labels[cell];
    if (value < 0) {
      if (by < 0) return value === COVERED ? most : COVERED;
      return this.field.neighbours[cell].filter((near) => this.labels[near] === MINE).length;
    }
    const next = value + by;
    return next < 0 || next > most ? COVERED : next;
  }

  // --- gestures ----------------------------------------------------------------------------------

  /** @param {number} cell @param {Event} event */
  primary(cell, event) {
    const pointer = event instanceof MouseEvent && (event.altKey || event.shiftKey);
    if (pointer) this.why(cell);
    else this.apply(cell);
  }

  /** Do what the brush does. @param {number} cell */
  apply(cell) {
    if (this.asking) this.why(cell);
    else this.set(cell, this.brush === "next" ? this.turned(cell, 1) : valueOf(this.brush));
  }

  /** @param {number} cell */
  secondary(cell) {
    const order = [COVERED, MINE, FREE];
    const at = order.indexOf(this.labels[cell]);
    return this.set(cell, order[(at + 1) % 3]);
  }

  /** @param {number} cell */
  both(cell) {
    this.why(cell);
  }

  /** Dragging paints with a brush. @param {number} cell @param {boolean} first */
  drag(cell, first) {
    if (this.asking || this.brush === "next") return false;
    if (first || cell >= 0) this.set(cell, valueOf(this.brush));
    return true;
  }

  /** @param {number} cell @param {boolean} up */
  wheel(cell, up) {
    this.set(cell, this.turned(cell, up ? 1 : -1));
    return true;
  }

  press() {}

  /** @param {string} key @param {number} cell */
  type(key, cell) {
    const value = /^\d$/.test(key) ? Number(key) : TYPED.get(key);
    if (value === undefined) return false;
    this.set(cell, value);
    if (key !== "Backspace") this.app.board.activate(Math.min(cell + 1, this.field.size - 1));
    return true;
  }

  /** @param {import("./keys.js").Command} command @param {number} cell */
  command(command, cell) {
    const act = {
      dig: () => this.apply(cell),
      flag: () => this.set(cell, this.labels[cell] === MINE ? COVERED : MINE),
      why: () => this.why(cell),
      undo: () => this.undo(),
      hint: () => this.findings?.best.length && this.app.board.activate(this.findings.best[0]),
    };
    act[/** @type {keyof typeof act} */ (command)]?.();
  }

  // --- answers -----------------------------------------------------------------------------------

  async analyse() {
    const { field } = this;
    const position = this.position();
    this.counting.cancel();
    this.comparing.cancel();
    try {
      const answer = await this.latest.ask((signal) => this.app.engine.analyse(position, signal));
      this.show(readFindings(field, answer), null);
      if (this.findings) this.app.overlay.follow(this.findings, position);
      if (this.findings?.consistent === false) await this.contradicting(position);
      else this.countWorlds(position);
    } catch (error) {
      if (isStale(error)) return;
      const partial = error instanceof EngineError ? error.partial : null;
      if (partial) this.show(readFindings(field, partial), wordsOf(error));
      else this.fail(wordsOf(error));
    }
  }

  /** @param {import("./types.js").Findings} findings @param {string | null} limit that was hit */
  show(findings, limit) {
    window.clearTimeout(this.stale);
    this.findings = findings;
    if (this.fresh && findings.best.length && this.labels.some((label) => label !== COVERED)) this.app.board.reveal(findings.best[0]);
    this.fresh = false;
    this.summary(findings, limit);
    this.listBest(findings);
    this.app.draw();
  }

  /** @param {string} sentence */
  fail(sentence) {
    window.clearTimeout(this.stale);
    this.findings = null;
    $("summary").textContent = sentence;
    $("summary").classList.add("wrong");
    $("verdict").textContent = "";
    $("best").replaceChildren();
    $("worlds").hidden = true;
    this.app.draw();
  }

  /** @param {import("./types.js").Findings} findings @param {string | null} limit */
  summary(findings, limit) {
    const { safe, mines, unknown } = tally(findings);
    const wrong = findings.consistent === false;
    const parts = [`${safe} safe`, plural(mines, "certain mine"), `${unknown} undecided`];
    if (findings.count) parts.push(findings.count === "1" ? "one world" : `${count(findings.count)} worlds`);
    let sentence = wrong ? `These numbers contradict each other: no world meets them all. ${findings.problems.slice(0, 2).join("; ")}` : `${parts.join(" · ")}.`;
    if (limit) sentence += ` ${limit}`;
    $("summary").textContent = sentence;
    $("summary").title = findings.count.length > 12 ? findings.count : "";
    $("summary").classList.toggle("wrong", wrong);
    $("verdict").textContent = wrong ? "Contradiction" : findings.count ? `${findings.count === "1" ? "1 world" : `${count(findings.count)} worlds`}` : "";
    if (wrong) $("worlds").hidden = true;
  }

  /** @param {import("./types.js").Findings} findings */
  listBest(findings) {
    const certain = findings.best.filter((cell) => findings.verdict[cell] === SAFE);
    const shown = (certain.length ? certain : findings.best).slice(0, certain.length ? 5 : CANDIDATES);
    const items = shown.map((cell) => this.digItem(cell, certain.length ? "certainly safe" : `survives with ${percent(1 - findings.chance[cell])}`));
    if (certain.length > shown.length) items.push(make("li", { class: "small" }, `and ${certain.length - shown.length} more that are safe`));
    const free = findings.verdict.some((verdict) => verdict !== 0 && verdict !== MINED);
    if (!items.length && findings.consistent && !free) items.push(make("li", { class: "small" }, "Nothing is left to dig."));
    $("best").replaceChildren(...items);
    if (shown.length && !certain.length) this.compare();
  }

  /** @param {number} cell @param {string} why */
  digItem(cell, why) {
    const onclick = () => {
      this.app.board.activate(cell, false);
      this.app.board.reveal(cell);
      this.why(cell);
    };
    return make("li", {}, make("button", { type: "button", "data-dig": cell, onclick }, make("b", {}, shortName(this.field, cell)), make("span", {}, why)));
  }

  /** Where nothing is certain, tell what each dig would be good for. */
  async compare() {
    try {
      const { digs, champion } = await this.comparing.ask((signal) => this.app.engine.digs(this.position(), null, signal));
      const chosen = champion === null ? -1 : this.field.index(champion);
      $("best").replaceChildren(...digs.map((/** @type {any} */ dig) => this.digItem(this.field.index(dig.cell), reason(dig, this.field.index(dig.cell) === chosen))));
      if (chosen >= 0 && !$("best").querySelector(`[data-dig="${chosen}"]`)) $("best").append(this.digItem(chosen, "the champion digs here"));
    } catch (error) {
      if (!isStale(error) && !(error instanceof EngineError)) throw error; // a limit: survival is still told
    }
  }

  /** Light up clues that cannot all be met. @param {PositionDocument} position */
  async contradicting(position) {
    const { field, labels, marks } = this;
    try {
      const answer = await this.latest.ask((signal) => this.app.engine.contradiction(position, signal));
      if (answer.contradiction) this.app.why.contradiction({ field, labels, position, marks }, answer.contradiction);
    } catch (error) {
      if (!isStale(error)) notify(wordsOf(error), "wrong");
    }
  }

  /** @param {PositionDocument} position */
  async countWorlds(position) {
    try {
      const answer = await this.counting.ask((signal) => this.app.engine.countByMines(position, signal));
      const rows = Object.entries(answer.by_mines_text).map(([mines, worlds]) => /** @type {[number, string]} */ ([Number(mines), worlds]));
      $("worlds").hidden = !rows.length;
      if (!rows.length) return;
      const { picture, said } = chart(rows, this.mines);
      $("chart").replaceChildren(...(picture ? [picture] : []), make("p", { class: "small" }, said));
    } catch (error) {
      if (!isStale(error)) $("worlds").hidden = true;
    }
  }

  async sample() {
    try {
      const answer = await this.sampling.ask((signal) => this.app.engine.sample(this.position(), 1, this.drawn++, signal));
      this.marks.world = new Set(answer.solutions[0].map(this.field.index));
      button("sample-end").hidden = false;
      $("sample").textContent = "Another world";
      announce(`A world with ${plural(this.marks.world.size, "mine")} is shown; all worlds are equally likely.`);
      this.app.draw();
    } catch (error) {
      if (!isStale(error)) notify(wordsOf(error), "wrong");
    }
  }

  endSample() {
    this.sampling.cancel();
    this.marks.world = null;
    button("sample-end").hidden = true;
    $("sample").textContent = "Show a random world";
    this.app.draw();
  }

  /** @param {number} cell */
  why(cell) {
    const { field, labels, marks } = this;
    this.app.why.ask({ field, labels, position: this.position(), marks }, cell);
  }

  /** Play on from here: in one of the worlds, and nobody knows in which. */
  async playOn() {
    try {
      if (!this.labels.includes(COVERED)) return notify("Nothing is covered: there is nothing to play.", "wrong");
      const seed = freshSeed();
      const answer = await this.sampling.ask((signal) => this.app.engine.sample(this.position(), 1, seed, signal));
      const cells = [...this.labels.keys()];
      const layout = [...new Set([...answer.solutions[0].map(this.field.index), ...cells.filter((cell) => this.labels[cell] === MINE)])];
      const moves = cells.flatMap((cell) => (this.labels[cell] >= 0 ? [["d", cell, 0]] : this.labels[cell] === MINE ? [["f", cell, 0]] : []));
      const wish = { topology: this.field.spec, mines: layout.length, rule: /** @type {"any"} */ ("any"), noGuess: false, grade: "", seed, title: "From a position" };
      this.app.play.resume({ wish, layout, moves, spent: 0, helped: { hints: 0, undone: 0 } });
      return this.app.setMode("play");
    } catch (error) {
      return isStale(error) ? undefined : notify(wordsOf(error), "wrong");
    }
  }

  gauges() {
    const { spec } = this.field;
    $("title").textContent = spec.kind === "graph" ? `Graph of ${this.field.size} cells` : `${spec.height} × ${spec.width} ${spec.kind}`;
  }
}

/** @param {string} brush */
function valueOf(brush) {
  return TYPED.get(brush) ?? Number(brush);
}
