// What a finished game was like.

import { $, make } from "./dom.js";

export class Review {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {any} record */
  offer(record) {
    const { game, spent } = this.app.play;
    const digs = record.moves.filter((/** @type {any[]} */ move) => move[0] !== "flag").length;
    const flags = record.moves.length - digs;
    const seconds = spent / 1000;
    const facts = make("dl", { class: "facts" });
    const row = (/** @type {string} */ name, /** @type {string} */ value) => facts.append(make("dt", {}, name), make("dd", {}, value));
    row("Time", `${seconds.toFixed(1)} s`);
    row("Clicks", `${digs} digs and chords, ${flags} flags`);
    row("3BV", String(game.threeBV));
    if (game.status === "won") {
      if (seconds > 0) row("3BV per second", (game.threeBV / seconds).toFixed(2));
      row("Efficiency", `${Math.round((100 * game.threeBV) / record.moves.length)} %`);
    }
    $("review-body").replaceChildren(facts);
    $("review").hidden = false;
  }

  close() {
    $("review").hidden = true;
  }
}
