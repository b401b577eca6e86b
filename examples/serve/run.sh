#!/bin/sh
# A whole study with one ordbo process: this shell talks to 'ordbo serve' through two named pipes.
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
if [ ! -e "$folder/catapult.yaml" ]; then
    sed "s/^seed: .*/seed: $seed/" "$here/catapult.yaml" >"$folder/catapult.yaml"
fi

server=
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"; [ -z "$server" ] || kill "$server" 2>/dev/null || :' EXIT
trap 'exit 130' INT TERM
mkfifo "$pipes/requests" "$pipes/answers"

ordbo serve "$folder/catapult.yaml" --stdio <"$pipes/requests" >"$pipes/answers" &
server=$!
exec 3>"$pipes/requests" 4<"$pipes/answers" # in this order: the server opens them in the same one
trap '' PIPE # a server that has gone makes an error here, not an end without a clean-up

# Send a request; its answer is then in $answer, one line of JSON.
send() {
    printf '%s\n' "$1" >&3
    read -r answer <&4 || exit 1 # the server has gone, and has said why
    case $answer in
        '{"error"'*)
            printf '%s\n' "$answer" >&2
            exit 1
            ;;
    esac
}

# Print the number that stands under a name in $answer.
number() {
    printf '%s\n' "$answer" | sed -n "s/.*\"$1\": \([-+.eE0-9]*\).*/\1/p"
}

while [ "$budget" -gt 0 ]; do
    budget=$((budget - 1))
    send '{"ask": 1}'
    id=$(number id)
    status=0
    miss=$(LC_ALL=C awk -f "$here/catapult.awk" "$(number angle)" "$(number speed)" "$(number diameter)") || status=$?
    case $status in
        0) send "{\"tell\": {\"id\": $id, \"objective\": $miss}}" ;;
        1) send "{\"tell\": {\"id\": $id, \"failed\": true}}" ;;
        *) exit "$status" ;; # no result, and not the throw's fault
    esac
done

send '{"best": true}'
echo "study: $folder" >&2
printf '%s\n' "$answer"
exec 3>&- # the end of its input ends the server
wait "$server"
server=
