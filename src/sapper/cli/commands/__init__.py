"""The commands, one to a file; `sapper.cli.app` has their table."""
