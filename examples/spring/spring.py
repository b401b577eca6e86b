"""A leaf spring of steel, clamped at one end, with a load of 500 N at the other (the theory of slender beams).

usage: spring.py LENGTH WIDTH THICKNESS, all in mm

It prints mass, deflection and stress. Where the spring breaks there is no deflection, and it is not weighed either.
"""

import sys

LOAD = 500.0  # N
MODULUS = 206_000.0  # N/mm2
DENSITY = 7.85e-6  # kg/mm3
STRENGTH = 1_200.0  # N/mm2


def main() -> None:
    """Read the three lengths, print what the spring is like."""
    length, width, thickness = map(float, sys.argv[1:])
    stress = 6.0 * LOAD * length / (width * thickness**2)
    print(f"stress = {stress:.6g}")
    if stress > STRENGTH:
        print("the spring broke")
        return
    print(f"deflection = {4.0 * LOAD * length**3 / (MODULUS * width * thickness**3):.6g}")
    print(f"mass = {DENSITY * length * width * thickness:.6g}")


main()
