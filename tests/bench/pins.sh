#!/bin/sh
# Bytes that a rebuilding must not change: help, schema, and for each preset and kind of problem a run with its CSV, state
# and suggestions. Times are taken out. Usage: sh tests/bench/pins.sh ORDBO FOLDER, before and after; then diff -r.
set -e
ordbo=$1 out=$2
mkdir "$out"
cat > "$out/f.py" <<'P'
import sys
x, y, n = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
if x > 0.9 and y > 0.8:
    print("failed")
else:
    print("f =", 100 * (x - 0.3) ** 2 + (y - 0.6) ** 2 * 10 ** (n % 3) + (3 if x < y else 0) + abs(n - 4))
P
study() { # name, goal, scale of y, line of the problem file, evaluations
  mkdir "$out/$1" && cd "$out/$1"
  printf 'version: 1\nobjective: {name: f, goal: %s}\nparameters:\n  x: {min: 0, max: 1}\n  y: {min: 0.001, max: 1, scale: %s}\n  n: {type: int, min: 1, max: 9}\n%s\n' "$2" "$3" "$4" > p.yaml
  "$ordbo" run p.yaml --budget "$5" -- python3 ../f.py '{x}' '{y}' '{n}' > run.txt 2> run-said.txt
  "$ordbo" suggest p.yaml -n 3 --explain > suggest.txt 2>&1
  "$ordbo" best p.yaml > best.txt 2>&1
  "$ordbo" diagnose p.yaml > diagnose.txt 2>&1
  "$ordbo" export p.yaml > export.csv
  rm -rf p.runs p.state.json.bak p.state.json.lock
  sed -i 's/"time": "[^"]*"/"time": 0/g' p.state.json p.suggestions.jsonl
  sed -i 's/"version": "[^"]*"//; s/ "ordbo": "[^"]*",//' p.state.json
}
(study default minimize linear 'method: default' 60)
(study metric-free minimize linear 'method: metric-free' 60)
(study paper minimize linear 'method: paper' 60)
(study constraints maximize log 'constraints: [x + y <= 1.2]' 40)
(study noise maximize log 'noise: true' 40)
(study ignore maximize log 'failed: ignore' 40)
for command in "" suggest observe run benchmark status check best predict plot report pending import export init serve \
  prefer tie diagnose schema completion; do
  "$ordbo" $command --help >> "$out/help.txt"
done
"$ordbo" schema > "$out/schema.json"
