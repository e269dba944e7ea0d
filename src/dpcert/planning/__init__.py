"""`dpcert plan`: the best parameters of a mechanism within a budget, and the audits that confirm them."""
