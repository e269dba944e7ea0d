"""The scoreboard: claims whose truth is known, and a runner that scores any auditor on them."""
