// Playing: digs, flags and chords, the clock and undo.

import { $, announce, button, notify } from "./dom.js";
import { isStale, Latest, wordsOf } from "./engine.js";
import { makeField } from "./field.js";
import { Help } from "./help.js";
import { COVERED, writeLabels } from "./labels.js";
import { noMarks } from "./marks.js";
import { obvious } from "./obvious.js";
import { options } from "./options.js";
import * as rules from "./rules.js";
import { cellName, clock, place, plural, shortName } from "./text.js";
import { Watcher } from "./watch.js";

/** @typedef {import("./types.js").Wish} Wish */
/** @typedef {import("./events.js").Gestures} Gestures */

/** @implements {Gestures} */
export class Play {
  /** @param {import("./main.js").App} app @param {Wish} wish */
  constructor(app, wish) {
    this.app = app;
    this.creating = new Latest();
    this.flagMode = false;
    this.wish = wish;
    this.game = rules.newGame(makeField(wish.topology), wish.mines);
    this.marks = noMarks();
    /** @type {import("./types.js").Picture | null} a moment of the game that the review shows */
    this.past = null;
    this.began = 0;
    this.spent = 0;
    this.helped = { hints: 0, undone: 0 };
    window.setInterval(() => this.tick(), 250);
    this.help = new Help(app, this);
    this.watcher = new Watcher(app, this);
    this.controls();
  }

  controls() {
    button("again").addEventListener("click", () => this.start({ ...this.wish, seed: rules.freshSeed(), start: undefined }));
    button("same").addEventListener("click", () => this.same());
    button("undo").addEventListener("click", () => this.undo());
    button("flag-switch").addEventListener("click", () => {
      this.flagMode = !this.flagMode;
      button("flag-switch").setAttribute("aria-pressed", String(this.flagMode));
      announce(this.flagMode ? "Taps flag, long presses dig." : "Taps dig, long presses flag.");
    });
  }

  /** Begin a new game; its mines are placed after the first dig. @param {Wish} wish */
  start(wish) {
    this.forget();
    const same = JSON.stringify(wish.topology) === JSON.stringify(this.wish.topology);
    this.wish = wish;
    this.game = rules.newGame(same ? this.game.field : makeField(wish.topology), wish.mines);
    this.spent = 0;
    this.helped = { hints: 0, undone: 0 };
    this.say(wish.start === undefined ? "Dig anywhere to begin." : `Dig ${place(wish.start)} to begin.`);
    if (wish.start !== undefined) this.marks.hint = this.game.field.index(wish.start);
    this.app.review.close();
    this.app.changed();
  }

  /** Play the same board once more: its mines stay where they are. */
  same() {
    const { mined } = this.game;
    const { start } = this.wish;
    this.start(this.wish);
    if (!mined) return;
    rules.lay(this.game, [...mined.keys()].filter((cell) => mined[cell]));
    this.say(start === undefined ? "The same mines. Dig anywhere to begin." : `The same mines. Dig ${place(start)} to begin.`);
    this.app.changed();
  }

  /**
   * Play a game again up to where it was.
   * @param {{wish: Wish, layout: number[] | null, moves: any[], spent: number, helped: {hints: number, undone: number}}} state
   */
  resume(state) {
    this.start(state.wish);
    const { game } = this;
    /** @type {Record<string, (game: import("./types.js").Game, cell: number, clock: number) => unknown>} */
    const acts = { d: rules.dig, f: rules.flag, c: rules.chord };
    if (state.layout) rules.lay(game, state.layout);
    for (const [kind, cell, clock] of state.moves) acts[kind](game, cell, clock);
    this.spent = state.spent;
    this.helped = state.helped;
    if (state.layout && this.playing && game.moves.length) this.began = performance.now() - state.spent;
    const { status, left, moves } = game;
    if (status === "lost") this.say("A mine. Undo takes the dig back.");
    else if (status === "won") this.say(`Won in ${(this.spent / 1000).toFixed(1)} s.`);
    else if (moves.length) this.say(`${plural(left, "free cell")} to go.`);
    if (!this.playing) this.app.review.offer(this.record());
    this.help.moved();
    this.app.changed();
  }

  /** Show where a board wants to be begun. @param {number} cell */
  suggest(cell) {
    this.marks.hint = cell;
    this.say(`This board is made to begin at ${shortName(this.game.field, cell)}.`);
    this.app.draw();
  }

  /** Call off what is under way for the game as it was. */
  forget() {
    this.app.arriving.cancel();
    this.watcher.pause();
    this.creating.cancel();
    this.help.forget();
    this.app.why.close();
    this.marks = noMarks();
    this.began = 0;
  }

  /** @returns {import("./types.js").Picture} */
  picture() {
    if (this.past) return this.past;
    const { game, marks } = this;
    const { findings, odds } = this.help;
    const over = game.status === "won" || game.status === "lost";
    const flags = game.status === "won" && game.mined ? game.mined : game.flags;
    return { field: game.field, labels: game.labels, flags, mined: over ? game.mined : null, exploded: game.exploded, findings, odds, marks };
  }

  /** @returns {import("./types.js").PositionDocument} */
  position() {
    const { field, labels, mines } = this.game;
    return { topology: field.spec, mines, labels: writeLabels(field, labels) };
  }

  get playing() {
    return this.game.status === "playing" || this.game.status === "ready";
  }

  // --- what a player does ------------------------------------------------------------------------

  /** @param {number} cell */
  primary(cell) {
    if (this.help.asking) this.help.why(cell);
    else if (this.flagMode && this.game.labels[cell] === COVERED) this.flag(cell);
    else this.open(cell);
  }

  /** @param {number} cell */
  secondary(cell) {
    if (this.flagMode) this.open(cell);
    else if (this.game.labels[cell] === COVERED) this.flag(cell);
    else this.open(cell);
  }

  /** @param {number} cell */
  both(cell) {
    if (this.game.labels[cell] >= 0) this.open(cell);
  }

  drag() {
    return false;
  }

  wheel() {
    return false;
  }

  type() {
    return false;
  }

  /** @param {number} cell */
  press(cell) {
    if (this.marks.pressed === cell) return;
    this.marks.pressed = this.playing && cell >= 0 && this.game.labels[cell] === COVERED ? cell : -1;
    this.app.draw();
  }

  /** @param {import("./keys.js").Command} command @param {number} cell */
  command(command, cell) {
    const act = {
      dig: () => (this.help.asking ? this.help.why(cell) : this.open(cell)),
      flag: () => this.flag(cell),
      chord: () => this.both(cell),
      hint: () => this.help.hint(),
      why: () => this.help.why(cell),
      odds: () => this.help.toggleOdds(),
      undo: () => this.undo(),
      new: () => button("again").click(),
    };
    act[/** @type {keyof typeof act} */ (command)]?.();
  }

  /** Dig a covered cell, or chord at a number. @param {number} cell */
  async open(cell) {
    if (!this.playing) return;
    if (this.game.status === "ready" && !(await this.lay(cell))) return;
    const { game } = this;
    if (options.strict && game.labels[cell] === COVERED && !game.flags[cell] && !(await this.help.allows(cell))) return;
    if (this.game !== game) return;
    const before = writeLabels(game.field, game.labels);
    const act = game.labels[cell] === COVERED ? rules.dig : rules.chord;
    const opened = act(game, cell, this.elapsed());
    if (!opened.length) {
      if (game.labels[cell] > 0) announce(`${cellName(game.field, cell)}, ${game.labels[cell]}: its flags do not match.`);
      return;
    }
    if (!this.began && this.playing) this.began = performance.now();
    if (options.fast) this.goOn();
    this.moved();
    if (game.status === "lost") this.lost(before);
    else if (game.status === "won") this.won();
    else {
      announce(opened.length === 1 ? `${cellName(game.field, cell)}, ${game.labels[cell]}` : `${plural(opened.length, "cell")} opened.`);
      this.say(`${plural(game.left, "free cell")} to go.`);
    }
  }

  /** Dig what single numbers prove, until they prove nothing. */
  goOn() {
    const { game } = this;
    while (game.status === "playing") {
      const safe = obvious(game.field, game.labels).filter((cell) => !game.flags[cell]);
      if (!safe.length) return;
      for (const cell of safe) rules.dig(game, cell, this.elapsed());
    }
  }

  /** Have the mines placed for a first dig. @param {number} cell */
  async lay(cell) {
    const { game, wish } = this;
    if (game.flags[cell]) return false;
    if (wish.start !== undefined && game.field.index(wish.start) !== cell) {
      this.say(`This board begins at ${place(wish.start)}.`);
      return false;
    }
    const slow = window.setTimeout(() => this.say(wish.noGuess ? "Looking for a board that needs no guess …" : "Laying mines …"), 200);
    try {
      const answer = await this.creating.ask((signal) => this.app.engine.create(wish, game.field.names[cell], signal));
      if (this.game !== game) return false;
      rules.lay(game, answer.layout.map(game.field.index));
      return true;
    } catch (error) {
      if (!isStale(error)) this.fail(error);
      return false;
    } finally {
      window.clearTimeout(slow);
    }
  }

  /** @param {number} cell */
  flag(cell) {
    if (!rules.flag(this.game, cell, this.elapsed())) return;
    const set = this.game.flags[cell];
    announce(`${set ? "Flag at" : "No flag at"} ${cellName(this.game.field, cell)}. ${rules.minesLeft(this.game)} mines left.`);
    this.app.changed();
  }

  undo() {
    this.watcher.pause();
    const move = rules.undo(this.game);
    if (!move) return this.say("There is nothing to take back.");
    if (move.kind !== "flag") this.helped.undone += 1;
    if (this.playing && !this.began && this.game.moves.length) this.began = performance.now() - this.spent;
    this.app.review.close();
    this.moved();
    return this.say(`Taken back: ${move.kind} at ${shortName(this.game.field, move.cell)}.`);
  }

  moved() {
    this.marks = { ...noMarks() };
    this.app.why.close();
    if (!this.playing) {
      this.spent = this.elapsed();
      this.began = 0;
      this.watcher.pause();
    }
    this.help.moved();
    this.app.changed();
  }

  won() {
    const helped = [];
    if (this.helped.hints) helped.push(plural(this.helped.hints, "hint"));
    if (this.helped.undone) helped.push(`${this.helped.undone} undone`);
    this.say(`Won in ${(this.spent / 1000).toFixed(1)} s${helped.length ? ` with ${helped.join(" and ")}` : ""}.`);
    announce("Won!");
    this.app.boards.solved(this.wish, this.spent);
    this.app.review.offer(this.record());
  }

  /** @param {any} labels before the last dig */
  lost(labels) {
    this.say("A mine. Undo takes the dig back.");
    announce("A mine: lost. Undo takes the dig back.");
    this.app.review.offer(this.record());
    this.help.lost(labels);
  }

  /** The game as a review takes it. */
  record() {
    const { game, wish } = this;
    const { names, spec } = game.field;
    return {
      board: { topology: spec, mines: game.mines },
      layout: names.filter((_, cell) => game.mined?.[cell]),
      moves: game.moves.map(({ kind, cell }) => [kind, names[cell]]),
      rule: wish.rule,
    };
  }

  // --- what is said ------------------------------------------------------------------------------

  /** @param {string} sentence */
  say(sentence) {
    $("message").textContent = sentence;
  }

  /** @param {unknown} error */
  fail(error) {
    this.say(wordsOf(error));
    notify(wordsOf(error), "wrong");
  }

  elapsed() {
    return this.began ? performance.now() - this.began : this.spent;
  }

  tick() {
    if (this.began) $("time").textContent = clock(this.elapsed());
  }

  /** The title and the gauges. */
  gauges() {
    const { game, wish } = this;
    $("title").textContent = wish.title;
    $("mines-left").textContent = String(rules.minesLeft(game));
    $("time").textContent = clock(this.elapsed());
    $("bv").textContent = game.threeBV ? String(game.threeBV) : "–";
    button("undo").disabled = !game.moves.length;
    button("same").disabled = !game.mined;
  }
}
