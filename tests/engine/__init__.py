"""The engine: every answer, option, limit and promise of it."""
