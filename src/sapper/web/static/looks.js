// What a cell looks like, whatever its size: its colour, and the sign that says the same without colour.

import { MINED, NOTHING, SAFE } from "./findings.js";
import { COVERED, FREE, MINE } from "./labels.js";
import { ramp } from "./theme.js";

/** @typedef {import("./types.js").Picture} Picture */
/** @typedef {{context: CanvasRenderingContext2D, picture: Picture, theme: import("./theme.js").Colours, unit: number, left: number, top: number, stamps: import("./stamps.js").Stamps}} Brush */
/** @typedef {"" | "number" | "free" | "mine" | "flag" | "wrong" | "tick" | "chance"} Sign */

/** @param {Brush} brush @param {number} cell */
export function centre({ picture: { field }, unit, left, top }, cell) {
  return { x: field.x[cell] * unit - left, y: field.y[cell] * unit - top };
}

/** @param {Brush} brush @param {number} cell */
export function fillOf({ picture, theme }, cell) {
  const { labels, findings, odds, mined, marks } = picture;
  const value = labels[cell];
  if (cell === picture.exploded) return theme.blast;
  if (value === MINE) return theme.mine;
  if (value === FREE || value >= 0) return theme.opened;
  if (marks.world) return marks.world.has(cell) ? theme.mine : theme.opened;
  if (mined) return mined[cell] ? theme.mine : theme.covered;
  if (!odds || !findings) return theme.covered;
  const verdict = findings.verdict[cell];
  if (verdict === SAFE) return theme.safe;
  if (verdict === MINED) return theme.mine;
  const chance = findings.chance[cell];
  return verdict === NOTHING || Number.isNaN(chance) ? theme.covered : ramp(theme, chance);
}

/** @param {Picture} picture @param {number} cell @returns {Sign} */
export function signOf({ labels, flags, mined, findings, marks, odds }, cell) {
  const value = labels[cell];
  if (value > 0) return "number";
  if (value === 0) return "";
  if (value === FREE) return "free";
  if (value === MINE) return "mine";
  if (flags[cell] && !marks.world) return mined && !mined[cell] ? "wrong" : "flag";
  if (marks.world ? marks.world.has(cell) : mined?.[cell]) return "mine";
  if (marks.world || mined || !odds || !findings) return "";
  const verdict = findings.verdict[cell];
  if (verdict === SAFE) return "tick";
  if (verdict === MINED) return "mine";
  return verdict === NOTHING || Number.isNaN(findings.chance[cell]) ? "" : "chance";
}

/** How high a gauge stands in a cell that is too small for a number, in pixels. @param {Picture} picture @param {number} cell @param {number} unit */
export function levelOf({ findings, of }, cell, unit) {
  let chance = findings?.chance[cell] ?? NaN;
  if (of === "survival") chance = 1 - chance;
  if (of === "opening") chance = findings?.opening?.[cell] ?? NaN;
  return Number.isNaN(chance) ? 0 : Math.round(chance * (unit - 2));
}

/** A chance as a bar from the ground. @param {Brush} brush @param {number} x @param {number} y @param {number} level */
export function gauge({ context, theme, unit }, x, y, level) {
  const wide = Math.max(1, Math.round(unit / 4));
  context.fillStyle = theme.chanceFar;
  context.fillRect(x - wide / 2, y + unit / 2 - 1 - level, wide, level);
}
