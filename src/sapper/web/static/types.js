// What the modules of the page hand to each other. Types only: nothing here runs.

/**
 * A cell as JSON names it: `[row, column]` on a board, a string or number in a graph.
 * @typedef {any} Name
 */

/**
 * A place for cells: who touches whom, and where each is drawn, in units of one cell.
 * @typedef {object} Field
 * @property {Record<string, any>} spec the topology as JSON has it
 * @property {"square" | "hexagon" | "circle"} shape
 * @property {number} size how many cells
 * @property {number} rows
 * @property {number} columns
 * @property {number} width of the drawing
 * @property {number} height of the drawing
 * @property {Float64Array} x centres
 * @property {Float64Array} y
 * @property {number[][]} neighbours
 * @property {Name[]} names
 * @property {(name: Name) => number} index −1 if there is no such cell
 * @property {(x: number, y: number) => number} hit the cell at a point, or −1
 * @property {(cell: number, key: Direction) => number} step the next cell in a direction, or itself
 * @property {(left: number, top: number, right: number, bottom: number) => number[]} within
 * @property {[number, number][]} edges to draw
 */

/** @typedef {"up" | "down" | "left" | "right" | "home" | "end" | "first" | "last"} Direction */

/**
 * A position as the interface takes it.
 * @typedef {object} PositionDocument
 * @property {Record<string, any>} topology
 * @property {number | null} mines
 * @property {any} labels
 */

/**
 * What an analysis says, by cell.
 * @typedef {object} Findings
 * @property {boolean | null} consistent
 * @property {string} count of worlds, in digits; empty if it is not known
 * @property {Uint8Array} verdict of each cell: NOTHING, SAFE, MINE, UNKNOWN
 * @property {Float64Array} chance of a mine; NaN where it is not known
 * @property {Float64Array} [opening] chance of a zero, which opens all around; there only if it was asked for
 * @property {number[]} best cells to dig
 * @property {string[]} problems that one can see
 */

/**
 * Marks that are drawn over a board.
 * @typedef {object} Marks
 * @property {Map<number, string>} clues numbers that light up, each with the steps that use it
 * @property {Set<number>} cells that those numbers touch
 * @property {number} target the cell that was asked about, or −1
 * @property {number} hint the cell to dig, or −1
 * @property {number} pressed the cell under a finger, or −1
 * @property {Set<number> | null} world mines of a world that is shown
 * @property {Set<number>} differ cells in which two worlds differ
 */

/**
 * A game as it is played. `labels` has COVERED, MINE, FREE or a number for every cell.
 * @typedef {object} Game
 * @property {Field} field
 * @property {number} mines
 * @property {Uint8Array | null} mined none before the first dig
 * @property {Int16Array} labels
 * @property {Uint8Array} flags
 * @property {"ready" | "playing" | "won" | "lost"} status
 * @property {number} left free cells that are covered
 * @property {number} exploded the mine that was dug, or −1
 * @property {Move[]} moves
 * @property {number} threeBV
 */

/**
 * @typedef {object} Move
 * @property {"dig" | "flag" | "chord"} kind
 * @property {number} cell
 * @property {number[]} opened
 * @property {number} [clock] milliseconds since the first dig
 */

/**
 * What a new game is asked for.
 * @typedef {object} Wish
 * @property {Record<string, any>} topology
 * @property {number} mines
 * @property {"any" | "safe" | "zero"} rule
 * @property {boolean} noGuess
 * @property {string} grade empty for any
 * @property {number} seed
 * @property {string} title
 * @property {Name} [start] where the first dig must be
 */

/**
 * All that is drawn.
 * @typedef {object} Picture
 * @property {Field} field
 * @property {Int16Array} labels
 * @property {Uint8Array} flags
 * @property {Uint8Array | null} mined shown where a game is over
 * @property {number} exploded
 * @property {Findings | null} findings
 * @property {boolean} odds whether chances are drawn
 * @property {boolean} [reduced] whether numbers count only mines without a flag
 * @property {import("./options.js").Odds} [of] what the chances are of; a mine if it is not said
 * @property {Marks} marks
 */

export {};
