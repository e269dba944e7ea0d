"""`dpcert plan`: for each family of mechanisms, the best parameters within a budget, and the audits that confirm
them.
"""
