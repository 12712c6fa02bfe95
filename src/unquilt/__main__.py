"""`python -m unquilt` is `unquilt`."""

from unquilt.cli import main

main()
