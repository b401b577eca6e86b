"""A taster: reads two lemonades as lines of JSON, prints ``1``, ``2`` or ``tie``, and errs in one of ten cases.

usage: ordbo suggest taste.yaml --duel --quiet | python3 taster.py SEED
"""

import json
import random
import sys


def pleasure(lemonade):
    """Return how good a lemonade is: sweet and sour have to balance, and too sweet is worse than too sour."""
    sugar, acid = lemonade["sugar"], lemonade["acid"]
    balance = sugar - 6.0 * acid - 4.0
    return -abs(balance) * (1.5 if balance > 0 else 1.0) - 2.0 * abs(acid - 3.2)


def main():
    """Compare the two."""
    one, two = (json.loads(line) for line in sys.stdin)
    chance = random.Random(f"{sys.argv[1]} {one['id']} {two['id']}")
    difference = pleasure(one["parameters"]) - pleasure(two["parameters"])
    if abs(difference) < 0.2:
        print("tie")
    else:
        print("1" if (difference > 0) != (chance.random() < 0.1) else "2")


if __name__ == "__main__":
    main()
