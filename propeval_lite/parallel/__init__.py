"""Work on many images: in several processes here, with a progress bar, and resumed where it was stopped."""

from propeval_lite.parallel.checkpoints import Checkpoint, source_digest
from propeval_lite.parallel.images import map_images, usual_workers

__all__ = ["Checkpoint", "map_images", "source_digest", "usual_workers"]
