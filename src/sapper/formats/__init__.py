"""Puzzles from and to text, JSON, numpy files and the formats of other solvers.

=========== ==== ===== ==========================================
name        read write what
=========== ==== ===== ==========================================
``text``    yes  yes   header lines and rows of labels
``json``    yes  yes   any topology, and bare clue systems
``numpy``   yes  yes   ``.npy`` arrays of label codes
``dimacs``       yes   CNF for SAT solvers and model counters
``opb``          yes   equations for pseudo-Boolean solvers
``lp``           yes   equations for mixed-integer solvers
``mps``          yes   the same for those that read no LP
=========== ==== ===== ==========================================
"""

from sapper.formats.document import Document
from sapper.formats.reading import READABLE, parse, read
from sapper.formats.writing import WRITABLE, dump, encode, write

__all__ = ["READABLE", "WRITABLE", "Document", "dump", "encode", "parse", "read", "write"]
