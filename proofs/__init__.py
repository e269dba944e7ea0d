"""Theorems that hold for all parameters. They share only the kernel and the front door with the auditor."""
