// How a player likes it: kept in the browser, on this machine.

import { recall, remember } from "./theme.js";

/** Names of the switches with what they say; all are off at first. */
export const SWITCHES = /** @type {const} */ ({
  fast: "Dig by itself what a single number proves safe",
  strict: "Strict: no uncertain dig while another cell is certain",
  reduced: "Numbers count only mines that have no flag yet",
});

/** What odds can be of, as the page says it. */
export const ODDS = /** @type {const} */ ({ mine: "a mine", survival: "survival", opening: "an opening" });

/** @typedef {keyof typeof SWITCHES} Switch */

/** @typedef {keyof typeof ODDS} Odds */

/** @type {Record<Switch, boolean>} */
export const options = { fast: false, strict: false, reduced: false };

/** @type {{of: Odds}} what the odds on the board are of */
export const odds = { of: "mine" };

export function loadOptions() {
  const kept = recall("options", "").split(" ");
  for (const name of Object.keys(options)) options[/** @type {Switch} */ (name)] = kept.includes(name);
  const of = recall("odds", "mine");
  if (of in ODDS) odds.of = /** @type {Odds} */ (of);
}

/** @param {Odds} of */
export function setOdds(of) {
  odds.of = of;
  remember("odds", of);
  window.dispatchEvent(new Event("optionchange"));
}

/** @param {Switch} name @param {boolean} on */
export function setOption(name, on) {
  options[name] = on;
  remember("options", Object.keys(options).filter((one) => options[/** @type {Switch} */ (one)]).join(" "));
  window.dispatchEvent(new Event("optionchange"));
}
