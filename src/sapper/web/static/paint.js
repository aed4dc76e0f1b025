// Draw a picture of a board on a canvas. All that is visible follows from the picture; nothing is kept here.

import { drawCoarsely } from "./coarse.js";
import { COVERED } from "./labels.js";
import { centre, fillOf, gauge, levelOf, signOf } from "./looks.js";
import { Stamps } from "./stamps.js";
import { chanceShown, numberShown, shortName } from "./text.js";

/** @typedef {import("./types.js").Picture} Picture */
/** @typedef {import("./theme.js").Colours} Colours */
/** @typedef {import("./looks.js").Brush} Brush */

const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
const DETAIL = 11; // pixels a cell needs before all signs are drawn in it
const WRITTEN = 17; // and before chances are written

/**
 * @param {CanvasRenderingContext2D} context in pixels of the page
 * @param {Picture} picture
 * @param {Colours} theme
 * @param {number} unit size of a cell
 * @param {{left: number, top: number, width: number, height: number}} view what of the drawing is seen
 */
export function paint(context, picture, theme, unit, view) {
  const { field } = picture;
  context.clearRect(0, 0, view.width, view.height);
  /** @type {Brush} */
  const brush = { context, picture, theme, unit, left: view.left, top: view.top, stamps: Stamps.of(context, theme, unit, field.shape) };
  const cells = field.within(
    view.left / unit - 1, view.top / unit - 1,
    (view.left + view.width) / unit + 1, (view.top + view.height) / unit + 1,
  );
  context.textAlign = "center";
  context.textBaseline = "middle";
  drawEdges(brush);
  if (unit < DETAIL) {
    drawCoarsely(brush, cells); // with signs that fit
  } else {
    for (const cell of cells) drawCell(brush, cell);
    if (field.shape === "circle" && unit >= 22) for (const cell of cells) drawName(brush, cell);
  }
  drawMarks(brush, cells);
}

/** @param {Brush} brush */
function drawEdges({ context, picture: { field }, theme, unit, left, top }) {
  if (!field.edges.length) return;
  context.beginPath();
  for (const [one, other] of field.edges) {
    context.moveTo(field.x[one] * unit - left, field.y[one] * unit - top);
    context.lineTo(field.x[other] * unit - left, field.y[other] * unit - top);
  }
  context.strokeStyle = theme.edge;
  context.lineWidth = Math.max(1, unit / 18);
  context.stroke();
}

/** @param {Brush} brush @param {number} cell */
function drawCell(brush, cell) {
  const { context, stamps } = brush;
  const { x, y } = centre(brush, cell);
  const look = lookOf(brush, cell);
  const stamp = stamps.get(look.key) ?? made(brush, cell, look);
  const wide = stamp.width / stamps.ratio;
  // On whole pixels of the screen, or every edge would be blurred.
  const whole = (/** @type {number} */ at) => Math.round((at - wide / 2) * stamps.ratio) / stamps.ratio;
  context.drawImage(stamp, whole(x), whole(y), wide, wide);
}

/**
 * How a cell looks: its name, its fill, whether it is raised, and what is drawn in it.
 * @typedef {object} Look
 * @property {string} key the same for all cells that look the same
 * @property {string} fill
 * @property {boolean} raised
 * @property {(brush: Brush, x: number, y: number) => void} [sign]
 */

/** @param {Brush} brush @param {number} cell @returns {Look} */
function lookOf(brush, cell) {
  const { picture, theme } = brush;
  const { labels } = picture;
  const fill = fillOf(brush, cell);
  const raised = labels[cell] === COVERED;
  const sign = signOf(picture, cell);
  /** @param {Look["sign"]} [draw] @param {string} [text] @returns {Look} */
  const look = (draw, text = "") => ({ key: `${fill}/${raised ? 1 : 0}/${sign}${text}`, fill, raised, sign: draw });
  if (sign === "number") {
    const number = numberShown(picture, cell);
    return look((to, x, y) => write(to, x, y, String(number), theme.numbers[number] ?? theme.ink, number > 9 ? 0.44 : 0.56, 700), String(number));
  }
  if (sign === "free") return look((to, x, y) => write(to, x, y, "·", theme.muted, 0.6, 700));
  if (sign === "mine") return look((to, x, y) => mine(to, x, y, theme.onMine));
  if (sign === "flag" || sign === "wrong") {
    return look((to, x, y) => {
      flagged(to, x, y, fill === theme.covered ? theme.flag : theme.onMine);
      if (sign === "wrong") cross(to, x, y, theme.blast);
    });
  }
  const text = sign === "tick" || sign === "chance" ? chanceShown(picture, cell) : "";
  if (sign === "tick") {
    // A tick, and below it how likely the cell opens an area if that is asked.
    if (!text || brush.unit < WRITTEN) return look((to, x, y) => tick(to, x, y, theme.onSafe));
    return look((to, x, y) => {
      tick({ ...to, unit: to.unit * 0.6 }, x, y - to.unit * 0.24, theme.onSafe);
      write(to, x, y + to.unit * 0.2, text, theme.onSafe, 0.36, 600);
    }, text);
  }
  if (sign === "chance" && text && brush.unit >= WRITTEN) {
    // Cells that touch no number all have the same chance: they step back.
    const alone = !picture.field.neighbours[cell].some((near) => labels[near] > 0);
    const size = text.length > 2 ? 0.33 : alone ? 0.35 : 0.4;
    return look((to, x, y) => write(to, x, y, text, alone ? theme.chanceFar : theme.chanceInk, size, alone ? 400 : 600), `${alone ? "a" : "c"}${text}`);
  }
  if (sign === "chance") {
    const level = levelOf(picture, cell, brush.unit);
    return look((to, x, y) => gauge(to, x, y, level), String(level));
  }
  return look();
}

/** Draw a look once, to be stamped from then on. @param {Brush} brush @param {number} cell @param {Look} look */
function made(brush, cell, look) {
  const { theme, unit, stamps, picture } = brush;
  return stamps.make(look.key, (context, middle) => {
    const { x, y } = { x: picture.field.x[cell] * unit, y: picture.field.y[cell] * unit };
    const to = { ...brush, context, left: x - middle, top: y - middle };
    outline(to, cell, look.raised ? 1 : 0.5);
    context.fillStyle = look.fill;
    context.fill();
    context.lineWidth = theme.flat && look.raised ? 2 : 1;
    context.strokeStyle = look.raised ? theme.edge : theme.line;
    context.stroke();
    if (look.raised && !theme.flat && look.fill === theme.covered) shine(to, middle, middle);
    look.sign?.(to, middle, middle);
  });
}

/** @param {Brush} brush @param {number[]} cells */
function drawMarks(brush, cells) {
  const { context, picture: { marks }, theme, unit } = brush;
  if (!marks.clues.size && !marks.cells.size && !marks.differ.size && Math.max(marks.target, marks.hint, marks.pressed) < 0) return;
  const seen = new Set(cells);
  const thick = Math.max(2, unit / 11);
  const ring = (/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number} */ width, /** @type {number[]} */ dash = []) => {
    if (!seen.has(cell)) return;
    outline(brush, cell, width / 2 + 0.5);
    context.setLineDash(dash);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
    context.setLineDash([]);
  };
  for (const cell of marks.cells) ring(cell, theme.ring, Math.max(1.5, thick * 0.6));
  for (const cell of marks.differ) ring(cell, theme.ink, thick, [thick * 1.5, thick]);
  for (const [cell, steps] of marks.clues) {
    ring(cell, theme.ink, thick);
    if (seen.has(cell) && unit >= 20 && steps) badge(brush, cell, steps);
  }
  if (marks.target >= 0) ring(marks.target, theme.ink, thick * 1.3);
  if (marks.hint >= 0) {
    ring(marks.hint, theme.focus, thick * 1.3);
    ring(marks.hint, theme.opened, Math.max(1, thick * 0.35));
  }
  if (marks.pressed >= 0 && seen.has(marks.pressed)) {
    outline(brush, marks.pressed, 1);
    context.fillStyle = theme.tint;
    context.fill();
  }
}

/** The shape of a cell, a little smaller on each side. @param {Brush} brush @param {number} cell @param {number} inset */
function outline(brush, cell, inset) {
  const { context, picture: { field }, unit } = brush;
  const { x, y } = centre(brush, cell);
  context.beginPath();
  if (field.shape === "square") {
    const half = unit / 2 - inset;
    context.roundRect(x - half, y - half, 2 * half, 2 * half, Math.max(1, unit * 0.12));
  } else if (field.shape === "circle") {
    context.arc(x, y, unit * 0.48 - inset, 0, 2 * Math.PI);
  } else {
    const radius = unit / Math.sqrt(3) - inset;
    for (let corner = 0; corner < 6; corner++) {
      const turn = (Math.PI / 3) * corner - Math.PI / 2;
      context.lineTo(x + radius * Math.cos(turn), y + radius * Math.sin(turn));
    }
    context.closePath();
  }
}

/** A light edge above, so that covered cells look raised. @param {Brush} brush @param {number} x @param {number} y */
function shine({ context, picture: { field }, unit }, x, y) {
  if (field.shape !== "square") return;
  const half = unit / 2 - 2;
  context.beginPath();
  context.moveTo(x - half + 1, y - half + 0.5);
  context.lineTo(x + half - 1, y - half + 0.5);
  context.strokeStyle = "rgb(255 255 255 / 35%)";
  context.lineWidth = 1;
  context.stroke();
}

/** @param {Brush} brush @param {number} x @param {number} y @param {string} text @param {string} colour @param {number} size @param {number} weight */
function write({ context, unit }, x, y, text, colour, size, weight) {
  context.font = `${weight} ${unit * size}px ${FONT}`;
  context.fillStyle = colour;
  context.fillText(text, x, y + unit * 0.03);
}

/** @param {Brush} brush @param {number} cell */
function drawName(brush, cell) {
  const { context, picture: { field }, theme, unit } = brush;
  const { x, y } = centre(brush, cell);
  if (brush.picture.labels[cell] !== COVERED || field.size > 150) return;
  const name = shortName(field, cell);
  if (/^\d+$/.test(name)) return; // numbers as names would be read as clues
  context.font = `500 ${Math.max(9, unit * 0.28)}px ${FONT}`;
  context.lineWidth = 3;
  context.strokeStyle = theme.opened;
  context.strokeText(name.slice(0, 12), x, y + unit * 0.68);
  context.fillStyle = theme.muted;
  context.fillText(name.slice(0, 12), x, y + unit * 0.68);
}

/** @param {Brush} brush @param {number} x @param {number} y @param {string} colour */
function mine({ context, unit }, x, y, colour) {
  const size = unit * 0.27;
  context.beginPath();
  for (const turn of [0, 0.25, 0.5, 0.75]) {
    const dx = size * Math.cos(Math.PI * turn);
    const dy = size * Math.sin(Math.PI * turn);
    context.moveTo(x - dx, y - dy);
    context.lineTo(x + dx, y + dy);
  }
  context.lineWidth = Math.max(1, unit * 0.07);
  context.lineCap = "round";
  context.strokeStyle = colour;
  context.stroke();
  context.beginPath();
  context.arc(x, y, size * 0.62, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
  context.lineCap = "butt";
}

/** @param {Brush} brush @param {number} x @param {number} y @param {string} colour */
function tick({ context, unit }, x, y, colour) {
  context.beginPath();
  context.moveTo(x - unit * 0.2, y + unit * 0.02);
  context.lineTo(x - unit * 0.05, y + unit * 0.17);
  context.lineTo(x + unit * 0.22, y - unit * 0.16);
  context.lineWidth = Math.max(1.5, unit * 0.1);
  context.lineCap = context.lineJoin = "round";
  context.strokeStyle = colour;
  context.stroke();
  context.lineCap = "butt";
  context.lineJoin = "miter";
}

/** @param {Brush} brush @param {number} x @param {number} y @param {string} colour */
function cross({ context, unit }, x, y, colour) {
  const size = unit * 0.3;
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.moveTo(x + size, y - size);
  context.lineTo(x - size, y + size);
  context.lineWidth = Math.max(1.5, unit * 0.1);
  context.strokeStyle = colour;
  context.stroke();
}

/** @param {Brush} brush @param {number} x @param {number} y @param {string} colour */
function flagged({ context, unit, theme }, x, y, colour) {
  const pole = x - unit * 0.12;
  context.fillStyle = theme.chanceInk;
  context.fillRect(pole, y - unit * 0.26, Math.max(1, unit * 0.06), unit * 0.52);
  context.fillRect(pole - unit * 0.1, y + unit * 0.22, unit * 0.26, Math.max(1, unit * 0.06));
  context.beginPath();
  context.moveTo(pole + unit * 0.05, y - unit * 0.28);
  context.lineTo(pole + unit * 0.36, y - unit * 0.13);
  context.lineTo(pole + unit * 0.05, y + unit * 0.03);
  context.closePath();
  context.fillStyle = colour;
  context.fill();
}

/** The steps that use a number, at its corner. @param {Brush} brush @param {number} cell @param {string} steps */
function badge(brush, cell, steps) {
  const { context, theme, unit } = brush;
  const { x, y } = centre(brush, cell);
  const size = Math.max(9, unit * 0.29);
  context.font = `700 ${size}px ${FONT}`;
  const wide = Math.max(size * 1.15, context.measureText(steps).width + size * 0.5);
  const [left, top] = [x + unit * 0.58 - wide, y - unit * 0.6];
  context.beginPath();
  context.roundRect(left, top, wide, size * 1.2, size * 0.35);
  context.fillStyle = theme.ink;
  context.fill();
  context.fillStyle = theme.opened;
  context.fillText(steps, left + wide / 2, top + size * 0.65);
}
