// What single numbers say: safe cells that nobody needs to think about. Fast play digs them by itself.

import { COVERED } from "./labels.js";

/**
 * Cells that are safe because a number has all its mines, which numbers prove that have no other place for theirs.
 * @param {import("./types.js").Field} field
 * @param {Int16Array} labels
 * @returns {number[]}
 */
export function obvious(field, labels) {
  const mined = new Uint8Array(field.size);
  const covered = (/** @type {number} */ cell) => field.neighbours[cell].filter((near) => labels[near] === COVERED);
  const numbers = [...labels.keys()].filter((cell) => labels[cell] >= 0 && covered(cell).length);
  for (const cell of numbers) {
    const around = covered(cell);
    if (around.length === labels[cell]) for (const near of around) mined[near] = 1;
  }
  const safe = new Set();
  for (const cell of numbers) {
    const around = covered(cell);
    if (around.filter((near) => mined[near]).length === labels[cell]) for (const near of around) if (!mined[near]) safe.add(near);
  }
  return [...safe];
}
