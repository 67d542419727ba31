# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window tells a screen reader. What a real one says is in tests/real/screen_reader.py."""

import os
import sys
import tempfile

import tap
from driver import Desktop
from ear import Announcements
from spoken_scenes import SCENES

BUILD = os.path.abspath(sys.argv[1])


def listen(scene):
    def test():
        with tempfile.TemporaryDirectory() as folder, Announcements(folder) as ear:
            scene(BUILD, ear)
    test.__name__ = scene.__name__
    return test


if __name__ == '__main__':
    sys.exit(tap.run([listen(scene) for scene in SCENES], sys.argv[2:], Desktop))
