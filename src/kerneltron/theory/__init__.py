"""What can be proved of a run, and seen holding: margins, mistake bounds, certificates, lemmas, regret."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
