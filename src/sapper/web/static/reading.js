// A position from anywhere: pasted, typed, dropped as a file or opened.

import { $, button, dialog, make, notify } from "./dom.js";
import { isStale, toBase64, wordsOf } from "./engine.js";
import { makeField } from "./field.js";

const MOST = 1_400_000; // bytes of a file; a third more in base64
const WORDS = { position: "The position was read.", clues: "The clues were read: each is a cell that touches its own.", layout: "The full board was read.", replay: "The game was read." };

export class Reading {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    const text = make("textarea", { id: "paste", "aria-labelledby": "paste-title", spellcheck: "false", placeholder: "mines: 10\n1??\n12?\n_1?" });
    this.text = /** @type {HTMLTextAreaElement} */ (text);
    const file = make("input", { type: "file", id: "file", "aria-label": "Open a file" });
    this.wrong = make("p", { class: "message wrong", role: "alert" });
    const form = make(
      "form",
      { method: "dialog" },
      make("h2", { id: "paste-title" }, "Paste or open a position"),
      make("p", { class: "small" }, "Text with 0–8, ? for covered, * for a mine; JSON; links and game IDs of other programs; board files and replays. Files can be dropped anywhere on the page."),
      text,
      this.wrong,
      file,
      make("div", { class: "ends" }, make("button", { type: "button", onclick: () => this.dismiss() }, "Cancel"), make("button", { type: "submit", class: "primary" }, "Analyse")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.read(this.text.value);
    });
    file.addEventListener("change", () => this.file(/** @type {HTMLInputElement} */ (file).files?.[0]));
    $("dialogs").append(make("dialog", { id: "paste-dialog", "aria-labelledby": "paste-title", oncancel: () => app.arriving.cancel() }, form));
    button("paste-open").addEventListener("click", () => this.open(""));
    document.addEventListener("paste", (event) => this.pasted(event));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const dropped = event.dataTransfer;
      if (dropped?.files.length) this.file(dropped.files[0]);
      else if (dropped) this.read(dropped.getData("text"));
    });
  }

  /** @param {string} text */
  open(text) {
    if (text) this.text.value = text;
    this.wrong.textContent = "";
    if (!dialog("paste-dialog").open) dialog("paste-dialog").showModal();
    this.text.focus();
  }

  /** Whoever closes calls off what is being read: the event of closing comes later, perhaps after a board. */
  dismiss() {
    this.app.arriving.cancel();
    dialog("paste-dialog").close();
  }

  /** Pasting anywhere but into a field is pasting a position. @param {ClipboardEvent} event */
  pasted(event) {
    if (event.target instanceof HTMLElement && event.target.matches("input, textarea")) return;
    const text = event.clipboardData?.getData("text") ?? "";
    const file = event.clipboardData?.files[0];
    if (text) this.read(text);
    else if (file) this.file(file);
  }

  /** @param {File | undefined} file */
  async file(file) {
    if (!file) return;
    if (file.size > MOST) return this.fail("The file is too large for the page; the command line reads it.", "");
    const source = async () => ({ data: toBase64(new Uint8Array(await file.arrayBuffer())), name: file.name });
    await this.take(source(), "");
  }

  /** @param {string} text */
  async read(text) {
    if (text.trim()) await this.take({ text }, text);
  }

  /** @param {import("./engine.js").Source | Promise<import("./engine.js").Source>} source @param {string} text to show again if it cannot be read */
  async take(source, text) {
    try {
      const found = await this.app.arriving.ask(async (signal) => this.app.engine.read(await source, signal));
      dialog("paste-dialog").close();
      this.show(found);
      notify([WORDS[/** @type {keyof typeof WORDS} */ (found.holds)], ...found.notes].join(" "));
    } catch (error) {
      if (!isStale(error)) this.fail(wordsOf(error), text);
    }
  }

  /** A game is gone through, a full board is played or analysed, whichever one was doing. @param {any} found */
  show(found) {
    const { app } = this;
    const plays = found.layout && (found.moves || app.last === "play");
    if (!plays) {
      app.analyse.load(found.holds === "clues" ? asGraph(found.position) : found.position);
      return app.setMode("analyse");
    }
    const { topology, mines } = found.position;
    const field = makeField(topology);
    const moves = (found.moves ?? []).map((/** @type {any[]} */ [kind, cell]) => [kind[0], field.index(cell), 0]);
    const wish = { topology, mines: mines ?? found.layout.length, rule: /** @type {"any"} */ ("any"), noGuess: false, grade: "", seed: 0, title: `From ${found.format}` };
    app.setMode("play");
    app.play.resume({ wish, layout: found.layout.map(field.index), moves, spent: 0, helped: { hints: 0, undone: 0 } });
    if (!moves.length && found.start !== null) app.play.suggest(field.index(found.start));
    return undefined;
  }

  /** @param {string} sentence @param {string} text */
  fail(sentence, text) {
    this.open(text);
    this.wrong.textContent = sentence;
  }
}

/**
 * Bare clues as a graph: each clue is an open cell that touches the cells it is about.
 * @param {any} system
 * @returns {import("./types.js").PositionDocument}
 */
function asGraph(system) {
  const clues = system.clues.map((/** @type {any} */ clue, /** @type {number} */ at) => ({ ...clue, name: `Σ${at + 1}` }));
  const edges = clues.flatMap((/** @type {any} */ clue) => clue.cells.map((/** @type {any} */ cell) => [clue.name, cell]));
  const labels = [...system.cells.map((/** @type {any} */ cell) => [cell, "?"]), ...clues.map((/** @type {any} */ clue) => [clue.name, clue.count])];
  return { topology: { kind: "graph", nodes: labels.map(([name]) => name), edges }, mines: system.mines, labels };
}
