"""Theorems that hold for all parameters; they meet the auditor only in the kernel and the front door."""
