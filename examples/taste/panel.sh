#!/bin/sh
# A panel of three who score: panel.sh [ROUNDS [SEED [FOLDER]]]; called again, it goes on with the study in FOLDER.
set -eu
rounds=${1:-8} seed=${2:-0} here=$(cd "$(dirname "$0")" && pwd)
folder=${3:-$(mktemp -d)}
mkdir -p "$folder"
[ -e "$folder/panel.yaml" ] || cp "$here/panel.yaml" "$folder"
cd "$folder"

while [ "$rounds" -gt 0 ]; do
    ordbo suggest panel.yaml -n 4 --quiet | python3 "$here/panel.py" "$seed" | ordbo observe panel.yaml --file -
    rounds=$((rounds - 1))
done
ordbo status panel.yaml
ordbo best panel.yaml
