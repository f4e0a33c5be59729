"""The attack of the impossibility proof."""
