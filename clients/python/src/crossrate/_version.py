"""The version of the package, the same as that of the server it is released with."""

__version__ = "0.1.0"
