// What a finished game was like: luck, guesses, mistakes, and what was certain at each move.

import { $, announce, button, make } from "./dom.js";
import { isStale, Latest } from "./engine.js";
import { readFindings } from "./findings.js";
import { writeLabels } from "./labels.js";
import { noMarks } from "./marks.js";
import * as rules from "./rules.js";
import { percent, plural, shortName } from "./text.js";

const WORDS = /** @type {Record<string, string>} */ ({
  guess: "Guess",
  mistake: "Mistake",
  "doubtful flag": "Flag that was not certain",
  "wrong flag": "Flag on a safe cell",
});

export class Review {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    this.latest = new Latest();
    this.looking = new Latest();
    button("review-end").addEventListener("click", () => this.leave());
  }

  /** Review a game that is over. @param {any} record */
  async offer(record) {
    const { game, spent } = this.app.play;
    const seconds = spent / 1000;
    const facts = make("dl", { class: "facts" });
    const row = (/** @type {string} */ name, /** @type {string} */ value) => facts.append(make("dt", {}, name), make("dd", {}, value));
    row("Time", `${seconds.toFixed(1)} s`);
    if (game.status === "won" && seconds > 0) row("3BV per second", (game.threeBV / seconds).toFixed(2));
    $("review-body").replaceChildren(facts);
    $("review").hidden = false;
    button("review-end").hidden = true;
    try {
      const found = await this.latest.ask((signal) => this.app.engine.review(record, signal));
      row("3BV", `${found.solved} of ${found.three_bv} in ${plural(found.clicks, "click")}`);
      row("Efficiency", `${Math.round(100 * found.efficiency)} %`);
      row("Luck", luck(found));
      row("Guesses", String(found.guesses));
      row("Mistakes", String(found.mistakes));
      $("review-body").append(this.list(found));
    } catch (error) {
      if (!isStale(error)) $("review-body").append(make("p", { class: "small" }, error instanceof Error ? error.message : String(error)));
    }
  }

  /** The moves that something is to be said of. @param {any} found */
  list(found) {
    const { field } = this.app.play.game;
    const said = found.moves.filter((/** @type {any} */ move) => move.judgement in WORDS);
    if (!said.length) return make("p", {}, "Every move was certain.");
    const list = make("ol", { class: "best" });
    for (const move of said) {
      const cell = field.index(move.cell);
      let reason = WORDS[move.judgement];
      if (move.survival) reason += `: a chance of ${percent(move.survival.probability)} to survive`;
      if (move.judgement === "mistake" && move.best !== null) reason += `; ${shortName(field, field.index(move.best))} was safe`;
      else if (move.best_survival && move.best_survival.probability > move.survival.probability) {
        reason += `; ${shortName(field, field.index(move.best))} with ${percent(move.best_survival.probability)}`;
      }
      const one = make("button", { type: "button" }, make("b", {}, shortName(field, cell)), make("span", {}, `${reason}.`));
      one.addEventListener("click", () => this.look(move, one));
      list.append(make("li", {}, one));
    }
    return list;
  }

  /** Show the board as it was before a move. @param {any} move @param {HTMLElement} chosen */
  async look(move, chosen) {
    const { play, board } = this.app;
    const { game } = play;
    const { field } = game;
    for (const one of $("review-body").querySelectorAll("button")) one.removeAttribute("aria-current");
    chosen.setAttribute("aria-current", "true");
    const then = rules.newGame(field, game.mines);
    rules.lay(then, [...field.names.keys()].filter((cell) => game.mined?.[cell]));
    for (const { kind, cell } of game.moves.slice(0, move.number - 1)) rules[kind](then, cell);
    const marks = { ...noMarks(), target: field.index(move.cell), hint: move.best === null ? -1 : field.index(move.best) };
    play.past = { field, labels: then.labels, flags: then.flags, mined: null, exploded: -1, findings: null, odds: true, marks };
    button("review-end").hidden = false;
    board.reveal(marks.target);
    this.app.draw();
    announce(`The board before move ${move.number}.`);
    const position = { topology: field.spec, mines: game.mines, labels: writeLabels(field, then.labels) };
    try {
      const answer = await this.looking.ask((signal) => this.app.engine.analyse(position, signal));
      if (play.past) play.past = { ...play.past, findings: readFindings(field, answer) };
      this.app.draw();
    } catch (error) {
      if (!isStale(error)) play.fail(error);
    }
  }

  /** Back to the end of the game. */
  leave() {
    this.looking.cancel();
    this.app.play.past = null;
    button("review-end").hidden = true;
    for (const one of $("review-body").querySelectorAll("button")) one.removeAttribute("aria-current");
    this.app.draw();
  }

  close() {
    this.latest.cancel();
    this.leave();
    $("review").hidden = true;
  }
}

/** How likely it was to come so far. @param {any} found */
function luck(found) {
  const { probability, exact } = found.luck;
  if (exact === "1") return "none was needed";
  return `${percent(probability)} to survive all digs`;
}
