"""``python -m propeval_lite.cli`` is the command ``propeval``."""

import sys

from propeval_lite.cli import main

if __name__ == "__main__":
    sys.exit(main())
