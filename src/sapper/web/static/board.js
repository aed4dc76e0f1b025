// The board on the page: a canvas that is drawn, and over it a grid of cells for keyboards and screen readers.
// Both are made from the same picture. Large boards have only the cells around the active one in the grid.

import { $, make } from "./dom.js";
import { paint } from "./paint.js";
import { label } from "./text.js";
import { colours } from "./theme.js";

/** @typedef {import("./types.js").Picture} Picture */
/** @typedef {import("./types.js").Field} Field */

const MOST = 2500; // cells in the grid for screen readers
const AXIS = 20; // pixels for the numbers of rows and columns
const PAD = 6;
const [SMALLEST, LARGEST] = [4, 72];

export class Board {
  constructor() {
    this.scroller = $("scroll");
    this.sheet = $("sheet");
    this.canvas = /** @type {HTMLCanvasElement} */ ($("canvas"));
    this.grid = $("grid");
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Map<number, HTMLElement>} */
    this.cells = new Map();
    this.active = 0;
    this.over = -1;
    /** The cell below the mouse, and the same if the mouse came there after the last key: keys then act on it. */
    this.pointed = -1;
    this.hovered = -1;
    this.readout = $("readout");
    this.unit = 30;
    this.fitted = true;
    this.theme = colours();
    this.waiting = false;
    /** @type {(() => void)[]} */
    this.painted = [];
    this.scroller.addEventListener("scroll", () => this.schedule(), { passive: true });
    new ResizeObserver(() => {
      if (this.fitted) this.fit();
      this.schedule();
    }).observe(this.scroller);
  }

  /** Draw a picture before the next frame. @param {Picture} picture */
  show(picture) {
    const other = picture.field !== this.picture?.field;
    this.picture = picture;
    if (other) {
      this.active = Math.min(this.active, picture.field.size - 1);
      this.build();
      this.fit();
      this.scroller.scrollTo(0, 0);
    }
    this.schedule();
  }

  schedule() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Take the colours of the page again. */
  retheme() {
    this.theme = colours();
    this.schedule();
  }

  draw() {
    const { picture, canvas, scroller } = this;
    if (!picture) return;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.min(scroller.clientWidth, this.sheet.clientWidth);
    const height = Math.min(scroller.clientHeight, this.sheet.clientHeight);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const view = { left: scroller.scrollLeft - this.margin, top: scroller.scrollTop - this.margin, width, height };
    paint(context, picture, this.theme, this.unit, view);
    this.axes(context, view);
    for (const [cell, element] of this.cells) {
      const said = label(picture, cell);
      if (element.ariaLabel !== said) element.ariaLabel = said;
    }
    if (this.over >= 0) this.tell(this.over);
    for (const done of this.painted.splice(0)) done();
  }

  /** Say beside the board what is known of a cell. @param {number} cell −1 for none */
  tell(cell) {
    this.over = cell;
    const { picture } = this;
    const said = picture && cell >= 0 && cell < picture.field.size ? label(picture, cell, true) : "";
    if (this.readout.textContent !== said) this.readout.textContent = said;
  }

  /** Numbers of rows and columns, which stay in sight. @param {CanvasRenderingContext2D} context @param {{left: number, top: number, width: number, height: number}} view */
  axes(context, view) {
    const field = /** @type {Picture} */ (this.picture).field;
    if (this.margin !== AXIS) return;
    const every = this.unit < 22 ? 5 : 1;
    context.clearRect(0, 0, view.width, AXIS - 2);
    context.clearRect(0, 0, AXIS - 2, view.height);
    context.font = "500 10px system-ui, sans-serif";
    context.fillStyle = this.theme.muted;
    for (let column = 0; field.shape === "square" && column < field.columns; column += every) {
      const x = (column + 0.5) * this.unit - view.left;
      if (x > AXIS && x < view.width) context.fillText(String(column), x, AXIS / 2 - 1);
    }
    for (let row = 0; row < field.rows; row += every) {
      const y = field.y[row * field.columns] * this.unit - view.top;
      if (y > AXIS && y < view.height) context.fillText(String(row), AXIS / 2 - 1, y);
    }
  }

  get margin() {
    const field = this.picture?.field;
    const named = field && field.shape !== "circle" && field.spec.kind !== "box" && this.unit >= 12;
    return named ? AXIS : PAD;
  }

  /** Make the elements of the grid. */
  build() {
    const { field } = /** @type {Picture} */ (this.picture);
    const focused = this.grid.contains(document.activeElement);
    this.cells.clear();
    this.grid.replaceChildren();
    const all = field.size <= MOST;
    this.grid.setAttribute("aria-rowcount", String(field.rows));
    this.grid.setAttribute("aria-colcount", String(field.columns));
    const centre = [Math.floor(this.active / field.columns), this.active % field.columns];
    const [top, bottom] = all ? [0, field.rows - 1] : [Math.max(0, centre[0] - 12), Math.min(field.rows - 1, centre[0] + 12)];
    const [left, right] = all ? [0, field.columns - 1] : [Math.max(0, centre[1] - 16), Math.min(field.columns - 1, centre[1] + 16)];
    for (let row = top; row <= bottom; row++) {
      const line = make("div", { role: "row" });
      if (!all) line.setAttribute("aria-rowindex", String(row + 1));
      for (let column = left; column <= right; column++) {
        const cell = index(field, row, column);
        const element = make("div", { role: "gridcell", tabindex: cell === this.active ? 0 : -1, "data-cell": cell });
        if (!all) element.setAttribute("aria-colindex", String(column + 1));
        element.style.setProperty("--x", String(field.x[cell] - 0.5));
        element.style.setProperty("--y", String(field.y[cell] - 0.5));
        this.cells.set(cell, element);
        line.append(element);
      }
      this.grid.append(line);
    }
    if (focused) this.cells.get(this.active)?.focus();
  }

  /** Make a cell the one that keys act on. @param {number} cell @param {boolean} [focus] */
  activate(cell, focus = true) {
    const before = this.cells.get(this.active);
    if (before) before.tabIndex = -1;
    this.active = cell;
    if (!this.cells.has(cell)) this.build();
    this.tell(cell);
    const element = this.cells.get(cell);
    if (!element) return;
    element.tabIndex = 0;
    if (focus) {
      element.focus({ preventScroll: true });
      this.reveal(cell);
    }
  }

  /** Scroll as little as is needed to see a cell with its neighbours. @param {number} cell */
  reveal(cell) {
    const { field } = /** @type {Picture} */ (this.picture);
    const { scroller, unit, margin } = this;
    const near = unit * 1.5;
    const x = field.x[cell] * unit + margin;
    const y = field.y[cell] * unit + margin;
    let { scrollLeft: left, scrollTop: top } = scroller;
    if (x - near - margin < left) left = x - near - margin;
    if (x + near > left + scroller.clientWidth) left = x + near - scroller.clientWidth;
    if (y - near - margin < top) top = y - near - margin;
    if (y + near > top + scroller.clientHeight) top = y + near - scroller.clientHeight;
    if (left !== scroller.scrollLeft || top !== scroller.scrollTop) scroller.scrollTo(left, top);
  }

  /** The cell at a point of the window, or −1. @param {number} clientX @param {number} clientY */
  hit(clientX, clientY) {
    if (!this.picture) return -1;
    const box = this.sheet.getBoundingClientRect();
    const x = (clientX - box.left - this.margin) / this.unit;
    const y = (clientY - box.top - this.margin) / this.unit;
    return this.picture.field.hit(x, y);
  }

  /** Choose a size with which the board is seen whole, if its cells stay large enough to hit. */
  fit() {
    const field = this.picture?.field;
    if (!field || !this.scroller.clientWidth) return;
    const room = (/** @type {number} */ side) => side - 2 * AXIS;
    const wide = room(this.scroller.clientWidth) / field.width;
    const tall = room(this.scroller.clientHeight) / field.height;
    const touch = window.matchMedia("(pointer: coarse)").matches;
    const most = 54;
    this.resize(Math.max(touch ? 26 : 22, Math.min(most, wide, tall)));
    this.fitted = true;
  }

  /** @param {number} unit @param {{x: number, y: number}} [around] a point of the window that stays in place */
  resize(unit, around) {
    const { scroller, sheet, grid } = this;
    const field = /** @type {Picture} */ (this.picture).field;
    const wanted = Math.max(SMALLEST, Math.min(LARGEST, Math.round(unit * 2) / 2));
    const box = sheet.getBoundingClientRect();
    const anchor = around ?? { x: scroller.clientWidth / 2 + box.left + scroller.scrollLeft, y: scroller.clientHeight / 2 + box.top + scroller.scrollTop };
    const before = { x: (anchor.x - box.left - this.margin) / this.unit, y: (anchor.y - box.top - this.margin) / this.unit };
    const shift = { x: (wanted - this.unit) * before.x, y: (wanted - this.unit) * before.y };
    this.unit = wanted;
    this.fitted = false;
    sheet.style.width = `${Math.ceil(field.width * wanted) + this.margin + PAD}px`;
    sheet.style.height = `${Math.ceil(field.height * wanted) + this.margin + PAD}px`;
    grid.style.setProperty("--unit", `${wanted}px`);
    grid.style.setProperty("--margin", `${this.margin}px`);
    scroller.scrollBy(shift.x, shift.y);
    this.schedule();
  }

  /** @param {number} factor @param {{x: number, y: number}} [around] */
  zoom(factor, around) {
    this.resize(this.unit * factor, around);
  }

  /** Whether there is more of the board than can be seen. */
  get scrolls() {
    const { scroller } = this;
    return scroller.scrollHeight > scroller.clientHeight + 1 || scroller.scrollWidth > scroller.clientWidth + 1;
  }
}

/** @param {Field} field @param {number} row @param {number} column */
function index(field, row, column) {
  if (field.spec.kind !== "box") return row * field.columns + column;
  const { width, height } = field.spec;
  return (Math.floor(column / width) * height + row) * width + (column % width);
}
