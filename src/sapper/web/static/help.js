// Help while a game is played: odds, hints, reasons, and what could have been known when it was lost.

import { announce, button } from "./dom.js";
import { isStale, Latest } from "./engine.js";
import { readFindings, SAFE } from "./findings.js";
import { options } from "./options.js";
import { percent, shortName } from "./text.js";

export class Help {
  /** @param {import("./main.js").App} app @param {import("./play.js").Play} play */
  constructor(app, play) {
    this.app = app;
    this.play = play;
    this.latest = new Latest();
    this.odds = false;
    /** Whether the next cell that is chosen is asked about, not dug. */
    this.asking = false;
    /** @type {import("./types.js").Findings | null} */
    this.findings = null;
    /** Whether a move came after the findings. */
    this.old = false;
    button("hint").addEventListener("click", () => this.hint());
    button("odds").addEventListener("click", () => this.toggleOdds());
    button("why-here").addEventListener("click", () => this.pick());
    button("analyse-this").addEventListener("click", () => this.analyseThis());
  }

  forget() {
    this.latest.cancel();
    this.findings = null;
    this.ask(false);
  }

  /** After a move: what was known of the last position is old. */
  moved() {
    this.ask(false);
    this.old = true;
    if (this.odds && this.play.playing) this.analyse();
    else {
      this.latest.cancel();
      this.findings = null;
    }
  }

  toggleOdds() {
    this.odds = !this.odds;
    button("odds").setAttribute("aria-pressed", String(this.odds));
    if (this.odds && this.play.playing) this.analyse();
    announce(this.odds ? "Odds are shown." : "Odds are hidden.");
    this.app.draw();
  }

  /** What is known of the position as it is now; undefined if the player went on before that was found. */
  async known() {
    return this.findings && !this.old ? this.findings : this.analyse();
  }

  /** @returns {Promise<import("./types.js").Findings | null | undefined>} */
  async analyse() {
    const { game } = this.play;
    try {
      const answer = await this.latest.ask((signal) => this.app.engine.analyse(this.play.position(), signal));
      this.findings = readFindings(game.field, answer);
      this.old = false;
      if (this.odds) this.app.overlay.follow(this.findings, this.play.position());
      this.app.draw();
      return this.findings;
    } catch (error) {
      if (isStale(error)) return undefined;
      this.findings = null;
      this.play.fail(error);
      return null;
    }
  }

  async hint() {
    const { play } = this;
    if (!play.playing) return play.say("The game is over. New game begins another.");
    if (play.game.status === "ready") return play.say("Dig anywhere to begin.");
    play.helped.hints += 1;
    const found = await this.known();
    if (!found) return undefined;
    const cell = await this.best(found);
    if (found !== this.findings || this.old) return undefined; // the player went on
    if (cell === undefined) return play.say("Nothing is left to dig.");
    play.marks.hint = cell;
    const name = shortName(play.game.field, cell);
    const flagged = play.game.flags[cell] ? " (it has a flag)" : "";
    this.app.board.activate(cell, true);
    this.app.draw();
    if (found.verdict[cell] === SAFE) return play.say(`${name} is safe${flagged}. Why? tells the reason.`);
    return play.say(`Nothing is certain. Best is ${name}, a mine with ${percent(found.chance[cell])}${flagged}.`);
  }

  /** A safe cell, or the guess that the strongest strategy makes. @param {import("./types.js").Findings} found */
  async best(found) {
    const [first] = found.best;
    if (first === undefined || found.verdict[first] === SAFE) return first;
    const { game, wish } = this.play;
    try {
      const answer = await this.app.engine.move(this.play.position(), "champion", wish.rule, wish.seed);
      return game.field.index(answer.cells[0]);
    } catch {
      return first;
    }
  }

  /** Ask why: about the hint if there is one, else about the next cell that is chosen. */
  pick() {
    const { play } = this;
    if (play.marks.hint >= 0 && play.playing) return this.why(play.marks.hint);
    if (!play.playing) return play.say("The game is over. Undo goes back to where something was covered.");
    this.ask(!this.asking);
    return play.say(this.asking ? "Choose the cell to ask about." : "");
  }

  /** @param {boolean} on */
  ask(on) {
    this.asking = on;
    button("why-here").setAttribute("aria-pressed", String(on));
  }

  /** @param {number} cell */
  why(cell) {
    const { play } = this;
    this.ask(false);
    if (!play.playing) return play.say("The game is over. Undo goes back to where something was covered.");
    const { field, labels } = play.game;
    return this.app.why.ask({ field, labels, position: play.position(), marks: play.marks }, cell);
  }

  /** Take the position to the other mode. */
  analyseThis() {
    this.app.analyse.load(this.play.position());
    this.app.setMode("analyse");
  }

  /**
   * Whether strict play allows a dig: not one that is uncertain while another is safe.
   * @param {number} cell
   */
  async allows(cell) {
    const { play } = this;
    if (!options.strict || play.game.status !== "playing" || !play.game.moves.some(({ kind }) => kind !== "flag")) return true;
    const found = await this.known();
    if (found === undefined) return false;
    if (!found || found.verdict[cell] === SAFE || found.verdict[found.best[0]] !== SAFE) return true;
    play.say(`Strict play: ${shortName(play.game.field, cell)} is not certainly safe, and another cell is.`);
    return false;
  }

  /** Say whether a loss could have been avoided. @param {any} labels before the last dig */
  async lost(labels) {
    const { play } = this;
    const { game } = play;
    try {
      const position = { topology: game.field.spec, mines: game.mines, labels };
      const found = readFindings(game.field, await this.latest.ask((signal) => this.app.engine.analyse(position, signal)));
      if (play.game !== game || game.status !== "lost") return;
      const dug = found.chance[game.exploded];
      const best = found.best[0];
      const name = shortName(game.field, best);
      if (game.moves.length < 2 && game.moves[0]?.kind === "dig") play.say("A mine at the first dig: bad luck. Undo takes it back.");
      else if (found.verdict[best] === SAFE) play.say(`A mine (${percent(dug)}). ${name} was safe. Undo takes the dig back.`);
      else if (dug > found.chance[best]) play.say(`A mine, with a chance of ${percent(dug)}. Nothing was certain, but ${name} had only ${percent(found.chance[best])}. Undo takes the dig back.`);
      else play.say(`A mine, with a chance of ${percent(dug)}. No dig was safer: bad luck. Undo goes on.`);
    } catch (error) {
      if (!isStale(error)) play.say("A mine. Undo takes the dig back.");
    }
  }
}
