// How a strategy that is watched uses what is certain: digs alone, flags too, or as few clicks as it can.

import { MINED, SAFE } from "./findings.js";
import { COVERED } from "./labels.js";

export const STYLES = /** @type {const} */ ({
  digs: "digs only",
  flags: "flags certain mines",
  chords: "few clicks",
  bare: "few clicks, no flags",
});

/** @typedef {keyof typeof STYLES} Style */

/**
 * Clicks to make before anything else is asked.
 * @typedef {object} Plan
 * @property {number[]} flags cells to flag
 * @property {number} chord the number to chord at then, or −1
 * @property {number} dig the cell to dig then, or −1
 */

/**
 * Mines that are certain and have no flag.
 * @param {import("./types.js").Game} game
 * @param {import("./types.js").Findings} findings
 */
export function unflagged(game, findings) {
  return [...game.labels.keys()].filter((cell) => findings.verdict[cell] === MINED && game.labels[cell] === COVERED && !game.flags[cell]);
}

/**
 * The clicks that uncover most for their number, or null if nothing is certainly safe.
 * @param {Style} style
 * @param {import("./types.js").Game} game
 * @param {import("./types.js").Findings} findings with the chances of openings
 * @returns {Plan | null}
 */
export function thrifty(style, game, findings) {
  const chord = style === "chords" ? bestChord(game, findings) : null;
  if (chord) return chord;
  const { field } = game;
  const opening = (/** @type {number} */ cell) => findings.opening?.[cell] || 0;
  // A cell that a neighbour may open costs a click for nothing.
  const gain = (/** @type {number} */ cell) => opening(cell) - Math.max(0, ...field.neighbours[cell].map(opening));
  const safe = [...game.labels.keys()].filter((cell) => findings.verdict[cell] === SAFE && !game.flags[cell]);
  if (!safe.length) return null;
  const dig = safe.reduce((best, cell) => (gain(cell) > gain(best) ? cell : best));
  return { flags: [], chord: -1, dig };
}

/**
 * The chord that saves most clicks: cells that it uncovers, less itself and the flags it needs.
 * @param {import("./types.js").Game} game
 * @param {import("./types.js").Findings} findings
 * @returns {Plan | null}
 */
function bestChord(game, findings) {
  let best = null;
  let most = 1; // one dig is worth one cell for one click, so a chord must save something
  for (const [cell, number] of game.labels.entries()) {
    if (number <= 0) continue;
    const covered = game.field.neighbours[cell].filter((near) => game.labels[near] === COVERED);
    const mines = covered.filter((near) => findings.verdict[near] === MINED);
    const wrong = covered.some((near) => game.flags[near] && findings.verdict[near] !== MINED);
    if (mines.length !== number || wrong) continue;
    const flags = mines.filter((near) => !game.flags[near]);
    const saved = covered.length - mines.length - flags.length;
    if (saved > most) [best, most] = [{ flags, chord: cell, dig: -1 }, saved];
  }
  return best;
}
