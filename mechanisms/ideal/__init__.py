"""The mathematics of ideal noise: laws of noise, linear forms of it, and the knowledge of them on one path."""
