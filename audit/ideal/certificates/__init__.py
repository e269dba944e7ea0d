"""Programs on ideal noise: draws are real random variables, arithmetic is real, and answers are exact."""
