// Why one dig is better than another where nothing is certain: survival, progress, and what the champion would do.

import { SAFE } from "./findings.js";
import { percent } from "./text.js";

/** @typedef {import("./types.js").PositionDocument} PositionDocument */

const MOST = 1200; // cells of a board for which progress is worked out
export const CANDIDATES = 3;

/**
 * @typedef {object} Asked
 * @property {import("./engine.js").Engine} engine
 * @property {import("./types.js").Field} field
 * @property {Int16Array} labels
 * @property {(labels: Int16Array) => PositionDocument} document
 * @property {number} mines −1 if the total is free
 */

/**
 * The chance that, after a dig that is survived, some cell is certainly safe: exact, over all numbers the dig may show.
 * @param {Asked} asked
 * @param {number} cell
 * @param {AbortSignal} signal
 * @returns {Promise<number | null>} null if it is not known
 */
export async function progress(asked, cell, signal) {
  const { engine, field, labels, document } = asked;
  if (field.size > MOST) return null;
  let [all, good] = [0n, 0n];
  for (let number = 0; number <= field.neighbours[cell].length; number++) {
    const then = labels.slice();
    then[cell] = number;
    const answer = await engine.analyse(document(then), signal);
    if (answer.consistent === false) continue;
    if (!answer.count_text) return null;
    const worlds = BigInt(answer.count_text);
    all += worlds;
    if (answer.cells.some((/** @type {any} */ entry) => entry.verdict === "safe")) good += worlds;
  }
  return all ? Number((good * 1_000_000n) / all) / 1e6 : null;
}

/**
 * What the strongest strategy digs.
 * @param {Asked} asked
 * @param {AbortSignal} signal
 * @returns {Promise<number>} −1 if the number of mines is not known, which it needs
 */
export async function champion(asked, signal) {
  if (asked.mines < 0) return -1;
  const answer = await asked.engine.move(asked.document(asked.labels), "champion", "safe", 0, signal);
  return asked.field.index(answer.cells[0]);
}

/**
 * @param {import("./types.js").Findings} findings
 * @param {number} cell
 * @param {number | null} [helps] the chance of progress
 * @param {boolean} [chosen] by the champion
 */
export function reason(findings, cell, helps = null, chosen = false) {
  if (findings.verdict[cell] === SAFE) return "certainly safe";
  const parts = [`survives with ${percent(1 - findings.chance[cell])}`];
  if (helps !== null) parts.push(helps > 0 ? `then something is certain with ${percent(helps)}` : "then nothing is certain");
  if (chosen) parts.push("the champion digs here");
  return parts.join("; ");
}
