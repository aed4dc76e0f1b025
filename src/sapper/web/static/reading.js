// A position from anywhere: pasted, typed, dropped as a file or opened.

import { $, button, dialog, make, notify } from "./dom.js";

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
      make("p", { class: "small" }, "Text with 0–8, ? for covered, * for a mine; JSON; links and game IDs of other programs. Files can be dropped anywhere on the page."),
      text,
      this.wrong,
      file,
      make("div", { class: "ends" }, make("button", { type: "button", onclick: () => dialog("paste-dialog").close() }, "Cancel"), make("button", { type: "submit", class: "primary" }, "Analyse")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.read(this.text.value);
    });
    file.addEventListener("change", () => this.file(/** @type {HTMLInputElement} */ (file).files?.[0]));
    $("dialogs").append(make("dialog", { id: "paste-dialog", "aria-labelledby": "paste-title" }, form));
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
    if (file.size > 2_000_000) return this.fail("The file is too large for the page; the command line reads it.", "");
    await this.read(await file.text());
  }

  /** @param {string} text */
  async read(text) {
    if (!text.trim()) return;
    try {
      const answer = await this.app.engine.read(text);
      const position = typeof answer.text === "string" ? JSON.parse(answer.text) : answer;
      if (!position.topology) return this.fail("This is a bare system of clues; the page shows boards and graphs. The command line answers it.", text);
      dialog("paste-dialog").close();
      this.app.analyse.load(position);
      this.app.setMode("analyse");
      notify("The position was read.");
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error), text);
    }
  }

  /** @param {string} sentence @param {string} text */
  fail(sentence, text) {
    this.open(text);
    this.wrong.textContent = sentence;
  }
}
