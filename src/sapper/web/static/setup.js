// Choosing a board: presets, any size, field, start rule, no guess, grade and seed.

import { $, button, dialog, input, make, select } from "./dom.js";
import { COVERED, writeLabels } from "./labels.js";
import { makeField } from "./field.js";
import { freshSeed } from "./rules.js";

/** @typedef {import("./types.js").Wish} Wish */

export const PRESETS = {
  beginner: { title: "Beginner", width: 9, height: 9, mines: 10 },
  intermediate: { title: "Intermediate", width: 16, height: 16, mines: 40 },
  expert: { title: "Expert", width: 30, height: 16, mines: 99 },
};

export const GRADES = ["trivial", "easy", "tricky", "hard", "fiendish"];

/**
 * @param {{title: string, width: number, height: number, mines: number}} preset
 * @param {number} seed
 * @returns {Wish}
 */
export function wishFor(preset, seed) {
  const { title, width, height, mines } = preset;
  return { topology: { kind: "grid", width, height }, mines, rule: "safe", noGuess: false, grade: "", seed, title };
}

export class Setup {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {"play" | "analyse"} */
    this.purpose = "play";
    /** @type {{name: string, title: string, topology: any, mines: number}[]} */
    this.gallery = [];
    $("dialogs").append(this.dialog());
    for (const one of document.querySelectorAll('[name="preset"]')) one.addEventListener("change", () => this.fill());
    for (const id of ["height", "width", "count"]) $(id).addEventListener("input", () => this.custom());
    $("density").addEventListener("input", () => {
      input("count").value = String(Math.round((Number(input("density").value) / 100) * this.cells));
      this.custom();
    });
    select("kind").addEventListener("input", () => {
      if (this.graph) input("count").value = String(this.graph.mines);
      this.custom();
    });
    input("no-guess").addEventListener("change", () => (select("grade").disabled = !input("no-guess").checked));
    button("choose").addEventListener("click", () => this.open("play"));
    button("blank-open").addEventListener("click", () => this.open("analyse"));
    $("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      dialog("setup").close();
      this.done();
    });
    this.fill();
    this.graphs();
  }

  /** Graphs that the engine knows join the choice of fields. */
  async graphs() {
    try {
      this.gallery = (await this.app.engine.gallery()).gallery;
    } catch {
      return; // The lattices are still there, and the first dig tells what is wrong.
    }
    const group = make("optgroup", { label: "Graphs" });
    for (const { name, title, topology, mines } of this.gallery) {
      group.append(make("option", { value: `graph:${name}` }, title));
      this.app.boards.offer(title, topology, mines);
    }
    select("kind").append(group);
  }

  /** The graph that is chosen, if one is. */
  get graph() {
    const kind = select("kind").value;
    return this.gallery.find(({ name }) => kind === `graph:${name}`);
  }

  dialog() {
    const radio = (/** @type {string} */ value, /** @type {string} */ title) =>
      make("label", {}, make("input", { type: "radio", name: "preset", value, checked: value === "beginner" }), title);
    const field = (/** @type {string} */ title, /** @type {HTMLElement} */ control) => make("label", {}, title, control);
    const options = (/** @type {string} */ id, /** @type {[string, string][]} */ values) =>
      make("select", { id }, ...values.map(([value, title]) => make("option", { value }, title)));
    const number = (/** @type {string} */ id, /** @type {number} */ least, /** @type {number} */ most) =>
      make("input", { id, type: "number", min: least, max: most, required: true, inputmode: "numeric" });
    return make(
      "dialog",
      { id: "setup", "aria-labelledby": "setup-title" },
      make(
        "form",
        { id: "setup-form", method: "dialog" },
        make("h2", { id: "setup-title" }, "Choose a board"),
        make("fieldset", { class: "choice" }, make("legend", {}, "Size"), ...Object.entries(PRESETS).map(([value, { title }]) => radio(value, title)), radio("custom", "Custom")),
        make(
          "div",
          { class: "fields" },
          field("Field", options("kind", [["grid", "Grid"], ["torus", "Torus"], ["hex", "Hexagons"], ["knight", "Knight moves"]])),
          field("Rows", number("height", 1, 300)),
          field("Columns", number("width", 1, 300)),
          field("Mines", number("count", 0, 90000)),
          field("or per cent", make("input", { id: "density", type: "number", min: 0, max: 100, step: "any", inputmode: "decimal" })),
        ),
        make(
          "div",
          { class: "fields", id: "rules" },
          field("First dig", options("rule", [["safe", "is never a mine"], ["zero", "opens an area"], ["any", "may be a mine"]])),
          field("Difficulty", options("grade", [["", "any"], ...GRADES.map((grade) => /** @type {[string, string]} */ ([grade, grade]))])),
          field("Seed", make("input", { id: "seed", inputmode: "numeric", pattern: "[0-9]{0,15}", placeholder: "random", title: "a whole number" })),
        ),
        make("label", { class: "check", id: "no-guess-label" }, make("input", { id: "no-guess", type: "checkbox" }), "can be solved without a guess"),
        make("label", { class: "check", id: "open-label" }, make("input", { id: "all-open", type: "checkbox" }), "all open, to set mines into it"),
        make("p", { class: "small", id: "setup-note" }),
        make(
          "div",
          { class: "ends" },
          make("button", { type: "button", onclick: () => dialog("setup").close() }, "Cancel"),
          make("button", { type: "submit", class: "primary" }, "Start"),
        ),
      ),
    );
  }

  /** @param {"play" | "analyse"} purpose */
  open(purpose) {
    this.purpose = purpose;
    const playing = purpose === "play";
    $("setup-title").textContent = playing ? "Choose a board" : "An empty position";
    for (const id of ["rules", "no-guess-label"]) $(id).hidden = !playing;
    $("open-label").hidden = playing;
    select("grade").disabled = !input("no-guess").checked;
    dialog("setup").showModal();
  }

  get preset() {
    return /** @type {HTMLInputElement} */ (document.querySelector('[name="preset"]:checked')).value;
  }

  /** Take the numbers of a preset. */
  fill() {
    if (!(this.preset in PRESETS)) return this.note();
    if (this.graph) select("kind").value = "grid";
    for (const id of ["height", "width"]) input(id).disabled = false;
    const { width, height, mines } = PRESETS[/** @type {keyof typeof PRESETS} */ (this.preset)];
    input("height").value = String(height);
    input("width").value = String(width);
    input("count").value = String(mines);
    return this.note();
  }

  /** A number was changed: this is no preset any more. */
  custom() {
    for (const id of ["height", "width"]) input(id).disabled = this.graph !== undefined;
    const numbers = ["height", "width", "count"].map((id) => Number(input(id).value));
    const match = Object.entries(PRESETS).find(([, one]) => one.height === numbers[0] && one.width === numbers[1] && one.mines === numbers[2]);
    const chosen = match && select("kind").value === "grid" ? match[0] : "custom";
    /** @type {HTMLInputElement} */ (document.querySelector(`[name="preset"][value="${chosen}"]`)).checked = true;
    this.note();
  }

  get cells() {
    return this.graph ? makeField(this.graph.topology).size : Number(input("height").value) * Number(input("width").value);
  }

  note() {
    const { cells } = this;
    input("count").max = String(cells);
    const density = cells ? Number(input("count").value) / cells : 0;
    if (document.activeElement !== input("density")) input("density").value = (100 * density).toFixed(1);
    $("setup-note").textContent = `${cells} cells, ${(100 * density).toFixed(1)} % of them mines.`;
  }

  /** @returns {Wish} */
  wish() {
    const kind = select("kind").value;
    const [width, height, mines] = ["width", "height", "count"].map((id) => Number(input(id).value));
    const known = this.preset in PRESETS && kind === "grid";
    const noGuess = input("no-guess").checked;
    const seed = input("seed").value.trim();
    const { graph } = this;
    const custom = graph ? `${graph.title}, ${mines} mines` : `${height} × ${width} ${kind}, ${mines} mines`;
    const title = known ? PRESETS[/** @type {keyof typeof PRESETS} */ (this.preset)].title : custom;
    return {
      topology: graph?.topology ?? { kind, width, height },
      mines,
      rule: /** @type {Wish["rule"]} */ (select("rule").value),
      noGuess,
      grade: noGuess ? select("grade").value : "",
      seed: seed === "" ? freshSeed() : Number(seed),
      title: noGuess ? `${title} · no guess` : title,
    };
  }

  done() {
    const wish = this.wish();
    if (this.purpose === "play") {
      this.app.play.start(wish);
      this.app.setMode("play");
      return;
    }
    const field = makeField(wish.topology);
    const open = input("all-open").checked;
    const labels = writeLabels(field, new Int16Array(field.size).fill(open ? 0 : COVERED));
    this.app.analyse.load({ topology: wish.topology, mines: open ? null : wish.mines, labels });
    if (!open) return;
    input("building").checked = true;
    this.app.analyse.choose("*");
  }
}
