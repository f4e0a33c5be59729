"""Partners for hubs whom nobody wants: members of large classes move on by one."""
