// Where the cells of a graph are drawn: at distances like those of the graph (stress majorisation).

const GAP = 1.7; // between neighbours, in units of a cell
const STRESSED = 400; // cells; more are put on a spiral

/**
 * @param {number[][]} neighbours
 * @returns {{x: Float64Array, y: Float64Array, width: number, height: number}}
 */
export function place(neighbours) {
  const size = neighbours.length;
  const x = new Float64Array(size);
  const y = new Float64Array(size);
  spiral(x, y);
  if (size > 2 && size <= STRESSED) relax(neighbours, x, y);
  return boxed(x, y);
}

/** A deterministic start without symmetry, on which nothing lies on a line. @param {Float64Array} x @param {Float64Array} y */
function spiral(x, y) {
  for (let at = 0; at < x.length; at++) {
    const radius = GAP * Math.sqrt(at + 0.5) * 0.75;
    x[at] = radius * Math.cos(2.399963 * at);
    y[at] = radius * Math.sin(2.399963 * at);
  }
}

/** @param {number[][]} neighbours @param {Float64Array} x @param {Float64Array} y */
function relax(neighbours, x, y) {
  const size = x.length;
  const steps = distances(neighbours);
  const rounds = size < 80 ? 300 : 60;
  for (let round = 0; round < rounds; round++) {
    for (let one = 0; one < size; one++) {
      let [sumX, sumY, weights] = [0, 0, 0];
      for (let other = 0; other < size; other++) {
        if (other === one) continue;
        const wanted = GAP * steps[one * size + other];
        const dx = x[one] - x[other];
        const dy = y[one] - y[other];
        const actual = Math.hypot(dx, dy) || 1e-6;
        const weight = 1 / (wanted * wanted);
        sumX += weight * (x[other] + (wanted * dx) / actual);
        sumY += weight * (y[other] + (wanted * dy) / actual);
        weights += weight;
      }
      x[one] = sumX / weights;
      y[one] = sumY / weights;
    }
  }
}

/** @param {number[][]} neighbours */
function distances(neighbours) {
  const size = neighbours.length;
  const far = Math.ceil(Math.sqrt(size)) + 1; // between parts that are not connected
  const steps = new Float32Array(size * size).fill(far);
  for (let from = 0; from < size; from++) {
    steps[from * size + from] = 0;
    let edge = [from];
    const seen = new Set(edge);
    for (let depth = 1; edge.length; depth++) {
      const next = [];
      for (const cell of edge)
        for (const near of neighbours[cell])
          if (!seen.has(near)) {
            seen.add(near);
            steps[from * size + near] = depth;
            next.push(near);
          }
      edge = next;
    }
  }
  return steps;
}

/** Move the drawing to the origin; cells that came too near push it apart. @param {Float64Array} x @param {Float64Array} y */
function boxed(x, y) {
  let nearest = Infinity;
  if (x.length <= STRESSED)
    for (let one = 0; one < x.length; one++)
      for (let other = 0; other < one; other++)
        nearest = Math.min(nearest, Math.hypot(x[one] - x[other], y[one] - y[other]));
  const scale = nearest < 1.25 ? Math.min(2.5, 1.25 / nearest) : 1;
  const [left, right] = [Math.min(...x), Math.max(...x)];
  const [top, bottom] = [Math.min(...y), Math.max(...y)];
  for (let at = 0; at < x.length; at++) {
    x[at] = (x[at] - left) * scale + 0.5;
    y[at] = (y[at] - top) * scale + 0.5;
  }
  return { x, y, width: (right - left) * scale + 1, height: (bottom - top) * scale + 1 };
}
