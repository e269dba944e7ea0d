"""Solvers and calculators, one module each, imported when they are first used."""
