"""The mechanisms by which the literature measures auditors, with noise on the integers."""
