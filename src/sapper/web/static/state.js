// What a link may hold. Anybody can write one, so it is looked at before anything is made of it.

import { makeField } from "./field.js";
import { readLabels, tokens } from "./labels.js";

const MOST = 100_000; // cells
const SIDES = { grid: 2, torus: 2, hex: 2, knight: 2, offsets: 2, box: 3 };

/** @param {unknown} value @param {number} least @param {number} most */
const whole = (value, least, most) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** @param {boolean} fits */
function must(fits) {
  if (!fits) throw new Error("not a state of the page");
}

/**
 * The state in a link, if it is one.
 * @param {any} state
 * @returns {any}
 */
export function checked(state) {
  if (state.mode === "analyse") {
    const { topology, mines, labels } = state.position;
    const field = checkedField(topology);
    const codes = readLabels(field, labels);
    must(field.spec.kind === "graph" || count(labels) === field.size);
    must(codes.every((code, cell) => whole(code, -3, field.neighbours[cell].length)));
    must(mines === null || whole(mines, 0, field.size));
    return state;
  }
  const { wish, layout, moves, spent, helped } = state;
  const { size } = checkedField(wish.topology);
  must(state.mode === "play" && whole(wish.mines, 0, size) && whole(wish.seed, 0, Number.MAX_SAFE_INTEGER));
  must(["any", "safe", "zero"].includes(wish.rule) && typeof wish.noGuess === "boolean");
  must([wish.grade, wish.title].every((text) => typeof text === "string" && text.length < 200));
  must(layout === null || (layout.length <= size && layout.every((/** @type {unknown} */ cell) => whole(cell, 0, size - 1))));
  must(moves.every((/** @type {any} */ [kind, cell]) => ["d", "f", "c"].includes(kind) && whole(cell, 0, size - 1)));
  must(moves.every((/** @type {any} */ move) => Number.isFinite(move[2])) && (layout !== null || moves.every((/** @type {any} */ [kind]) => kind === "f")));
  must([spent, helped.hints, helped.undone].every((number) => Number.isFinite(number) && number >= 0));
  return state;
}

/** @param {any} spec */
function checkedField(spec) {
  if (spec.kind === "graph") {
    const size = (spec.nodes ?? []).length + 2 * spec.edges.length;
    must(size <= MOST && spec.edges.every((/** @type {unknown} */ edge) => Array.isArray(edge) && edge.length === 2));
  } else {
    const axes = SIDES[/** @type {keyof typeof SIDES} */ (spec.kind)] ?? 0;
    const sides = [spec.height, spec.width, spec.depth].slice(0, axes);
    must(axes > 0 && sides.every((side) => whole(side, 1, MOST)) && sides.reduce((product, side) => product * side, 1) <= MOST);
    must(!spec.offsets || spec.offsets.every((/** @type {any} */ step) => step.length === 2 && step.every(Number.isInteger)));
  }
  return makeField(spec);
}

/** How many labels there are in rows of text or of labels, or in layers of rows. @param {any} labels @returns {number} */
function count(labels) {
  if (typeof labels === "string") return tokens(labels).length;
  return Array.isArray(labels) ? labels.reduce((sum, part) => sum + count(part), 0) : 1;
}
