"""Properties have no deadline, since the twins are slow; HYPOTHESIS_MAX_EXAMPLES asks for more examples."""

import os

from hypothesis import settings

settings.register_profile("twins", deadline=None, max_examples=int(os.environ.get("HYPOTHESIS_MAX_EXAMPLES", "100")))
settings.load_profile("twins")
