"""The minimality attack, and the finer tables and worlds it reckons with."""
