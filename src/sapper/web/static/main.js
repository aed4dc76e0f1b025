// The page: one board, two modes that use it, and what is around them.

import { Analyse } from "./analyse.js";
import { Board } from "./board.js";
import { Boards } from "./boards.js";
import { $, announce, button } from "./dom.js";
import { httpEngine, Latest } from "./engine.js";
import { listen } from "./events.js";
import { Kept } from "./kept.js";
import { loadKeys } from "./keys.js";
import { loadOptions, odds, options } from "./options.js";
import { Overlay } from "./overlay.js";
import { Play } from "./play.js";
import { Reading } from "./reading.js";
import { Review } from "./review.js";
import { freshSeed } from "./rules.js";
import { Settings } from "./settings.js";
import { Share } from "./share.js";
import { PRESETS, Setup, wishFor } from "./setup.js";
import { Training } from "./training.js";
import { Why } from "./why.js";

/** @typedef {"play" | "analyse" | "boards" | "train"} Mode */

export class App {
  constructor() {
    loadKeys();
    loadOptions();
    this.engine = httpEngine();
    /** Boards that are still being read, from a link, a text or a file: what is done meanwhile calls them off. */
    this.arriving = new Latest();
    this.board = new Board();
    this.why = new Why(this.engine, () => this.draw());
    this.review = new Review(this);
    this.overlay = new Overlay(this);
    /** @type {Mode} */
    this.mode = "play";
    /** @type {"play" | "analyse"} whose board is behind the list of boards */
    this.last = "play";
    this.play = new Play(this, wishFor(PRESETS.beginner, freshSeed()));
    this.analyse = new Analyse(this, EXAMPLE);
    this.setup = new Setup(this);
    this.reading = new Reading(this);
    this.settings = new Settings(this);
    this.share = new Share(this);
    this.training = new Training(this);
    this.kept = new Kept(this);
    this.boards = new Boards(this);
    listen(this.board, () => this.current);
    for (const one of document.querySelectorAll("nav button")) {
      one.addEventListener("click", () => this.setMode(/** @type {Mode} */ (/** @type {HTMLElement} */ (one).dataset.mode)));
    }
    button("larger").addEventListener("click", () => this.board.zoom(1.2));
    button("smaller").addEventListener("click", () => this.board.zoom(1 / 1.2));
    button("fit").addEventListener("click", () => this.board.fit());
    button("full").hidden = !document.fullscreenEnabled;
    button("full").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
    document.addEventListener("fullscreenchange", () => button("full").setAttribute("aria-pressed", String(document.fullscreenElement !== null)));
    window.addEventListener("themechange", () => this.board.retheme());
    window.addEventListener("optionchange", () => this.draw());
    this.setMode("play");
    this.share.open(location.hash);
    window.addEventListener("hashchange", () => this.share.open(location.hash));
  }

  get current() {
    if (this.mode === "train") return this.training;
    return this.last === "analyse" ? this.analyse : this.play;
  }

  /** @param {Mode} mode */
  setMode(mode) {
    this.arriving.cancel();
    this.why.close();
    if (mode !== "train") this.training.latest.cancel(); // nobody waits for the next position any more
    this.mode = mode;
    if (mode === "play" || mode === "analyse") this.last = mode;
    const main = /** @type {HTMLElement} */ (document.querySelector("main"));
    main.dataset.mode = mode;
    for (const one of document.querySelectorAll("nav button")) {
      one.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.mode === (mode === "train" ? "boards" : mode)));
    }
    $("boards").hidden = mode !== "boards";
    $("gauges").hidden = mode !== "play";
    $("verdict").hidden = mode !== "analyse";
    $("touch-tools").hidden = mode !== "play";
    $("ask-tools").hidden = mode !== "analyse";
    if (mode === "analyse" && !this.analyse.findings) this.analyse.edited();
    this.changed();
    announce({ play: "Play", analyse: "Analyse", boards: "Boards", train: "Training" }[mode]);
  }

  /** Something of the state has changed: say so and draw it. */
  changed() {
    this.current?.gauges();
    this.share?.note();
    this.draw();
  }

  draw() {
    if (this.current) this.board.show(this.picture());
  }

  /** What is to be seen, as the player likes it. @returns {import("./types.js").Picture} */
  picture() {
    return { ...this.current.picture(), reduced: options.reduced && this.mode === "play", of: odds.of };
  }
}

/** The position that analysing begins with. */
const EXAMPLE = {
  topology: { kind: "grid", width: 9, height: 9 },
  mines: 10,
  labels: ["00001111?", "00001?111", "000011100", "000000000", "000000111", "1232101?2", "1???2123?", "12???????", "??1??????"],
};

const app = new App();
// For those who look under the bonnet, and for tests.
Object.assign(window, { sapper: app });
