// Why one dig is better than another where nothing is certain: survival, what it tells, and the chance to win.

import { percent } from "./text.js";

export const CANDIDATES = 3;

/**
 * A dig that was compared, in words.
 * @param {any} dig as the engine tells it
 * @param {boolean} chosen by the champion
 */
export function reason(dig, chosen) {
  const { survival, progress, wins } = dig;
  const parts = [`survives with ${percent(survival.probability)}`];
  const helps = survival.probability ? progress.probability / survival.probability : 0;
  parts.push(helps > 0 ? `then something is certain with ${percent(helps)}` : "then nothing is certain");
  if (wins) parts.push(`wins with ${percent(wins.probability)}${wins.exact.length < 12 ? ` (${wins.exact})` : ""} at best play`);
  if (chosen) parts.push("the champion digs here");
  return parts.join("; ");
}

/**
 * What a dig may show, most likely first: pairs of a number and its chance.
 * @param {any} dig
 * @returns {[number, {probability: number, exact: string}][]}
 */
export function shows(dig) {
  return Object.entries(dig.numbers).map(([number, chance]) => [Number(number), /** @type {any} */ (chance)]);
}
