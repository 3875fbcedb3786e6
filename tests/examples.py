"""Small trees that several tests read by hand."""

import numpy as np

from hlta import LatentTree

HIERARCHY = LatentTree(
    words=tuple("abcdefgh"),
    # Two top-level latents (12 the root, 13 linked to it), each over two of level 1.
    parent=np.array([8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, -1, 12]),
    level=np.array([0] * 8 + [1] * 4 + [2] * 2),
    probability=np.array(
        [
            *([[0.1, 0.9], [0.1, 0.6], [0.1, 0.8], [0.05, 0.7]]),
            *([[0.9, 0.1], [0.6, 0.1], [0.02, 0.5], [0.02, 0.4]]),
            *([[0.1, 0.8], [0.1, 0.7], [0.9, 0.2], [0.1, 0.6], [0.3, 0.3], [0.1, 0.4]]),
        ]
    ),
)

OF_FLAT = np.array([[0.1, 0.9], [0.1, 0.7], [0.1, 0.5], [0.3, 0.3]])
FLAT = LatentTree("abc", [3, 3, 3, -1], [0, 0, 0, 1], OF_FLAT)
