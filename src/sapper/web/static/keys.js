// Which key does what. Players may change it; letters act only while the board has the focus.

import { recall, remember } from "./theme.js";

/** Commands in the order in which they are listed, with their names and first keys. */
export const COMMANDS = /** @type {const} */ ({
  dig: ["Dig, or chord at a number", ["Enter", " "]],
  flag: ["Flag", ["f"]],
  chord: ["Chord", ["c"]],
  hint: ["Hint", ["h"]],
  why: ["Why?", ["w"]],
  odds: ["Show or hide the odds", ["o"]],
  undo: ["Undo", ["u"]],
  new: ["New game", ["n"]],
  up: ["Up", ["ArrowUp"]],
  down: ["Down", ["ArrowDown"]],
  left: ["Left", ["ArrowLeft"]],
  right: ["Right", ["ArrowRight"]],
  larger: ["Larger cells", ["+", "="]],
  smaller: ["Smaller cells", ["-"]],
});

/** @typedef {keyof typeof COMMANDS} Command */

/** @type {Map<string, Command>} */
const bound = new Map();

/** @param {Command} command @returns {string[]} */
export function keysOf(command) {
  return [...bound].filter(([, one]) => one === command).map(([key]) => key);
}

/** @param {KeyboardEvent} event @returns {Command | undefined} */
export function commandOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return bound.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
}

/**
 * Give a command one key, and take it from whatever had it.
 * @param {Command} command
 * @param {string} key
 * @returns {Command | undefined} the command that lost its key
 */
export function bind(command, key) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  const before = bound.get(name);
  for (const old of keysOf(command)) bound.delete(old);
  bound.set(name, command);
  remember("keys", JSON.stringify([...bound]));
  return before === command ? undefined : before;
}

/** Take the first keys again. */
export function resetKeys() {
  bound.clear();
  for (const [command, [, keys]] of Object.entries(COMMANDS)) for (const key of keys) bound.set(key, /** @type {Command} */ (command));
  remember("keys", "");
}

export function loadKeys() {
  const kept = recall("keys", "");
  resetKeys();
  if (!kept) return;
  try {
    const pairs = JSON.parse(kept);
    bound.clear();
    for (const [key, command] of pairs) if (command in COMMANDS) bound.set(key, command);
    remember("keys", kept);
  } catch {
    resetKeys();
  }
}

/** @param {string} key */
export function keyName(key) {
  return { " ": "Space", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" }[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
