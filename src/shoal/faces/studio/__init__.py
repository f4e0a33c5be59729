"""Shoal in a browser: form → run → page. ARCHITECTURE.md says how a page is added."""
