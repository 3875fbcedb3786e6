"""Documents that come with the package."""
