"""From whole numbers to an answer: noise, formulas, intervals."""
