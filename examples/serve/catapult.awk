# Where a stone that a catapult throws comes down: the simulator of this example, a program of its own.
#
#   awk -f catapult.awk ANGLE SPEED DIAMETER
#
# prints by how many metres it misses the mark. If the arm breaks, nothing is printed, and the exit status is 1.

BEGIN {
    miss = thrown(ARGV[1], ARGV[2], ARGV[3])
    if (miss < 0)
        exit 1
    printf "%.4f\n", miss
}

# Metres by which a throw misses the mark; -1 if the arm breaks. The stone flies through air that slows it down by the
# square of its speed, and drops to the foot of the wall if it meets that.
function thrown(angle, speed, diameter,    mass, drag, x, y, vx, vy, v, before, wall, high, mark, step) {
    wall = 60; high = 18; mark = 95; step = 0.002
    mass = 2600 * 3.14159265 / 6 * diameter ^ 3
    if (mass * speed ^ 2 / 2 > 20000)
        return -1
    drag = 0.5 * 1.2 * 0.47 * 3.14159265 / 4 * diameter ^ 2 / mass
    vx = speed * cos(angle * 3.14159265 / 180)
    vy = speed * sin(angle * 3.14159265 / 180)
    for (x = y = 0; y >= 0; ) {
        v = sqrt(vx ^ 2 + vy ^ 2)
        vx -= step * drag * v * vx
        vy -= step * (9.81 + drag * v * vy)
        before = x
        x += step * vx
        y += step * vy
        if (before < wall && x >= wall && y < high) {
            x = wall
            break
        }
    }
    return x < mark ? mark - x : x - mark
}
