// Boards to come back for: the puzzle of the day, boards without guesses by grade, and single deductions.

import { $, card, input, make } from "./dom.js";
import { freshSeed } from "./rules.js";
import { GRADES, PRESETS, wishFor } from "./setup.js";
import { recallAll, remember } from "./theme.js";

/** From Sunday to Saturday: the week begins gently. */
const WEEK = ["fiendish", "easy", "easy", "tricky", "tricky", "hard", "hard"];
const DAILY = PRESETS.intermediate;
const FIELDS = [
  { title: "Torus", topology: { kind: "torus", width: 16, height: 16 }, mines: 40 },
  { title: "Hexagons", topology: { kind: "hex", width: 14, height: 14 }, mines: 34 },
  { title: "Knight moves", topology: { kind: "knight", width: 12, height: 12 }, mines: 18 },
];

export class Boards {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    this.fields = make("div", { class: "row" });
    $("boards-body").append(this.daily(), this.graded(), app.training.card(), this.gallery(), app.kept.card());
  }

  // --- the puzzle of the day ---------------------------------------------------------------------

  daily() {
    const today = localDate(new Date());
    const date = make("input", { type: "date", id: "date", value: today, max: today, min: "2020-01-01", oninput: () => this.showDay() });
    this.state = make("p", { class: "message", id: "daily-state" });
    const play = make("button", { type: "button", class: "primary", onclick: () => this.playDay(input("date").value || today) }, "Play");
    window.setTimeout(() => this.showDay());
    return card("daily", "Puzzle of the day", "The same board for everybody, no guess needed. Mondays are easy, Sundays are not.", make("label", { class: "stack" }, "Day", date), this.state, play);
  }

  showDay() {
    const day = input("date").value;
    const time = recallAll("days")[day];
    const grade = day ? WEEK[new Date(`${day}T12:00`).getDay()] : "";
    if (this.state) this.state.textContent = time ? `Solved in ${(time / 1000).toFixed(1)} s ✓` : `Grade: ${grade}`;
  }

  /** @param {string} day such as 2026-11-16 */
  playDay(day) {
    const wish = wishFor(DAILY, Number(day.replaceAll("-", "")));
    const start = [Math.floor(DAILY.height / 2), Math.floor(DAILY.width / 2)];
    const grade = WEEK[new Date(`${day}T12:00`).getDay()];
    this.play({ ...wish, rule: "zero", noGuess: true, grade, start, title: `Puzzle of ${day} · ${grade}` });
  }

  /** @param {import("./types.js").Wish} wish @param {number} time in milliseconds */
  solved(wish, time) {
    const day = /^Puzzle of (\d{4}-\d\d-\d\d)/.exec(wish.title)?.[1];
    if (!day) return;
    remember("days", JSON.stringify({ ...recallAll("days"), [day]: Math.round(time) }));
    this.showDay();
  }

  // --- no guess, by grade ------------------------------------------------------------------------

  graded() {
    const sizes = make("fieldset", { class: "choice" }, make("legend", {}, "Size"));
    for (const [value, { title }] of Object.entries(PRESETS)) {
      sizes.append(make("label", {}, make("input", { type: "radio", name: "graded", value, checked: value === "beginner" }), title));
    }
    const grades = make("div", { class: "row" });
    for (const grade of GRADES) grades.append(make("button", { type: "button", onclick: () => this.playGrade(grade) }, grade));
    return card("graded", "No guess, by grade", "Every cell can be decided by thought. The grade tells how hard the hardest thought is that you will need.", sizes, grades);
  }

  // --- other fields ------------------------------------------------------------------------------

  gallery() {
    for (const { title, topology, mines } of FIELDS) this.offer(title, topology, mines);
    return card("fields", "More places to play", "The same game where edges meet, where cells have six neighbours, and on graphs.", this.fields);
  }

  /** @param {string} title @param {Record<string, any>} topology @param {number} mines */
  offer(title, topology, mines) {
    const begin = () => this.play({ ...wishFor(DAILY, freshSeed()), topology, mines, title: `${title}, ${mines} mines` });
    this.fields.append(make("button", { type: "button", onclick: begin }, title));
  }

  /** @param {string} grade */
  playGrade(grade) {
    const size = /** @type {HTMLInputElement} */ (document.querySelector('[name="graded"]:checked')).value;
    const preset = PRESETS[/** @type {keyof typeof PRESETS} */ (size)];
    this.play({ ...wishFor(preset, freshSeed()), rule: "zero", noGuess: true, grade, title: `${preset.title} · ${grade}` });
  }

  /** @param {import("./types.js").Wish} wish */
  play(wish) {
    this.app.setMode("play");
    this.app.play.start(wish);
    this.app.board.activate(wish.start === undefined ? 0 : this.app.play.game.field.index(wish.start));
  }
}

/** @param {Date} date */
function localDate(date) {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
