"""Puzzles from and to text, JSON, numpy files and the formats of other solvers.

=========== ==== ===== ==========================================
name        read write what
=========== ==== ===== ==========================================
``text``    yes  yes   header lines and rows of labels
``json``    yes  yes   any topology, bare clues, records of games
``line``    yes  yes   a position in one line, as FEN is for chess
``numpy``   yes  yes   ``.npy`` arrays of label codes
``tatham``  yes  yes   game IDs of Simon Tatham's Mines
``mine``    yes  yes   files of JSMinesweeper
``jsm``     yes  yes   links of JSMinesweeper, ``?analysis=``
``ptta``    yes  yes   links with a board, ``?b=…&m=…``
``mbf``     yes  yes   board files, ``.mbf`` and ``.abf``
``rawvf``   yes  yes   replays that people can read
``msor``    yes        replays of minesweeper.online
``avf``     yes        replays of Arbiter, through ms_toollib
``rmv``     yes        replays of Viennasweeper, likewise
``evf``     yes        replays of Metasweeper, likewise
``mvf``     yes        replays of Minesweeper Clone, likewise
``dimacs``       yes   CNF for SAT solvers and model counters
``opb``          yes   equations for pseudo-Boolean solvers
``lp``           yes   equations for mixed-integer solvers
``mps``          yes   the same for those that read no LP
=========== ==== ===== ==========================================

`FORMATS` is that table: a new format is one file here and one row of it.
"""

from sapper.formats.document import Document
from sapper.formats.reading import Reading, examine, examine_boards, examine_file, parse, read
from sapper.formats.table import FORMATS, READABLE, WRITABLE, Format
from sapper.formats.writing import dump, encode, write

__all__ = [
    "FORMATS",
    "READABLE",
    "WRITABLE",
    "Document",
    "Format",
    "Reading",
    "dump",
    "encode",
    "examine",
    "examine_boards",
    "examine_file",
    "parse",
    "read",
    "write",
]
