// Fields: who touches whom on a grid, torus, hex, box or graph, and where each cell is drawn.

import { place } from "./placing.js";

/** @typedef {import("./types.js").Field} Field */
/** @typedef {import("./types.js").Name} Name */

const ROOT = Math.sqrt(3);
const EIGHT = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => [row, column])).filter((step) => step[0] || step[1]);
const SIX = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]];
const KNIGHT = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];

/**
 * @param {Record<string, any>} spec a topology as JSON has it
 * @returns {Field}
 */
export function makeField(spec) {
  if (spec.kind === "graph") return graph(spec);
  return spec.kind === "hex" ? hex(spec) : spec.kind === "box" ? box(spec) : flat(spec);
}

/** @param {Record<string, any>} spec @returns {Field} */
function flat(spec) {
  const { width, height } = spec;
  const steps = spec.offsets ?? (spec.kind === "knight" ? KNIGHT : EIGHT);
  const wrap = spec.kind === "torus" || spec.wrap === true;
  const field = lattice(spec, height, width, "square");
  field.neighbours = around(height, width, steps, wrap);
  for (let cell = 0; cell < field.size; cell++) {
    field.x[cell] = (cell % width) + 0.5;
    field.y[cell] = Math.floor(cell / width) + 0.5;
  }
  field.width = width;
  field.height = height;
  field.hit = (x, y) => (x >= 0 && y >= 0 && x < width && y < height ? Math.floor(y) * width + Math.floor(x) : -1);
  field.within = (left, top, right, bottom) => window(field, top, bottom, () => [left, right]);
  return field;
}

/** Rows are shifted by half a cell each, as in the axial coordinates. @param {Record<string, any>} spec @returns {Field} */
function hex(spec) {
  const { width, height } = spec;
  const field = lattice(spec, height, width, "hexagon");
  const tall = ROOT / 2; // from row to row, where a cell is one unit wide
  field.neighbours = around(height, width, SIX, false);
  for (let cell = 0; cell < field.size; cell++) {
    const row = Math.floor(cell / width);
    field.x[cell] = (cell % width) + row / 2 + 0.5;
    field.y[cell] = row * tall + 1 / ROOT;
  }
  field.width = width + (height - 1) / 2;
  field.height = (height - 1) * tall + 2 / ROOT;
  field.hit = (x, y) => {
    const guess = Math.round((y - 1 / ROOT) / tall);
    let best = -1;
    let nearest = 0.36;
    for (let row = guess - 1; row <= guess + 1; row++) {
      const column = Math.round(x - row / 2 - 0.5);
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const cell = row * width + column;
      const distance = (field.x[cell] - x) ** 2 + (field.y[cell] - y) ** 2;
      if (distance < nearest) [best, nearest] = [cell, distance];
    }
    return best;
  };
  field.within = (left, top, right, bottom) =>
    window(field, top / tall - 1, bottom / tall + 1, (row) => [left - row / 2 - 1, right - row / 2 + 1]);
  return field;
}

/** Layers of a box stand beside each other. @param {Record<string, any>} spec @returns {Field} */
function box(spec) {
  const { depth, width, height } = spec;
  const gap = 1;
  const field = lattice(spec, height, width, "square");
  field.size = depth * height * width;
  field.columns = depth * width;
  field.x = new Float64Array(field.size);
  field.y = new Float64Array(field.size);
  field.names = [];
  for (let cell = 0; cell < field.size; cell++) {
    const layer = Math.floor(cell / (width * height));
    const row = Math.floor(cell / width) % height;
    const column = cell % width;
    field.names.push([layer, row, column]);
    field.x[cell] = layer * (width + gap) + column + 0.5;
    field.y[cell] = row + 0.5;
  }
  field.neighbours = field.names.map(([layer, row, column]) => {
    const found = [];
    for (let z = Math.max(0, layer - 1); z <= Math.min(depth - 1, layer + 1); z++)
      for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y++)
        for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++)
          if (z !== layer || y !== row || x !== column) found.push((z * height + y) * width + x);
    return found;
  });
  field.index = (name) => (name[0] * height + name[1]) * width + name[2];
  field.width = depth * (width + gap) - gap;
  field.height = height;
  scattered(field, 0.5);
  return field;
}

/** @param {Record<string, any>} spec @returns {Field} */
function graph(spec) {
  /** @type {Map<string, Name>} */
  const seen = new Map();
  for (const name of [...(spec.nodes ?? []), ...spec.edges.flat(1)]) seen.set(JSON.stringify(name), name);
  const names = [...seen.values()];
  const places = new Map(names.map((name, at) => [JSON.stringify(name), at]));
  const field = lattice(spec, names.length, 1, "circle");
  field.names = names;
  field.index = (name) => places.get(JSON.stringify(name)) ?? -1;
  field.neighbours = names.map(() => []);
  for (const [one, other] of spec.edges) {
    const [a, b] = [field.index(one), field.index(other)];
    field.neighbours[a].push(b);
    field.neighbours[b].push(a);
    field.edges.push([a, b]);
  }
  const drawn = place(field.neighbours);
  field.x = drawn.x;
  field.y = drawn.y;
  field.width = drawn.width;
  field.height = drawn.height;
  scattered(field, 0.5);
  return field;
}

/** Cells anywhere: the nearest is hit, and arrows go to the nearest in their direction. @param {Field} field @param {number} reach */
function scattered(field, reach) {
  field.hit = (x, y) => {
    let best = -1;
    let nearest = reach * reach * (field.shape === "square" ? 2 : 1);
    for (let cell = 0; cell < field.size; cell++) {
      const distance = (field.x[cell] - x) ** 2 + (field.y[cell] - y) ** 2;
      if (distance < nearest) [best, nearest] = [cell, distance];
    }
    return best;
  };
  field.within = () => Array.from({ length: field.size }, (_, cell) => cell);
  field.step = (cell, key) => {
    if (key === "first" || key === "home") return 0;
    if (key === "last" || key === "end") return field.size - 1;
    const [dx, dy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[key];
    let best = cell;
    let least = Infinity;
    for (let other = 0; other < field.size; other++) {
      const x = field.x[other] - field.x[cell];
      const y = field.y[other] - field.y[cell];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (along < 1e-9 || aside > 2 * along) continue;
      if (along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  };
}

/** @param {Record<string, any>} spec @param {number} rows @param {number} columns @param {Field["shape"]} shape @returns {Field} */
function lattice(spec, rows, columns, shape) {
  const size = rows * columns;
  /** @type {Field} */
  const field = {
    spec, shape, size, rows, columns,
    width: columns,
    height: rows,
    x: new Float64Array(size),
    y: new Float64Array(size),
    neighbours: [],
    names: Array.from({ length: size }, (_, cell) => [Math.floor(cell / columns), cell % columns]),
    index: (name) => (name[0] >= 0 && name[0] < rows && name[1] >= 0 && name[1] < columns ? name[0] * columns + name[1] : -1),
    hit: () => -1,
    within: () => [],
    step: (cell, key) => stepped(cell, key, rows, columns),
    edges: [],
  };
  return field;
}

/** @param {number} cell @param {import("./types.js").Direction} key @param {number} rows @param {number} columns */
function stepped(cell, key, rows, columns) {
  const row = Math.floor(cell / columns);
  const column = cell % columns;
  switch (key) {
    case "up": return row > 0 ? cell - columns : cell;
    case "down": return row < rows - 1 ? cell + columns : cell;
    case "left": return column > 0 ? cell - 1 : cell;
    case "right": return column < columns - 1 ? cell + 1 : cell;
    case "home": return row * columns;
    case "end": return row * columns + columns - 1;
    case "first": return 0;
    default: return rows * columns - 1;
  }
}

/** @param {number} height @param {number} width @param {number[][]} steps @param {boolean} wrap */
function around(height, width, steps, wrap) {
  /** @type {number[][]} */
  const found = [];
  for (let cell = 0; cell < height * width; cell++) {
    const row = Math.floor(cell / width);
    const column = cell % width;
    const near = new Set();
    for (const [down, right] of steps) {
      let r = row + down;
      let c = column + right;
      if (wrap) [r, c] = [((r % height) + height) % height, ((c % width) + width) % width];
      if (r >= 0 && r < height && c >= 0 && c < width && r * width + c !== cell) near.add(r * width + c);
    }
    found.push([...near]);
  }
  return found;
}

/** The cells of rows `top` to `bottom` between columns that may depend on the row. @param {Field} field @param {number} top @param {number} bottom @param {(row: number) => number[]} sides */
function window(field, top, bottom, sides) {
  const cells = [];
  for (let row = Math.max(0, Math.floor(top)); row <= Math.min(field.rows - 1, Math.floor(bottom)); row++) {
    const [left, right] = sides(row);
    const last = Math.min(field.columns - 1, Math.floor(right));
    for (let column = Math.max(0, Math.floor(left)); column <= last; column++) cells.push(row * field.columns + column);
  }
  return cells;
}
