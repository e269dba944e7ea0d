"""What the machine knows of numpy: arrays as records, and numpy itself on plain copies of them."""
