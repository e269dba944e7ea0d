"""Reports: one self-contained page, or its plots as files, of audits and of the papers' statements."""
