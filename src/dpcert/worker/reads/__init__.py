"""The record of all that a program reads beside its input: files, modules, variables, the machine."""
