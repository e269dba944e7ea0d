"""Programs of "Differential Privacy on Finite Computers", and what holds of them."""
