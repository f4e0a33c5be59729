"""Classifier accuracy, and the learners it tries."""
