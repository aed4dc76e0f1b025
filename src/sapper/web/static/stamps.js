// Cells that look the same are drawn once and stamped: a board has hundreds of cells and a few dozen looks.

/** @typedef {import("./theme.js").Colours} Colours */

const MOST = 600; // looks that are kept

export class Stamps {
  /** @param {Colours} theme @param {number} unit @param {string} shape @param {number} ratio */
  constructor(theme, unit, shape, ratio) {
    this.theme = theme;
    this.unit = unit;
    this.shape = shape;
    this.ratio = ratio;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.looks = new Map();
  }

  /**
   * The stamps for a canvas: the last ones, if nothing has changed that they depend on.
   * @param {CanvasRenderingContext2D} context
   * @param {Colours} theme
   * @param {number} unit
   * @param {string} shape
   */
  static of(context, theme, unit, shape) {
    const ratio = context.getTransform().a;
    const fits = (/** @type {Stamps} */ one) => one.theme === theme && one.unit === unit && one.shape === shape && one.ratio === ratio && one.looks.size < MOST;
    if (!Stamps.last || !fits(Stamps.last)) Stamps.last = new Stamps(theme, unit, shape, ratio);
    return Stamps.last;
  }

  /** @param {string} key */
  get(key) {
    return this.looks.get(key);
  }

  /** @param {string} key @param {(context: CanvasRenderingContext2D, middle: number) => void} draw around the middle */
  make(key, draw) {
    const side = Math.ceil((this.unit * (this.shape === "square" ? 1 : 1.2) + 2) * this.ratio);
    const stamp = document.createElement("canvas");
    stamp.width = stamp.height = side;
    const context = /** @type {CanvasRenderingContext2D} */ (stamp.getContext("2d"));
    context.scale(this.ratio, this.ratio);
    context.textAlign = "center";
    context.textBaseline = "middle";
    draw(context, side / this.ratio / 2);
    this.looks.set(key, stamp);
    return stamp;
  }
}

/** @type {Stamps | null} */
Stamps.last = null;

/** @type {Map<string, number>} colours as canvases keep them */
const words = new Map();

/**
 * A picture with a pixel for each cell.
 * @param {number} columns
 * @param {number} rows
 * @param {number[]} cells that are seen
 * @param {(cell: number) => string} colour
 */
export function pixels(columns, rows, cells, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(columns, rows);
  const data = new Uint32Array(image.data.buffer);
  for (const cell of cells) {
    const name = colour(cell);
    let word = words.get(name);
    if (word === undefined) words.set(name, (word = wordOf(context, name)));
    data[cell] = word;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** @param {CanvasRenderingContext2D} context @param {string} name of an opaque colour */
function wordOf(context, name) {
  context.fillStyle = name;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(String(context.fillStyle).slice(at, at + 2), 16));
  return new Uint32Array(new Uint8Array([red, green, blue, 255]).buffer)[0];
}
