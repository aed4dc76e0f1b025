// What an analysis found, by cell.

export const NOTHING = 0;
export const SAFE = 1;
export const MINED = 2;
export const UNKNOWN = 3;

const VERDICTS = { safe: SAFE, mine: MINED, unknown: UNKNOWN };

/**
 * @param {import("./types.js").Field} field
 * @param {any} answer the document of an analysis
 * @returns {import("./types.js").Findings}
 */
export function readFindings(field, answer) {
  const verdict = new Uint8Array(field.size);
  const chance = new Float64Array(field.size).fill(NaN);
  for (const entry of answer.cells) {
    const cell = field.index(entry.cell);
    verdict[cell] = VERDICTS[/** @type {keyof typeof VERDICTS} */ (entry.verdict)];
    if (entry.probability !== null) chance[cell] = entry.probability;
  }
  return {
    consistent: answer.consistent,
    count: answer.count_text ?? "",
    verdict,
    chance,
    best: answer.best.map(field.index),
    problems: answer.problems,
  };
}

/** @param {import("./types.js").Field} field @param {any} answer the document of openings @returns {Float64Array} the chance of each cell */
export function readOpenings(field, answer) {
  const chances = new Float64Array(field.size).fill(NaN);
  for (const { cell, probability } of answer.openings) chances[field.index(cell)] = probability;
  return chances;
}

/**
 * How many cells are safe, mines and undecided.
 * @param {import("./types.js").Findings} findings
 */
export function tally(findings) {
  const found = [0, 0, 0, 0];
  for (const one of findings.verdict) found[one] += 1;
  return { safe: found[SAFE], mines: found[MINED], unknown: found[UNKNOWN] };
}
