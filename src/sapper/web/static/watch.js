// A strategy that plays: dig by dig, or one dig at a time.

import { button, input, make, select } from "./dom.js";
import { isStale, Latest } from "./engine.js";
import { SAFE } from "./findings.js";
import * as rules from "./rules.js";
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
    const found = play.help.findings ?? (await play.help.analyse());
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

  /** Let the strategy dig once. */
  async step() {
    const { play } = this;
    if (!play.playing) return false;
    const { game, wish } = play;
    const strategy = select("strategy").value;
    try {
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
