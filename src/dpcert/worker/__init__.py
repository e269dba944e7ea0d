"""The worker process: it loads a program, audits it within limits, and gives one answer."""
