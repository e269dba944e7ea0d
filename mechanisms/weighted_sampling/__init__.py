"""The programs of "Differentially Private Weighted Sampling", with their laws and gains."""
