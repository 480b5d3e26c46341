"""Runs the declared experiments of tests/eval/experiments; scripts/reproduce is its command line."""
