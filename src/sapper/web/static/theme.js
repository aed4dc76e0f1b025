// Light, dark and high contrast; the colours of the board are read from the style sheet.

export const THEMES = ["auto", "light", "dark", "contrast"];

/** @param {string} name one of THEMES; `early.js` finds out what "auto" means */
export function setTheme(name) {
  remember("theme", name);
  window.dispatchEvent(new Event("themechoice"));
}

export function chosenTheme() {
  return recall("theme", "auto");
}

/** @typedef {ReturnType<typeof colours>} Colours */

export function colours() {
  const style = getComputedStyle(document.documentElement);
  const read = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  return {
    covered: read("covered"),
    edge: read("covered-edge"),
    opened: read("opened"),
    line: read("opened-line"),
    ink: read("ink"),
    muted: read("muted"),
    safe: read("safe"),
    mine: read("mine"),
    onSafe: read("on-safe"),
    onMine: read("on-mine"),
    flag: read("flag"),
    ring: read("ring"),
    focus: read("focus"),
    tint: read("tint"),
    blast: read("blast"),
    chanceInk: read("chance-ink"),
    chanceFar: read("chance-far"),
    ramp: ["ramp-low", "ramp-mid", "ramp-high"].map((name) => rgb(read(name))),
    numbers: Array.from({ length: 9 }, (_, number) => (number ? read(`number-${number}`) : "transparent")),
    flat: read("flat") === "1", // no shading, strong borders
  };
}

/** @param {string} hex */
function rgb(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** @type {WeakMap<Colours, string[]>} */
const mixes = new WeakMap();

/**
 * The colour of a cell that is a mine with some chance.
 * @param {Colours} theme
 * @param {number} chance
 */
export function ramp(theme, chance) {
  let known = mixes.get(theme);
  if (!known) mixes.set(theme, (known = Array.from({ length: 129 }, (_, step) => mix(theme, step / 128))));
  return known[Math.round(128 * chance)];
}

/** @param {Colours} theme @param {number} chance */
function mix(theme, chance) {
  const [one, other, share] = chance < 0.5 ? [0, 1, 2 * chance] : [1, 2, 2 * chance - 1];
  const mixed = theme.ramp[one].map((part, at) => Math.round(part + (theme.ramp[other][at] - part) * share));
  return `rgb(${mixed.join(" ")})`;
}

/**
 * Keep a preference on this machine; a browser that forbids it is fine.
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(`sapper.${name}`, value);
  } catch {
    // Preferences are then those of this visit.
  }
}

/**
 * @param {string} name
 * @param {string} fallback
 */
export function recall(name, fallback) {
  try {
    return localStorage.getItem(`sapper.${name}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/** What was kept by key under a name. @param {string} name @returns {Record<string, any>} */
export function recallAll(name) {
  try {
    return JSON.parse(recall(name, "{}"));
  } catch {
    return {};
  }
}
