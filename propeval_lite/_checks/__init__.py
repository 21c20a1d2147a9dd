"""The border: every check of input, each with an error that helps."""
