"""The programs of "Differential Privacy on Finite Computers", with their laws, costs and accuracies."""
