#!/bin/sh
# Search for the cheapest pipeline: ordbo suggests, pipeline.py computes, ordbo observes.
#
#   run.sh [BUDGET [SEED [FOLDER]]]
#
# Makes BUDGET (25) more evaluations in FOLDER (a new temporary one). It starts as a copy of the files beside this
# script, which stay as they are; a folder that holds a study already goes on with it, with the seed it has.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
budget=${1:-25}
seed=${2:-0}
case $budget$seed in
    *[!0-9]*)
        echo "usage: run.sh [BUDGET [SEED [FOLDER]]], the first two whole numbers" >&2
        exit 2
        ;;
esac
folder=${3:-$(mktemp -d)}

mkdir -p "$folder"
if [ ! -e "$folder/pipe.yaml" ]; then
    cp "$here/pipe.csv" "$folder/pipe.csv"
    sed "s/^seed: .*/seed: $seed/" "$here/pipe.yaml" >"$folder/pipe.yaml"
fi
cd "$folder"

while [ "$budget" -gt 0 ]; do
    budget=$((budget - 1))
    point=$(ordbo suggest pipe.yaml --format env)
    eval "$point"
    status=0
    # shellcheck disable=SC2154  # the ORDBO_ variables come from the eval
    cost=$(python3 "$here/pipeline.py" --diameter="$ORDBO_DIAMETER" --temperature="$ORDBO_TEMPERATURE" \
        --stations="$ORDBO_STATIONS" --flow="$ORDBO_FLOW") || status=$?
    case $status in
        0) ordbo observe pipe.yaml --id "$ORDBO_ID" cost="$cost" ;;
        1) ordbo observe pipe.yaml --id "$ORDBO_ID" --failed ;;
        *) exit "$status" ;; # no result, and not the design's fault
    esac
done

echo "study: $folder" >&2
ordbo best pipe.yaml
