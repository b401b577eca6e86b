"""Solve a heated rod by successive over-relaxation, with one factor for odd points and one for even ones.

usage: relaxation.py ODD EVEN

It prints how many sweeps it took, or `sweeps = >60` where it was stopped after so many.
"""

import sys

POINTS = 17
MOST = 60
SMALL = 1e-6


def sweeps(odd: float, even: float) -> int:
    """Return how many sweeps it takes until nothing changes any more, one more than the most if it does not end."""
    u = [0.0] * (POINTS + 2)
    for number in range(1, MOST + 1):
        change = 0.0
        for first, factor in ((1, odd), (2, even)):
            for k in range(first, POINTS + 1, 2):
                step = factor * (0.5 * (u[k - 1] + u[k + 1] + 0.01) - u[k])
                u[k] += step
                change = max(change, abs(step))
        if change < SMALL:
            return number
    return MOST + 1


def main() -> None:
    """Read the two factors, print the number of sweeps."""
    number = sweeps(*map(float, sys.argv[1:]))
    print(f"sweeps = {number if number <= MOST else f'>{MOST}'}")


main()
