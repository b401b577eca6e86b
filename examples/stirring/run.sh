#!/bin/sh
# Search for the finest emulsion on a bench whose knob has no scale: ordbo names neighbours, bench.py turns the knob.
#
#   run.sh [BUDGET [SEED [FOLDER]]]
#
# Makes BUDGET (25) more evaluations in FOLDER (a new temporary one), which starts as a copy of stirring.yaml; a folder
# that holds a study already goes on with it, with the seed it has.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
budget=${1:-25}
seed=${2:-1}
case $budget$seed in
    *[!0-9]*)
        echo "usage: run.sh [BUDGET [SEED [FOLDER]]], the first two whole numbers" >&2
        exit 2
        ;;
esac
folder=${3:-$(mktemp -d)}

mkdir -p "$folder"
if [ ! -e "$folder/stirring.yaml" ]; then
    sed "s/^seed: .*/seed: $seed/" "$here/stirring.yaml" >"$folder/stirring.yaml"
fi
cd "$folder"

while [ "$budget" -gt 0 ]; do
    budget=$((budget - 1))
    point=$(ordbo suggest stirring.yaml --format env)
    eval "$point"
    # shellcheck disable=SC2154  # the ORDBO_ variables come from the eval
    droplets=$(python3 "$here/bench.py" notebook.json "$ORDBO_ID" "$ORDBO_TEMPERATURE" "$ORDBO_STIR")
    ordbo observe stirring.yaml --id "$ORDBO_ID" droplets="$droplets"
done

echo "study: $folder" >&2
ordbo best stirring.yaml
