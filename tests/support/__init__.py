"""What tests share: inputs, an oracle for the oracle, and ways to hold methods to each other."""
