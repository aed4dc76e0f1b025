// How a player likes it: kept in the browser, on this machine.

import { recall, remember } from "./theme.js";

/** Names of the switches with what they say; all are off at first. */
export const SWITCHES = /** @type {const} */ ({
  fast: "Dig by itself what a single number proves safe",
  strict: "Strict: no uncertain dig while another cell is certain",
  reduced: "Numbers count only mines that have no flag yet",
  survival: "Odds are those of survival, not of a mine",
});

/** @typedef {keyof typeof SWITCHES} Switch */

/** @type {Record<Switch, boolean>} */
export const options = { fast: false, strict: false, reduced: false, survival: false };

export function loadOptions() {
  const kept = recall("options", "").split(" ");
  for (const name of Object.keys(options)) options[/** @type {Switch} */ (name)] = kept.includes(name);
}

/** @param {Switch} name @param {boolean} on */
export function setOption(name, on) {
  options[name] = on;
  remember("options", Object.keys(options).filter((one) => options[/** @type {Switch} */ (one)]).join(" "));
  window.dispatchEvent(new Event("optionchange"));
}
