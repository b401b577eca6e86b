"""Stands for a coat of varnish and whoever looks at it: prints a word for how it looks.

usage: ordbo run varnish.yaml --budget 40 -- python3 varnish.py {thinner} {coats} {drying} {id}
"""

import random
import sys

LOOKS = ("runs", "dull", "fair", "glossy", "mirror")
HEAT = {"air": 0.0, "lamp": 1.0, "oven": 2.0}


def gloss(thinner, coats, drying):
    """Return the gloss on the mean, from 0 to 5: thin coats need more of them, thick ones run in the heat."""
    body = coats * (1.0 - thinner / 100.0)
    runs = max(0.0, 1.5 * HEAT[drying] - thinner / 12.0) + max(0.0, body - 4.5)
    return max(0.0, 4.9 - 0.5 * abs(body - 3.6) - 0.35 * abs(HEAT[drying] - 1.0) - 1.6 * runs)


def main():
    """Look at it."""
    thinner, coats, drying, attempt = sys.argv[1:]
    seen = gloss(float(thinner), int(coats), drying) + random.Random(attempt).gauss(0.0, 0.4)
    print(f"look = {LOOKS[max(0, min(len(LOOKS) - 1, int(seen)))]}")


if __name__ == "__main__":
    main()
