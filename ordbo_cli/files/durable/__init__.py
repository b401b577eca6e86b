"""Files that survive kills, full disks and other programs: atomic writes, journal, lock."""
