// A bot in another language: lines of JSON on standard input and output.
//
//   sapper tournament 'exec:node examples/bot.js' --board beginner --games 100
//
// It knows two rules (a number whose mines are all found, a number whose covered cells are all
// mines) and digs anywhere else.

const lines = require("readline").createInterface({ input: process.stdin });
const say = (answer) => console.log(JSON.stringify(answer));

const around = (rows, r, c) =>
  [-1, 0, 1]
    .flatMap((dr) => [-1, 0, 1].map((dc) => [r + dr, c + dc]))
    .filter(([y, x]) => (y !== r || x !== c) && rows[y]?.[x] !== undefined);

function choose(rows) {
  const cells = rows.flatMap((row, r) => [...row].map((_, c) => [r, c]));
  const mines = new Set();
  const numbers = cells.filter(([r, c]) => rows[r][c] >= "0" && rows[r][c] <= "8");
  const covered = ([r, c]) => rows[r][c] === "?";
  for (const [r, c] of numbers) {
    const hidden = around(rows, r, c).filter(covered);
    if (hidden.length === Number(rows[r][c])) hidden.forEach((cell) => mines.add(String(cell)));
  }
  const safe = numbers.flatMap(([r, c]) => {
    const hidden = around(rows, r, c).filter(covered);
    const found = hidden.filter((cell) => mines.has(String(cell)));
    return found.length === Number(rows[r][c]) ? hidden.filter((cell) => !mines.has(String(cell))) : [];
  });
  if (safe.length) return safe;
  const open = cells.filter((cell) => covered(cell) && !mines.has(String(cell)));
  return [open[Math.floor(Math.random() * open.length)]];
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "hello", name: "two-rules", version: "1" });
  if (message.type === "position") say({ type: "dig", cells: choose(message.labels) });
});
