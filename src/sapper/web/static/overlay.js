// What the odds on the board are of: a mine, survival, or an opening, whose chances are asked for only when they are seen.

import { announce, make, notify } from "./dom.js";
import { isStale, Latest, wordsOf } from "./engine.js";
import { readOpenings } from "./findings.js";
import { ODDS, odds, setOdds } from "./options.js";

/** @typedef {import("./types.js").Findings} Findings */

export class Overlay {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    this.latest = new Latest();
    /** @type {NodeListOf<HTMLSelectElement>} */
    this.choices = document.querySelectorAll("select.odds-of");
    for (const choice of this.choices) {
      choice.append(...Object.entries(ODDS).map(([of, title]) => make("option", { value: of, selected: of === odds.of }, title)));
      choice.addEventListener("change", () => this.choose(/** @type {import("./options.js").Odds} */ (choice.value)));
    }
  }

  /** @param {import("./options.js").Odds} of */
  choose(of) {
    for (const choice of this.choices) choice.value = of;
    setOdds(of);
    const { current, play } = this.app;
    if (current === play && !play.help.odds) play.help.toggleOdds();
    announce(`Odds of ${ODDS[of]}.`);
    const { findings } = current.picture();
    if (findings) this.follow(findings, current.position());
  }

  /** Have the chances of openings too, if they are to be seen. @param {Findings} findings @param {import("./types.js").PositionDocument} position */
  async follow(findings, position) {
    if (odds.of !== "opening" || findings.opening || findings.consistent === false) return;
    const { field } = this.app.current.picture();
    try {
      findings.opening = readOpenings(field, await this.latest.ask((signal) => this.app.engine.openings(position, signal)));
      this.app.draw();
    } catch (error) {
      if (!isStale(error)) notify(`Openings: ${wordsOf(error)}`, "wrong");
    }
  }
}
