#!/bin/sh
# A study of comparisons alone: run.sh [DUELS [SEED [FOLDER]]]; called again, it goes on with the study in FOLDER.
set -eu
duels=${1:-40} seed=${2:-0} here=$(cd "$(dirname "$0")" && pwd)
folder=${3:-$(mktemp -d)}
mkdir -p "$folder"
[ -e "$folder/taste.yaml" ] || cp "$here/taste.yaml" "$folder"
cd "$folder"

while [ "$duels" -gt 0 ]; do
    pair=$(ordbo suggest taste.yaml --duel --quiet)
    one=$(echo "$pair" | sed -n '1s/.*"id": \([0-9]*\).*/\1/p')
    two=$(echo "$pair" | sed -n '2s/.*"id": \([0-9]*\).*/\1/p')
    case $(echo "$pair" | python3 "$here/taster.py" "$seed") in
        1) ordbo prefer taste.yaml "$one" over "$two" ;;
        2) ordbo prefer taste.yaml "$two" over "$one" ;;
        *) ordbo tie taste.yaml "$one" "$two" ;;
    esac
    duels=$((duels - 1))
done
ordbo check taste.yaml
ordbo best taste.yaml
