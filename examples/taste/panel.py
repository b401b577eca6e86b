"""A panel: reads lemonades as lines of JSON, prints a score of each by three judges, who have scales of their own.

usage: ordbo suggest panel.yaml -n 4 --quiet | python3 panel.py SEED | ordbo observe panel.yaml --file -
"""

import json
import math
import random
import sys

from taster import pleasure

JUDGES = {
    "anna": lambda good: round(10 - 9 * math.tanh(-good / 12)),  # points out of ten
    "bert": lambda good: round(40 * math.exp(good / 15), 1),  # per cent, and nobody ever gets half of them
    "cy": lambda good: max(1, 5 + math.floor(good / 5)),  # stars: all that is not good has one
}
ERRS = {"anna": 0.05, "bert": 0.2, "cy": 0.05}  # how often somebody scores what is not in the cup


def main():
    """Score all of them."""
    print("id,taste,judge")
    for lemonade in map(json.loads, sys.stdin):
        for judge, score in JUDGES.items():
            chance = random.Random(f"{sys.argv[1]} {judge} {lemonade['id']}")
            good = pleasure(lemonade["parameters"]) if chance.random() > ERRS[judge] else -40.0 * chance.random()
            print(lemonade["id"], score(good), judge, sep=",")


if __name__ == "__main__":
    main()
