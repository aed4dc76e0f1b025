// A strategy that plays: dig by dig, or one dig at a time.

import { button, input, make, select } from "./dom.js";
import { isStale, Latest } from "./engine.js";
import { readOpenings, SAFE } from "./findings.js";
import * as rules from "./rules.js";
import { STYLES, thrifty, unflagged } from "./styles.js";
import { shortName } from "./text.js";

const PACE = 320; // milliseconds between digs

export class Watcher {
  /** @param {import("./main.js").App} app @param {import("./play.js").Play} play */
  constructor(app, play) {
    this.app = app;
    this.play = play;
    this.moving = new Latest();
    this.timer = 0;
    this.going = false;
    button("step").addEventListener("click", () => this.step());
    button("watch").addEventListener("click", () => (this.going ? this.pause() : this.start()));
    select("style").append(...Object.entries(STYLES).map(([value, title]) => make("option", { value }, title)));
    this.list();
  }

  /** List the strategies that can be watched. */
  async list() {
    try {
      const { strategies } = await this.app.engine.about();
      select("strategy").append(...strategies.map((/** @type {string} */ name) => make("option", { selected: name === "champion" }, name)));
    } catch (error) {
      this.play.fail(error);
    }
  }

  start() {
    const { play } = this;
    if (!play.playing) play.start({ ...play.wish, seed: rules.freshSeed(), start: undefined });
    this.going = true;
    button("watch").textContent = "Pause";
    this.next();
  }

  /** Whether the strategy must wait for the player: nothing is certain, and it may not guess. */
  async stuck() {
    const { play } = this;
    if (!input("certain-only").checked || play.game.status !== "playing") return false;
    const found = await play.help.known();
    if (!found || found.verdict[found.best[0]] === SAFE) return false;
    play.say("Nothing is certain: it is your turn.");
    return true;
  }

  async next() {
    if (await this.stuck()) return this.pause();
    const went = this.going && (await this.step());
    if (went && this.play.playing && this.going) this.timer = window.setTimeout(() => this.next(), PACE);
    else this.pause();
    return undefined;
  }

  pause() {
    window.clearTimeout(this.timer);
    this.going = false;
    this.moving.cancel();
    button("watch").textContent = "Play";
  }

  /** What is certain, with the chances of openings if they count. @param {boolean} openings */
  async known(openings) {
    const { play } = this;
    const found = await play.help.known();
    if (!found || !openings || found.opening) return found;
    const answer = await this.moving.ask((signal) => this.app.engine.openings(play.position(), signal));
    found.opening = readOpenings(play.game.field, answer);
    return found;
  }

  /** Use what is certain, in the style that is chosen. @returns {Promise<boolean>} whether that was this step */
  async styled() {
    const { play } = this;
    const { game } = play;
    const style = /** @type {import("./styles.js").Style} */ (select("style").value);
    if (style === "digs" || game.status !== "playing") return false;
    const found = await this.known(style !== "flags");
    if (!found || play.game !== game) return false;
    if (style === "flags") {
      for (const cell of unflagged(game, found)) play.flag(cell);
      return false;
    }
    const plan = thrifty(style, game, found);
    if (!plan) return false;
    for (const cell of plan.flags) play.flag(cell);
    await play.open(plan.chord >= 0 ? plan.chord : plan.dig);
    if (play.playing) play.say(`${plan.chord >= 0 ? "Chord at" : "Dug"} ${shortName(game.field, Math.max(plan.chord, plan.dig))}.`);
    return true;
  }

  /** Let the strategy dig once. */
  async step() {
    const { play } = this;
    if (!play.playing) return false;
    const { game, wish } = play;
    const strategy = select("strategy").value;
    try {
      if (await this.styled()) return true;
      const answer = await this.moving.ask((signal) => this.app.engine.move(play.position(), strategy, wish.rule, wish.seed + game.moves.length, signal));
      if (play.game !== game) return false;
      const cells = answer.cells.map(game.field.index);
      for (const cell of cells) {
        if (game.flags[cell]) rules.flag(game, cell);
        await play.open(cell);
      }
      if (play.playing) {
        play.marks.hint = cells[0] ?? -1;
        const names = cells.slice(0, 4).map((/** @type {number} */ cell) => shortName(game.field, cell));
        play.say(`${strategy} dug ${names.join(", ")}${cells.length > 4 ? " …" : ""}.`);
        this.app.draw();
      }
      return cells.length > 0;
    } catch (error) {
      if (!isStale(error)) play.fail(error);
      return false;
    }
  }
}
