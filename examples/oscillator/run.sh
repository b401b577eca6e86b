#!/bin/sh
# Search for the best oscillator: ordbo writes the netlist, measure.py runs ngspice on it, ordbo observes.
#
#   run.sh [BUDGET [SEED [FOLDER]]]
#
# Makes BUDGET (20) more evaluations in FOLDER (a new temporary one). It starts as a copy of the files beside this
# script, which stay as they are; a folder that holds a study already goes on with it, with the seed it has.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
budget=${1:-20}
seed=${2:-0}
case $budget$seed in
    *[!0-9]*)
        echo "usage: run.sh [BUDGET [SEED [FOLDER]]], the first two whole numbers" >&2
        exit 2
        ;;
esac
folder=${3:-$(mktemp -d)}

mkdir -p "$folder"
if [ ! -e "$folder/oscillator.yaml" ]; then
    cp "$here/oscillator.csv" "$folder/oscillator.csv"
    sed "s/^seed: .*/seed: $seed/" "$here/oscillator.yaml" >"$folder/oscillator.yaml"
fi
cd "$folder"

while [ "$budget" -gt 0 ]; do
    budget=$((budget - 1))
    point=$(ordbo suggest oscillator.yaml --format env \
        --template "$here/oscillator.tpl" --delimiters '@ @' -o case.cir)
    eval "$point"
    status=0
    error=$(python3 "$here/measure.py" case.cir) || status=$?
    # shellcheck disable=SC2154  # ORDBO_ID comes from the eval
    case $status in
        0) ordbo observe oscillator.yaml --id "$ORDBO_ID" error="$error" ;;
        1) ordbo observe oscillator.yaml --id "$ORDBO_ID" --failed ;;
        *) exit "$status" ;; # no result, and not the circuit's fault
    esac
done

echo "study: $folder" >&2
ordbo best oscillator.yaml
