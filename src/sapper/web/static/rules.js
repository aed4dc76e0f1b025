// The rules of the game: dig, flag, chord, the cascade at a zero, undo. As in `sapper.game`: a flag protects
// its cell from digs and cascades, and what would do nothing is no move.

import { COVERED, MINE } from "./labels.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Field} Field */

/**
 * A game whose mines are placed after the first dig.
 * @param {Field} field
 * @param {number} mines
 * @returns {Game}
 */
export function newGame(field, mines) {
  return {
    field,
    mines,
    mined: null,
    labels: new Int16Array(field.size).fill(COVERED),
    flags: new Uint8Array(field.size),
    status: "ready",
    left: field.size - mines,
    exploded: -1,
    moves: [],
    threeBV: 0,
  };
}

/**
 * Put the mines where they are.
 * @param {Game} game
 * @param {Iterable<number>} mines
 */
export function lay(game, mines) {
  const mined = new Uint8Array(game.field.size);
  for (const cell of mines) mined[cell] = 1;
  game.mined = mined;
  game.mines = mined.reduce((sum, one) => sum + one, 0);
  game.left = game.field.size - game.mines - openedCells(game);
  game.threeBV = threeBV(game.field, mined);
  if (game.status === "ready") game.status = "playing";
}

/** @param {Game} game */
function openedCells(game) {
  return game.labels.reduce((sum, label) => sum + (label >= 0 ? 1 : 0), 0);
}

/** @param {Field} field @param {Uint8Array} mined @param {number} cell */
export function numberAt(field, mined, cell) {
  let number = 0;
  for (const near of field.neighbours[cell]) number += mined[near];
  return number;
}

/**
 * @param {Game} game
 * @param {number} cell
 * @param {number} [clock]
 * @returns {number[]} what was uncovered
 */
export function dig(game, cell, clock) {
  if (game.status !== "playing" || game.labels[cell] !== COVERED || game.flags[cell]) return [];
  const opened = uncover(game, [cell]);
  game.moves.push({ kind: "dig", cell, opened, clock });
  return opened;
}

/**
 * @param {Game} game
 * @param {number} cell
 * @param {number} [clock]
 * @returns {boolean} whether there was something to do
 */
export function flag(game, cell, clock) {
  if ((game.status !== "playing" && game.status !== "ready") || game.labels[cell] !== COVERED) return false;
  game.flags[cell] ^= 1;
  game.moves.push({ kind: "flag", cell, opened: [], clock });
  return true;
}

/**
 * Dig around a number that has its flags.
 * @param {Game} game
 * @param {number} cell
 * @param {number} [clock]
 * @returns {number[]}
 */
export function chord(game, cell, clock) {
  if (game.status !== "playing" || game.labels[cell] < 0) return [];
  const near = game.field.neighbours[cell];
  const flagged = near.filter((one) => game.flags[one]).length;
  const covered = near.filter((one) => game.labels[one] === COVERED && !game.flags[one]);
  if (flagged !== game.labels[cell] || !covered.length) return [];
  const opened = uncover(game, covered);
  game.moves.push({ kind: "chord", cell, opened, clock });
  return opened;
}

/** @param {Game} game @param {number[]} cells */
function uncover(game, cells) {
  const { field, labels, flags } = game;
  const mined = /** @type {Uint8Array} */ (game.mined);
  const opened = [];
  const waiting = [...cells];
  while (waiting.length) {
    const cell = /** @type {number} */ (waiting.pop());
    if (labels[cell] !== COVERED || flags[cell]) continue;
    opened.push(cell);
    if (mined[cell]) {
      labels[cell] = MINE;
      game.exploded = cell;
      continue;
    }
    labels[cell] = numberAt(field, mined, cell);
    game.left -= 1;
    if (labels[cell] === 0) waiting.push(...field.neighbours[cell]);
  }
  if (game.exploded >= 0) game.status = "lost";
  else if (game.left === 0) game.status = "won";
  return opened;
}

/**
 * Take the last move back; the mines stay where they are.
 * @param {Game} game
 * @returns {import("./types.js").Move | undefined}
 */
export function undo(game) {
  const move = game.moves.pop();
  if (!move) return undefined;
  if (move.kind === "flag") game.flags[move.cell] ^= 1;
  for (const cell of move.opened) {
    if (game.labels[cell] >= 0) game.left += 1;
    game.labels[cell] = COVERED;
  }
  game.exploded = -1;
  if (game.mined) game.status = "playing";
  return move;
}

/** @param {Game} game */
export function minesLeft(game) {
  return game.mines - game.flags.reduce((sum, one) => sum + one, 0);
}

/**
 * The least number of digs without flags: one for each opening, one for each number outside of them.
 * @param {Field} field
 * @param {Uint8Array} mined
 */
function threeBV(field, mined) {
  const met = new Uint8Array(field.size);
  const zero = (/** @type {number} */ cell) => !mined[cell] && numberAt(field, mined, cell) === 0;
  let clicks = 0;
  for (let start = 0; start < field.size; start++) {
    if (met[start] || !zero(start)) continue;
    clicks += 1;
    const waiting = [start];
    while (waiting.length) {
      const cell = /** @type {number} */ (waiting.pop());
      if (met[cell]) continue;
      met[cell] = 1;
      if (zero(cell)) waiting.push(...field.neighbours[cell]);
    }
  }
  for (let cell = 0; cell < field.size; cell++) if (!mined[cell] && !met[cell]) clicks += 1;
  return clicks;
}

/** A seed that is easy to write down. */
export function freshSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
}
