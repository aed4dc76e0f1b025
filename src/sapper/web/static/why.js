// Why a cell is safe, a mine or undecided: the reason lights up on the board, its steps stand beside it.

import { $, announce, button, make } from "./dom.js";
import { EngineError, isStale, Latest } from "./engine.js";
import { COVERED } from "./labels.js";
import { named, noMarks } from "./marks.js";
import { paint } from "./paint.js";
import { shows } from "./reasons.js";
import { fraction, percent, shortName } from "./text.js";
import { colours } from "./theme.js";

/** @typedef {import("./types.js").Field} Field */
/** @typedef {import("./types.js").Marks} Marks */

/**
 * @typedef {object} Asked
 * @property {Field} field
 * @property {Int16Array} labels
 * @property {import("./types.js").PositionDocument} position
 * @property {Marks} marks which are changed
 */

export class Why {
  /**
   * @param {import("./engine.js").Engine} engine
   * @param {() => void} changed called when marks have changed
   */
  constructor(engine, changed) {
    this.engine = engine;
    this.changed = changed;
    this.latest = new Latest();
    /** @type {Marks | null} */
    this.marks = null;
    button("why-close").addEventListener("click", () => this.close());
  }

  /** @param {Asked} asked @param {number} cell @param {boolean} [smallest] as few clues as can be */
  async ask(asked, cell, smallest = false) {
    this.close();
    this.marks = asked.marks;
    const name = shortName(asked.field, cell);
    if (asked.labels[cell] !== COVERED) {
      this.say(`${name} is not covered: there is nothing to decide.`);
      return;
    }
    asked.marks.target = cell;
    this.changed();
    const slow = window.setTimeout(() => this.say(`Thinking about ${name} …`), 250);
    try {
      const answer = await this.latest.ask((signal) => this.engine.explain(asked.position, asked.field.names[cell], signal, smallest));
      this.tell(asked, answer, cell);
    } catch (error) {
      if (isStale(error)) return;
      this.say(error instanceof EngineError ? error.message : String(error));
    } finally {
      window.clearTimeout(slow);
    }
  }

  /** Show which clues contradict each other. @param {Asked} asked @param {any} answer an explanation of an inconsistent position */
  contradiction(asked, answer) {
    this.close();
    this.marks = asked.marks;
    this.tell(asked, answer, -1);
  }

  /** @param {string} sentence */
  say(sentence) {
    $("why").hidden = false;
    $("why-body").replaceChildren(make("p", {}, sentence));
    announce(sentence);
  }

  close() {
    this.latest.cancel();
    $("why").hidden = true;
    if (this.marks) {
      Object.assign(this.marks, { clues: new Map(), cells: new Set(), target: -1, differ: new Set(), world: null });
      this.marks = null;
      this.changed();
    }
  }

  /** @param {Asked} asked @param {any} answer @param {number} cell */
  tell(asked, answer, cell) {
    const [head] = answer.text.split("\n");
    const parts = [make("p", { class: "message" }, make("strong", {}, head))];
    if (answer.verdict === "unknown") parts.push(...this.undecided(asked, answer, cell));
    else parts.push(this.steps(asked, answer));
    $("why").hidden = false;
    $("why-body").replaceChildren(...parts);
    $("why").scrollTop = 0;
    const place = cell < 0 ? null : document.querySelector(`[data-cell="${cell}"]`);
    if (place && window.matchMedia("(max-width: 860px)").matches) place.scrollIntoView({ block: "nearest", inline: "nearest" });
    announce(`${head} ${answer.steps.length ? `${answer.steps.length} steps follow in the panel.` : ""}`);
    this.changed();
  }

  /** @param {Asked} asked @param {any} answer */
  steps(asked, answer) {
    const { field, marks } = asked;
    /** @type {string[]} */
    const sentences = answer.steps;
    const mentioned = sentences.map((sentence) => named(field, sentence));
    const lights = () => {
      marks.clues = new Map();
      marks.cells = new Set();
      for (const clue of answer.clues) {
        if (clue.cell !== null) {
          const at = field.index(clue.cell);
          const used = mentioned.flatMap((cells, step) => (cells.includes(at) ? [step + 1] : []));
          marks.clues.set(at, used.slice(0, 2).join(","));
        }
        if (!clue.total) for (const cell of clue.cells) marks.cells.add(field.index(cell));
      }
    };
    lights();
    const list = make("ol", { class: "steps" });
    sentences.forEach((sentence, step) => {
      const one = make("button", { type: "button" }, make("span", {}, sentence));
      one.addEventListener("click", () => {
        const current = one.getAttribute("aria-current") === "step";
        for (const other of list.querySelectorAll("button")) other.removeAttribute("aria-current");
        lights();
        if (!current) {
          one.setAttribute("aria-current", "step");
          for (const cell of [...marks.clues.keys()]) if (!mentioned[step].includes(cell)) marks.clues.delete(cell);
          marks.cells = new Set(mentioned[step].filter((cell) => asked.labels[cell] === COVERED));
        }
        this.changed();
      });
      list.append(make("li", {}, one));
    });
    return list;
  }

  /** Two worlds that differ, side by side. @param {Asked} asked @param {any} answer @param {number} cell */
  undecided(asked, answer, cell) {
    const { field, marks } = asked;
    const parts = [];
    if (answer.exact) {
      parts.push(make("p", { class: "exact", title: answer.exact }, fraction(answer.exact)));
      parts.push(make("p", { class: "small" }, `chance of a mine: ${percent(answer.probability)}`));
    }
    const worlds = answer.solutions.map((/** @type {any[]} */ world) => new Set(world.map(field.index)));
    if (worlds.length < 2) return parts;
    const differ = [...field.names.keys()].filter((one) => worlds[0].has(one) !== worlds[1].has(one));
    marks.differ = new Set(differ);
    const pair = make("div", { class: "pair" });
    worlds.slice(0, 2).forEach((/** @type {Set<number>} */ world) => {
      const said = world.has(cell) ? "A mine here" : "Free here";
      const show = make("button", { type: "button", "aria-pressed": "false", "aria-label": `${said}: show on the board` }, "Show");
      show.addEventListener("click", () => {
        const on = show.getAttribute("aria-pressed") !== "true";
        for (const other of pair.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
        show.setAttribute("aria-pressed", String(on));
        marks.world = on ? world : null;
        this.changed();
      });
      const drawing = small(asked, world, new Set(differ), cell);
      pair.append(make("figure", {}, drawing, make("figcaption", {}, said, show)));
    });
    parts.push(pair);
    parts.push(make("p", { class: "small" }, "Two worlds that meet every clue. Cells in which they differ have a dashed edge."));
    this.prospects(asked, cell);
    return parts;
  }

  /** What a dig would be good for, below the two worlds. @param {Asked} asked @param {number} cell */
  async prospects(asked, cell) {
    try {
      const { digs } = await this.latest.ask((signal) => this.engine.digs(asked.position, [asked.field.names[cell]], signal));
      const [dig] = digs;
      const list = make("ul", { class: "shows", "aria-label": "What a dig may show" });
      for (const [number, chance] of shows(dig)) {
        const bar = make("span", { class: "bar", "aria-hidden": "true" });
        bar.style.width = `${Math.max(1, 100 * chance.probability)}%`;
        list.append(make("li", { title: chance.exact }, make("b", {}, String(number)), bar, make("span", {}, percent(chance.probability))));
      }
      const told = shows(dig).length === 1 ? "If it is free it tells nothing: its number is known." : `If it is dug, something is certain next with ${percent(dig.progress.probability)}.`;
      const wins = dig.wins ? ` Best play that begins here wins with ${dig.wins.exact} (${percent(dig.wins.probability)}).` : "";
      $("why-body").append(make("h4", {}, "What a dig may show"), list, make("p", { class: "small" }, told + wins));
    } catch (error) {
      if (!isStale(error) && !(error instanceof EngineError)) throw error; // too large: the worlds are still there
    }
  }
}

/** A world around a cell, drawn small. @param {Asked} asked @param {Set<number>} world @param {Set<number>} differ @param {number} cell */
function small(asked, world, differ, cell) {
  const { field, labels } = asked;
  const wide = 148;
  const near = [cell, ...differ].filter((one) => Math.hypot(field.x[one] - field.x[cell], field.y[one] - field.y[cell]) < 5.5);
  const span = (/** @type {Float64Array} */ at, /** @type {number} */ end) => {
    const places = near.map((one) => at[one]);
    return [Math.max(0, Math.min(...places) - 1.5), Math.min(end, Math.max(...places) + 1.5)];
  };
  const [left, right] = span(field.x, field.width);
  const [top, bottom] = span(field.y, field.height);
  const unit = Math.min(30, wide / (right - left));
  const size = { width: Math.ceil((right - left) * unit), height: Math.ceil((bottom - top) * unit) };
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", { width: size.width * 2, height: size.height * 2, role: "img" }));
  canvas.setAttribute("aria-label", world.has(cell) ? "A world with a mine at this cell" : "A world in which this cell is free");
  canvas.style.width = `${size.width}px`;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(2, 2);
  const marks = { ...noMarks(), world, differ, target: cell };
  const picture = { field, labels, flags: new Uint8Array(field.size), mined: null, exploded: -1, findings: null, odds: false, marks };
  paint(context, picture, colours(), unit, { left: left * unit, top: top * unit, ...size });
  return canvas;
}
