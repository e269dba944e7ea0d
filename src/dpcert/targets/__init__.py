"""The subjects of audits: decorated functions of files, each with its claim, and the mechanisms that ship."""
