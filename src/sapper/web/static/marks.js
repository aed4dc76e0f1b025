// Marks over a board: none at first.

/** @returns {import("./types.js").Marks} */
export function noMarks() {
  return { clues: new Map(), cells: new Set(), target: -1, hint: -1, pressed: -1, world: null, differ: new Set() };
}

/**
 * The cells that a sentence of the engine names.
 * @param {import("./types.js").Field} field
 * @param {string} sentence
 * @returns {number[]}
 */
export function named(field, sentence) {
  if (field.shape === "circle") {
    const words = new Set(sentence.match(/[\p{L}\p{N}_-]+/gu) ?? []);
    return field.names.flatMap((name, cell) => (typeof name === "string" && words.has(name) ? [cell] : []));
  }
  const found = [];
  for (const [, inner] of sentence.matchAll(/\((\d+(?:, \d+)+)\)/g)) {
    const cell = field.index(inner.split(", ").map(Number));
    if (cell >= 0) found.push(cell);
  }
  return found;
}
