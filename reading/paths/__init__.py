"""Reading by paths: CPython runs the program from the start for each path, under guards of what it may ask."""
