#!/bin/sh
# The array job of array.sh on this machine, without Slurm: all tasks at once.
#
#   run.sh [TASKS [SEED [FOLDER]]]
#
# Starts TASKS (16) tasks in FOLDER (a new temporary one). It starts as a copy of the files beside this script, which
# stay as they are; a folder that holds a study already goes on with it, with the seed it has.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
count=${1:-16}
seed=${2:-0}
case $count$seed in
    *[!0-9]*)
        echo "usage: run.sh [TASKS [SEED [FOLDER]]], the first two whole numbers" >&2
        exit 2
        ;;
esac
folder=${3:-$(mktemp -d)}

mkdir -p "$folder"
if [ ! -e "$folder/solver.yaml" ]; then
    cp "$here/array.sh" "$here/solver.py" "$folder"
    sed "s/^seed: .*/seed: $seed/" "$here/solver.yaml" >"$folder/solver.yaml"
fi

tasks=
# shellcheck disable=SC2086  # many words
trap 'kill $tasks 2>/dev/null; wait; exit 130' INT TERM
while [ "$count" -gt 0 ]; do
    count=$((count - 1))
    sh "$folder/array.sh" "$folder" &
    tasks="$tasks $!"
done
failed=0
for task in $tasks; do
    wait "$task" || failed=$?
done

echo "study: $folder" >&2
ordbo best "$folder/solver.yaml"
exit "$failed"
