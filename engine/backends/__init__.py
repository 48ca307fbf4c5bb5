"""Where counting runs besides the CPU. Nothing here is imported unless it is asked for."""
