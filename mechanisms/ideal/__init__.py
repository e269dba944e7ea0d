"""The mathematics of ideal noise: laws of noise, linear forms of it, and what is known of them on one path."""
