"""What several pages show: text, tables, charts, roles, forms. A value is always text, never HTML."""
