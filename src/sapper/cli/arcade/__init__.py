"""The game on a terminal: a match and the screen it is played on."""
