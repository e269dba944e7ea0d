"""What a program reads beside its input: files, modules, variables, the machine."""
