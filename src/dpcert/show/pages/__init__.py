"""Reports: one self-contained page, or its plots as files, of what was audited and of what the papers say."""
