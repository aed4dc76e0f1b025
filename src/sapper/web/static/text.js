// Numbers and cells in words. Nothing that is uncertain is ever shown as 0 or 100 per cent.

import { COVERED, FREE, MINE } from "./labels.js";
import { NOTHING, SAFE, UNKNOWN } from "./findings.js";

/** @typedef {import("./types.js").Field} Field */

/**
 * The chance of a mine in at most three characters, for a cell.
 * @param {number} chance
 */
function short(chance) {
  const percent = 100 * chance;
  if (percent < 1) return "<1";
  if (percent > 99) return ">99";
  return String(Math.round(percent));
}

/**
 * The chance of a mine for a sentence.
 * @param {number} chance
 */
export function percent(chance) {
  if (chance <= 0) return "0 %";
  if (chance >= 1) return "100 %";
  const value = 100 * chance;
  if (value < 0.1) return "less than 0.1 %";
  if (value > 99.9) return "more than 99.9 %";
  return `${value.toFixed(1).replace(/\.0$/, "")} %`;
}

/** @param {number} chance */
function spoken(chance) {
  const value = 100 * chance;
  if (value < 1) return "less than 1 per cent";
  if (value > 99) return "more than 99 per cent";
  return `${Math.round(value)} per cent`;
}

/**
 * A whole number of any length, for people: grouped, or rounded with its power of ten.
 * @param {string} digits
 */
export function count(digits) {
  if (digits.length <= 12) return digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const exponent = digits.length - 1;
  const shown = Number(`${digits[0]}.${digits.slice(1, 17)}`).toFixed(3);
  return shown === "10.000" ? `1.000 × 10${superscript(exponent + 1)}` : `${shown} × 10${superscript(exponent)}`;
}

/** @param {number} value */
function superscript(value) {
  return String(value).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
}

/**
 * A fraction that may be very long; both parts are cut if they would not fit on a line.
 * @param {string} exact such as "1/3"
 */
export function fraction(exact) {
  return exact.split("/").map((part) => (part.length > 15 ? count(part) : part)).join(" / ");
}

/** @param {number} number @param {string} word */
export function plural(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** @param {number} milliseconds */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes}:${String(seconds % 60).padStart(2, "0")}` : String(seconds);
}

/** @param {Field} field @param {number} cell */
export function cellName(field, cell) {
  const name = field.names[cell];
  if (field.shape !== "circle") {
    const words = name.length === 3 ? ["layer", "row", "column"] : ["row", "column"];
    return words.map((word, at) => `${word} ${name[at]}`).join(", ");
  }
  return `cell ${typeof name === "object" ? JSON.stringify(name) : name}`;
}

/** @param {Field} field @param {number} cell the same as sentences of the engine have it */
export function shortName(field, cell) {
  return place(field.names[cell]);
}

/** @param {import("./types.js").Name} name */
export function place(name) {
  return Array.isArray(name) ? `(${name.join(", ")})` : String(name);
}

/**
 * What a screen reader says of a cell, such as 'row 3, column 4, covered, 12 per cent'.
 * @param {import("./types.js").Picture} picture
 * @param {number} cell
 * @param {boolean} [precise] with a digit behind the point
 */
export function label(picture, cell, precise = false) {
  const parts = [cellName(picture.field, cell), state(picture, cell)];
  const { marks, findings, odds } = picture;
  if (odds && findings && picture.labels[cell] === COVERED && !picture.mined) {
    const verdict = findings.verdict[cell];
    const say = precise ? percent : spoken;
    if (verdict === UNKNOWN && !Number.isNaN(findings.chance[cell])) {
      parts.push(picture.of === "survival" ? `${say(1 - findings.chance[cell])} to survive` : say(findings.chance[cell]));
    } else if (verdict !== NOTHING && verdict !== UNKNOWN) parts.push(verdict === SAFE ? "certainly safe" : "certainly a mine");
    const opening = openingOf(picture, cell);
    if (opening === 0 || opening === 1) parts.push(opening ? "opens an area" : "cannot open an area");
    else if (!Number.isNaN(opening)) parts.push(`opens an area with ${say(opening)}`);
  }
  if (marks.clues.has(cell)) parts.push("part of the reason");
  if (marks.hint === cell) parts.push("hint");
  if (marks.target === cell) parts.push("asked about");
  if (marks.world) {
    if (marks.world.has(cell)) parts.push("a mine in this world");
    else if (picture.labels[cell] === COVERED) parts.push("free in this world");
  }
  return parts.join(", ");
}

/**
 * The chance that a cell opens an area; NaN where that is not known or not asked.
 * @param {import("./types.js").Picture} picture
 * @param {number} cell
 */
function openingOf({ of, findings }, cell) {
  return of === "opening" && findings?.opening ? findings.opening[cell] : NaN;
}

/**
 * The chance to write into an undecided or safe cell; empty where there is none.
 * @param {import("./types.js").Picture} picture
 * @param {number} cell
 */
export function chanceShown(picture, cell) {
  const { findings, of } = picture;
  const chance = of === "opening" ? openingOf(picture, cell) : (findings?.chance[cell] ?? NaN);
  if (Number.isNaN(chance)) return "";
  // Only of openings it is known that nought is nought.
  if (of === "opening") return chance === 0 ? "0" : chance === 1 ? "100" : short(chance);
  return findings?.verdict[cell] === UNKNOWN ? short(of === "survival" ? 1 - chance : chance) : "";
}

/**
 * The number of a cell as it is shown: less the flags around it, if the player likes that.
 * @param {import("./types.js").Picture} picture
 * @param {number} cell
 */
export function numberShown({ field, labels, flags, reduced }, cell) {
  return reduced ? labels[cell] - field.neighbours[cell].reduce((sum, near) => sum + flags[near], 0) : labels[cell];
}

/** @param {import("./types.js").Picture} picture @param {number} cell */
function state(picture, cell) {
  const value = picture.labels[cell];
  const mined = picture.mined?.[cell];
  if (cell === picture.exploded) return "exploded mine";
  if (value === COVERED) {
    const wrong = picture.mined && !mined;
    if (picture.flags[cell]) return wrong ? "wrong flag" : "flagged";
    return mined ? "mine" : "covered";
  }
  if (value === MINE) return "known mine";
  if (value === FREE) return "known free";
  return value === 0 ? "empty" : String(numberShown(picture, cell));
}
