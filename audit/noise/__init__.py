"""What noise shows: pairs of laws between two exact profiles, from their best events."""
