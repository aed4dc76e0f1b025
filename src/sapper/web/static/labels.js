// Labels as numbers: what is known of a cell.

export const COVERED = -1;
export const MINE = -2;
export const FREE = -3;

const SIGNS = new Map([
  ["?", COVERED],
  ["*", MINE],
  ["_", FREE],
]);

/**
 * @param {unknown} label as JSON has it
 * @returns {number}
 */
function code(label) {
  const value = SIGNS.get(String(label)) ?? Number(label);
  if (!Number.isInteger(value)) throw new Error(`${label} is no label`);
  return value;
}

/**
 * @param {number} value
 * @returns {string}
 */
export function sign(value) {
  if (value >= 0) return String(value);
  return value === COVERED ? "?" : value === MINE ? "*" : "_";
}

/**
 * Labels from a position as JSON has it.
 * @param {import("./types.js").Field} field
 * @param {any} labels rows of text, nested rows, pairs or a dictionary
 * @returns {Int16Array}
 */
export function readLabels(field, labels) {
  const codes = new Int16Array(field.size).fill(COVERED);
  if (field.spec.kind === "graph") {
    const pairs = Array.isArray(labels) ? labels : Object.entries(labels ?? {});
    for (const [name, label] of pairs) {
      const at = field.index(name);
      if (at >= 0) codes[at] = code(label);
    }
    return codes;
  }
  let at = 0;
  const walk = (/** @type {any} */ part) => {
    if (typeof part === "string") for (const one of tokens(part)) codes[at++] = code(one);
    else if (Array.isArray(part)) part.forEach(walk);
    else codes[at++] = code(part);
  };
  walk(labels);
  return codes;
}

/**
 * The cells of a row of text: spaces part them, a number of several digits stands in brackets.
 * @param {string} row
 */
export function tokens(row) {
  const found = row.match(/\(\d+\)|\[\d+\]|\S/g) ?? [];
  return found.map((one) => (one.length > 1 ? one.slice(1, -1) : one));
}

/**
 * The same as JSON.
 * @param {import("./types.js").Field} field
 * @param {Int16Array} codes
 * @returns {any}
 */
export function writeLabels(field, codes) {
  const value = (/** @type {number} */ one) => (one >= 0 ? one : sign(one));
  if (field.spec.kind === "graph") {
    return field.names.map((name, at) => [name, value(codes[at])]);
  }
  const { width } = field.spec;
  const rows = [];
  for (let start = 0; start < field.size; start += width) {
    const row = codes.subarray(start, start + width);
    rows.push(row.some((one) => one > 9) ? [...row].map(value) : [...row].map(sign).join(""));
  }
  if (field.spec.kind !== "box") return rows;
  const { height } = field.spec;
  const layers = [];
  for (let start = 0; start < rows.length; start += height) layers.push(rows.slice(start, start + height));
  return layers;
}

/**
 * Let the numbers around a cell follow when a mine comes or goes there.
 * @param {import("./types.js").Field} field
 * @param {Int16Array} labels
 * @param {number} cell
 * @param {number} value that the cell will have
 */
export function follow(field, labels, cell, value) {
  const by = (value === MINE ? 1 : 0) - (labels[cell] === MINE ? 1 : 0);
  if (!by) return;
  for (const near of field.neighbours[cell]) {
    const number = labels[near] + by;
    if (labels[near] >= 0 && number >= 0 && number <= field.neighbours[near].length) labels[near] = number;
  }
}
