// Mouse, touch and keyboard become gestures on cells; what a gesture does is the business of the mode.

import { commandOf } from "./keys.js";

/** @typedef {import("./board.js").Board} Board */

/**
 * @typedef {object} Gestures
 * @property {(cell: number, event: Event) => void} primary a click or a tap
 * @property {(cell: number) => void} secondary the right button or a long press
 * @property {(cell: number) => void} both left and right together, or the middle button
 * @property {(cell: number, first: boolean) => boolean} drag whether dragging does something here
 * @property {(cell: number, up: boolean) => boolean} wheel whether the wheel does something here
 * @property {(cell: number) => void} press a finger or button is down on a cell; −1 when it is no more
 * @property {(command: import("./keys.js").Command, cell: number) => void} command
 * @property {(key: string, cell: number) => boolean} type a key that is no command; whether it was used
 */

const LONG = 380; // milliseconds
const NEAR = 10; // pixels a finger may move in a tap

/**
 * @param {Board} board
 * @param {() => Gestures} mode
 */
export function listen(board, mode) {
  pointers(board, mode);
  keyboard(board, mode);
}

/** @param {Board} board @param {() => Gestures} mode */
function pointers(board, mode) {
  const { scroller } = board;
  /** @type {{id: number, cell: number, x: number, y: number, touch: boolean, both: boolean, done: boolean, drags: boolean, timer: number} | null} */
  let press = null;
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let spread = 0;

  const end = () => {
    if (press) window.clearTimeout(press.timer);
    press = null;
    mode().press(-1);
  };

  scroller.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) {
        end();
        spread = distance(fingers);
        return;
      }
    }
    const cell = board.hit(event.clientX, event.clientY);
    if (cell < 0) return;
    if (event.pointerType !== "touch") event.preventDefault(); // keep the focus off the scroller
    board.activate(cell, event.pointerType !== "touch");
    board.pointed = cell;
    const touch = event.pointerType === "touch";
    if (press) {
      // A second button while the first is down arrives as pointermove in some browsers; see below.
      press.both = true;
      return;
    }
    press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, touch, both: event.button === 1, done: false, drags: false, timer: 0 };
    if (event.button === 2) {
      mode().secondary(cell);
      press.done = true;
    } else {
      mode().press(cell);
      if (!touch && event.button === 0) press.drags = mode().drag(cell, true);
      if (touch) press.timer = window.setTimeout(() => longPress(), LONG);
    }
  });

  const longPress = () => {
    if (!press) return;
    press.done = true;
    navigator.vibrate?.(25);
    mode().press(-1);
    mode().secondary(press.cell);
  };

  scroller.addEventListener("pointermove", (event) => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) {
      const now = distance(fingers);
      if (spread > 0 && Math.abs(now / spread - 1) > 0.02) {
        board.zoom(now / spread, middle(fingers));
        spread = now;
      }
      return;
    }
    if (event.pointerType === "mouse" && !press) {
      const below = board.hit(event.clientX, event.clientY);
      if (below !== board.pointed) board.pointed = board.hovered = below;
      board.tell(below);
    }
    if (!press || event.pointerId !== press.id) return;
    if ((event.buttons & 3) === 3 && !press.both) press.both = true; // the other button came
    if (press.touch) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > NEAR) end();
      return;
    }
    const cell = board.hit(event.clientX, event.clientY);
    if (cell === press.cell) return;
    if (press.drags && cell >= 0) mode().drag(cell, false);
    press.cell = cell;
    if (!press.done) mode().press(cell);
  });

  scroller.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    if (!press || event.pointerId !== press.id) return;
    const { cell, both, done, drags } = press;
    end();
    if (cell < 0 || board.hit(event.clientX, event.clientY) !== cell) return;
    if (both) mode().both(cell);
    else if (!done && !drags) mode().primary(cell, event);
  });

  scroller.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    if (press?.id === event.pointerId) end();
  });
  scroller.addEventListener("pointerleave", (event) => {
    board.pointed = board.hovered = -1;
    fingers.delete(event.pointerId);
    if (press && !press.touch && !event.buttons) end();
  });
  scroller.addEventListener("contextmenu", (event) => event.preventDefault());
  // Screen readers click without a pointer.
  board.grid.addEventListener("click", (event) => {
    const cell = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
    if (event.detail === 0 && cell !== undefined) mode().primary(Number(cell), event);
  });
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey) {
        event.preventDefault();
        board.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, { x: event.clientX, y: event.clientY });
        return;
      }
      const cell = board.hit(event.clientX, event.clientY);
      if (cell >= 0 && (event.shiftKey || !board.scrolls) && mode().wheel(cell, event.deltaY < 0 || event.deltaX < 0)) event.preventDefault();
    },
    { passive: false },
  );
}

/** @param {Map<number, {x: number, y: number}>} fingers */
function distance(fingers) {
  const [one, other] = [...fingers.values()];
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** @param {Map<number, {x: number, y: number}>} fingers */
function middle(fingers) {
  const [one, other] = [...fingers.values()];
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

/** @param {Board} board @param {() => Gestures} mode */
function keyboard(board, mode) {
  const always = new Map([["Home", "home"], ["End", "end"], ["PageUp", "first"], ["PageDown", "last"]]);
  board.grid.addEventListener("focusin", (event) => {
    board.hovered = -1;
    const cell = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
    if (cell !== undefined && Number(cell) !== board.active) board.activate(Number(cell), false);
  });
  document.addEventListener("keydown", (event) => {
    const field = board.picture?.field;
    const on = event.target instanceof Node && board.grid.contains(event.target);
    // Where nothing has the focus, keys act on the cell below the mouse.
    if (!field || (!on && (event.target !== document.body || board.hovered < 0))) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const below = board.hovered;
    const used = event.key.length === 1 || commandOf(event) === "dig";
    if (below >= 0 && used) board.activate(below);
    const cell = board.active;
    board.hovered = -1;
    if (mode().type(event.key, cell)) {
      event.preventDefault();
      if (below >= 0) board.activate(below); // who writes with the mouse moves it to the next cell
      return;
    }
    const command = commandOf(event);
    const direction = always.get(event.key) ?? (command && ["up", "down", "left", "right"].includes(command) ? command : undefined);
    if (direction) {
      event.preventDefault();
      board.activate(field.step(board.active, /** @type {import("./types.js").Direction} */ (direction)));
    } else if (command === "larger" || command === "smaller") {
      event.preventDefault();
      board.zoom(command === "larger" ? 1.15 : 1 / 1.15);
      board.reveal(board.active);
    } else if (command) {
      event.preventDefault();
      mode().command(command, cell);
    }
  });
}
