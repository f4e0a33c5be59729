"""Inference, by a vote of rows and by a trained model."""
