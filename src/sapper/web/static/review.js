// What a finished game was like: luck, guesses, mistakes, and what was certain at each move.

import { $, announce, button, input, make } from "./dom.js";
import { isStale, Latest, wordsOf } from "./engine.js";
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

const KINDS = /** @type {Record<string, string>} */ ({ dig: "Dig", flag: "Flag", chord: "Chord" });

export class Review {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    this.latest = new Latest();
    this.looking = new Latest();
    /** @type {any[]} moves of the game, judged */
    this.moves = [];
    this.at = 0;
    button("review-end").addEventListener("click", () => this.leave());
    button("review-back").addEventListener("click", () => this.look(this.at - 1));
    button("review-on").addEventListener("click", () => this.look(this.at + 1));
    input("review-move").addEventListener("input", () => this.look(Number(input("review-move").value)));
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
    $("review-walk").hidden = true;
    try {
      const found = await this.latest.ask((signal) => this.app.engine.review(record, signal));
      row("3BV", `${found.solved} of ${found.three_bv} in ${plural(found.clicks, "click")}`);
      row("Efficiency", `${Math.round(100 * found.efficiency)} %`);
      row("Luck", luck(found));
      row("Guesses", String(found.guesses));
      row("Mistakes", String(found.mistakes));
      this.moves = found.moves;
      $("review-walk").hidden = !this.moves.length;
      input("review-move").max = String(this.moves.length);
      this.leave();
      $("review-body").append(this.list(found));
    } catch (error) {
      if (!isStale(error)) $("review-body").append(make("p", { class: "small" }, wordsOf(error)));
    }
  }

  /** The moves that something is to be said of. @param {any} found */
  list(found) {
    const { field } = this.app.play.game;
    const said = found.moves.filter((/** @type {any} */ move) => move.judgement in WORDS);
    if (!said.length) return make("p", {}, "Every move was certain.");
    const list = make("ol", { class: "best" });
    for (const move of said) {
      const onclick = () => this.look(move.number);
      list.append(make("li", {}, make("button", { type: "button", "data-move": move.number, onclick }, make("b", {}, shortName(field, field.index(move.cell))), make("span", {}, judged(field, move)))));
    }
    return list;
  }

  /** Show the board as it was before a move. @param {number} number of the move, from 1 */
  async look(number) {
    const { play, board } = this.app;
    const { game } = play;
    const { field } = game;
    if (number > this.moves.length) return this.leave();
    const move = this.moves[Math.max(1, number) - 1];
    this.walk(move.number);
    const then = rules.newGame(field, game.mines);
    rules.lay(then, [...field.names.keys()].filter((cell) => game.mined?.[cell]));
    for (const { kind, cell } of game.moves.slice(0, move.number - 1)) rules[kind](then, cell);
    const marks = { ...noMarks(), target: field.index(move.cell), hint: move.best === null ? -1 : field.index(move.best) };
    play.past = { field, labels: then.labels, flags: then.flags, mined: null, exploded: -1, findings: null, odds: true, marks };
    button("review-end").hidden = false;
    board.reveal(marks.target);
    this.app.draw();
    $("review-said").textContent = `${KINDS[move.kind]} ${shortName(field, marks.target)}: ${judged(field, move)}`;
    announce(`The board before move ${move.number}. ${$("review-said").textContent}`);
    const position = { topology: field.spec, mines: game.mines, labels: writeLabels(field, then.labels) };
    try {
      const answer = await this.looking.ask((signal) => this.app.engine.analyse(position, signal));
      const findings = readFindings(field, answer);
      if (play.past) play.past = { ...play.past, findings };
      this.app.overlay.follow(findings, position);
      return this.app.draw();
    } catch (error) {
      return isStale(error) ? undefined : play.fail(error);
    }
  }

  /** Say where in the game this is. @param {number} number of the move that comes next; one more than there are at the end */
  walk(number) {
    const all = this.moves.length;
    this.at = number;
    input("review-move").value = String(Math.min(number, all));
    const said = number > all ? `The end, after ${plural(all, "move")}` : `Before move ${number} of ${all}`;
    input("review-move").setAttribute("aria-valuetext", said);
    $("review-at").textContent = said;
    button("review-back").disabled = number <= 1;
    button("review-on").disabled = number > all;
    for (const one of $("review-body").querySelectorAll("button")) {
      if (Number(one.dataset.move) === number) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }

  /** Back to the end of the game. */
  leave() {
    this.looking.cancel();
    this.app.play.past = null;
    button("review-end").hidden = true;
    $("review-said").textContent = "";
    this.walk(this.moves.length + 1);
    this.app.draw();
  }

  close() {
    this.latest.cancel();
    this.moves = [];
    this.leave();
    $("review").hidden = true;
  }
}

/** What is to be said of a move. @param {import("./types.js").Field} field @param {any} move */
function judged(field, move) {
  let said = WORDS[move.judgement] ?? (move.kind === "flag" ? "flag on a certain mine" : "certainly safe");
  if (move.judgement in WORDS && move.survival) said += `: a chance of ${percent(move.survival.probability)} to survive`;
  if (move.judgement === "mistake" && move.best !== null) said += `; ${shortName(field, field.index(move.best))} was safe`;
  else if (move.judgement in WORDS && move.best_survival && move.best_survival.probability > move.survival.probability) {
    said += `; ${shortName(field, field.index(move.best))} with ${percent(move.best_survival.probability)}`;
  }
  return `${said}.`;
}

/** How likely it was to come so far. @param {any} found */
function luck(found) {
  const { probability, exact } = found.luck;
  if (exact === "1") return "none was needed";
  return `${percent(probability)} to survive all digs`;
}
