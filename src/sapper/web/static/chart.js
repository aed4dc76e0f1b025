// How many worlds there are for each number of mines, as bars.

import { draw } from "./dom.js";
import { count, percent } from "./text.js";

const [WIDE, TALL, BASE] = [320, 104, 84];

/**
 * @param {[number, string][]} byMines number of mines and of worlds, in digits
 * @param {number | null} total the number that is chosen, if any
 */
export function chart(byMines, total) {
  const all = byMines.reduce((sum, [, worlds]) => sum + BigInt(worlds), 0n);
  const shares = byMines.map(([mines, worlds]) => ({ mines, worlds, share: ratio(BigInt(worlds), all) }));
  const most = Math.max(...shares.map((one) => one.share));
  // Bars that could not be seen are left out at both ends, and the text says so.
  const seen = shares.filter((one) => one.share > most / 400 || one.mines === total);
  const [first, last] = [seen[0].mines, seen[seen.length - 1].mines];
  const step = WIDE / (last - first + 1);
  const peak = shares.find((one) => one.share === most) ?? shares[0];
  const only = byMines.length === 1;
  const said = only ? `Every world has ${peak.mines} mines.` : `Most worlds have ${peak.mines} mines: ${percent(peak.share)}. There are worlds with ${byMines[0][0]} to ${byMines[byMines.length - 1][0]} mines.`;
  const picture = draw("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${TALL}`, role: "img", "aria-label": said });
  if (only) return { picture: null, said };
  for (const { mines, worlds, share } of seen) {
    const height = Math.max(1, (share / most) * (BASE - 14));
    const bar = draw("rect", {
      x: (mines - first) * step + Math.min(1, step * 0.1),
      y: BASE - height,
      width: Math.max(0.5, step - Math.min(2, step * 0.2)),
      height,
      class: mines === total ? "chosen" : null,
    });
    bar.append(draw("title", {}, `${mines} mines: ${count(worlds)} worlds (${percent(share)})`));
    picture.append(bar);
  }
  const at = (/** @type {number} */ mines) => {
    const half = 3.6 * String(mines).length;
    return Math.max(half, Math.min(WIDE - half, (mines - first + 0.5) * step));
  };
  let end = -Infinity; // of the last label: none is written over another
  for (const mines of ticks(first, last)) {
    const wide = 7.2 * String(mines).length;
    if (at(mines) - wide / 2 < end + 4) continue;
    picture.append(draw("text", { x: at(mines), y: TALL - 5, "text-anchor": "middle" }, String(mines)));
    end = at(mines) + wide / 2;
  }
  // Where the total is, though its bar may be too low to be seen.
  if (total !== null && total >= first && total <= last) {
    const x = Math.max(5, Math.min(WIDE - 5, (total - first + 0.5) * step));
    picture.append(draw("path", { class: "chosen", d: `M${x} ${BASE} l-5 7 h10 z` }));
  }
  return { picture, said };
}

/** @param {bigint} part @param {bigint} whole */
function ratio(part, whole) {
  return whole ? Number((part * 10n ** 15n) / whole) / 1e15 : 0;
}

/** @param {number} first @param {number} last */
function ticks(first, last) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((one) => (last - first) / one <= 8) ?? 10000;
  const found = [];
  for (let mines = Math.ceil(first / step) * step; mines <= last; mines += step) found.push(mines);
  return found;
}
