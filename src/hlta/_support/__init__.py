"""What every room may use: threads, files that appear whole, checks of arguments."""
