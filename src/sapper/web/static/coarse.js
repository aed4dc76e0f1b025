// Cells of a few pixels: a colour each, and signs of one or two strokes, so that nothing hangs on colour alone.
// A mine is a block in the middle, a safe cell a stroke from corner to corner, a flag a bar on the left, a wrong one
// with a bar on the right too, and a chance a bar from the ground that is as high as the chance.

import { centre, fillOf, levelOf, signOf } from "./looks.js";
import { pixels } from "./stamps.js";

/** @typedef {import("./looks.js").Brush} Brush */

/** @param {Brush} brush @param {number[]} cells */
export function drawCoarsely(brush, cells) {
  const { context, picture: { field }, unit, left, top } = brush;
  if (field.shape === "square" && field.size === field.rows * field.columns && field.spec.kind !== "box") {
    // One pixel a cell, magnified.
    const small = pixels(field.columns, field.rows, cells, (cell) => fillOf(brush, cell));
    context.imageSmoothingEnabled = false;
    context.drawImage(small, -left, -top, field.width * unit, field.height * unit);
    if (unit > 5) lines(brush);
  } else {
    for (const cell of cells) {
      context.fillStyle = fillOf(brush, cell);
      const { x, y } = centre(brush, cell);
      context.fillRect(x - unit / 2, y - unit / 2, unit - 1, unit - 1);
    }
  }
  signs(brush, cells);
}

/** @param {Brush} brush @param {number[]} cells */
function signs(brush, cells) {
  const { context, picture, theme, unit } = brush;
  const [blocks, strokes, flags, bars, dots] = [new Path2D(), new Path2D(), new Path2D(), new Path2D(), new Path2D()];
  const thin = Math.max(1, Math.round(unit / 5));
  const half = unit / 2;
  for (const cell of cells) {
    const sign = signOf(picture, cell);
    if (!sign || sign === "free") continue;
    const { x, y } = centre(brush, cell);
    if (sign === "mine") blocks.rect(x - unit / 4, y - unit / 4, half, half);
    else if (sign === "number") dots.rect(x - 0.5, y - 0.5, 1, 1);
    else if (sign === "tick") {
      strokes.moveTo(x - half + 1, y + half - 1);
      strokes.lineTo(x + half - 1, y - half + 1);
    } else if (sign === "chance") {
      const level = levelOf(picture, cell, unit);
      if (level) bars.rect(x - thin / 2, y + half - 1 - level, thin, level);
    } else {
      flags.rect(x - half + 1, y - half + 1, thin, unit - 2);
      if (sign === "wrong") flags.rect(x + half - 1 - thin, y - half + 1, thin, unit - 2);
    }
  }
  const fill = (/** @type {Path2D} */ path, /** @type {string} */ colour) => {
    context.fillStyle = colour;
    context.fill(path);
  };
  fill(blocks, theme.onMine);
  fill(dots, theme.muted);
  fill(bars, theme.chanceFar);
  fill(flags, picture.mined ? theme.onMine : theme.flag);
  context.strokeStyle = theme.onSafe;
  context.lineWidth = thin;
  context.stroke(strokes);
}

/** Lines between small cells. @param {Brush} brush */
function lines({ context, picture: { field }, theme, unit, left, top }) {
  context.fillStyle = theme.line;
  for (let row = 1; row < field.rows; row++) context.fillRect(-left, row * unit - top - 0.5, field.width * unit, 0.5);
  for (let column = 1; column < field.columns; column++) context.fillRect(column * unit - left - 0.5, -top, 0.5, field.height * unit);
}
