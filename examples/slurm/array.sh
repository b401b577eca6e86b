#!/bin/sh
#SBATCH --job-name=solver
#SBATCH --ntasks=1
#SBATCH --time=00:30:00
#SBATCH --signal=B:TERM@60
#SBATCH --open-mode=append
# One task of a job array: asks for a point, simulates it, records what came out.
#
#   sbatch --array=1-200%16 array.sh       200 evaluations, 16 at once, for the study in the folder this is called in
#   sh array.sh FOLDER                     one evaluation without Slurm
#
# A task that is cancelled, preempted or out of time gets a SIGTERM, and hands its point back: the next task that asks
# is given the same one. (--signal lets that come a minute before the time limit, and B: sends it to this shell.)

study=${1:-${SLURM_SUBMIT_DIR:-.}} # not where this file is: Slurm runs a copy of it
cd -- "$study" && study=$(pwd) || exit
scratch=$(mktemp -d "${TMPDIR:-/tmp}/solver-XXXXXX") || exit
trap 'rm -rf "$scratch"' EXIT
patience="--lock-timeout 600" # a whole array may want to ask at once

hand_back() {
    [ -s "$scratch/point" ] || return 0
    # shellcheck source=/dev/null
    . "$scratch/point"
    # shellcheck disable=SC2086  # two words
    ordbo observe solver.yaml --id "$ORDBO_ID" --retry $patience
}

stop() {
    trap '' TERM INT # said once is enough; and ordbo inherits it
    [ -z "$!" ] || kill "$!" 2>/dev/null
    hand_back
    exit 143
}
trap stop TERM INT

# The signal may reach the children of this shell as well. This one ends what it has begun: a point that was
# handed out is written down, and stop (which waits for it) knows which one it was.
# shellcheck disable=SC2086
(trap '' TERM INT && exec ordbo suggest solver.yaml --append --format env $patience) >"$scratch/point"
status=$?
case $status in
    0)
        # shellcheck source=/dev/null
        . "$scratch/point"
        ;;
    3) exit 0 ;; # nothing is left to try
    *) exit "$status" ;;
esac

# In the background, because a shell takes no signal while it runs something in front. With MPI: exec srun ./solver ...
# shellcheck disable=SC2154  # the ORDBO_ variables come from the point
(cd "$scratch" && exec python3 "$study/solver.py" \
    --tile="$ORDBO_TILE" --ranks="$ORDBO_RANKS" --buffer="$ORDBO_BUFFER" >result) &
wait "$!"
status=$?

trap '' TERM INT # there is a result: it is recorded, whatever comes
case $status in
    0) set -- "seconds=$(cat "$scratch/result")" ;;
    2 | 126 | 127 | 130 | 143) # no fault of the point's: called wrongly, not there, ended by a signal
        hand_back
        exit "$status"
        ;;
    *) set -- --failed ;;
esac
# shellcheck disable=SC2086
ordbo observe solver.yaml --id "$ORDBO_ID" "$@" $patience || {
    status=$?
    echo "array.sh: not recorded, do it by hand: ordbo observe solver.yaml --id $ORDBO_ID $*" >&2
    exit "$status"
}
