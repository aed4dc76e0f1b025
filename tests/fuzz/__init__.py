"""An endless search for inputs on which the engine is wrong; ``make fuzz`` runs it."""
