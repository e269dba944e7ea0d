"""Claims about lists of any length: a potential over the modes of a loop bounds what all of its turns cost."""
