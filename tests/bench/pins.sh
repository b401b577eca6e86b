#!/bin/sh
# Bytes that a rebuilding must not change: help, schema, and for each preset and kind of problem a run with its CSV, state
# and suggestions; the examples likewise. Times are taken out. Usage: sh tests/bench/pins.sh ORDBO FOLDER, before and after; then diff -r.
set -e
ordbo=$1 out=$2 examples=$(CDPATH= cd -- "$(dirname -- "$0")/../../examples" && pwd)
mkdir "$out" "$out/bin"
out=$(CDPATH= cd -- "$out" && pwd)
ln -s "$(CDPATH= cd -- "$(dirname -- "$ordbo")" && pwd)/$(basename "$ordbo")" "$out/bin/ordbo"
ordbo=$out/bin/ordbo PATH=$out/bin:$PATH
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
  "$ordbo" predict p.yaml x=0.5 y=0.5 n=3 > predict.txt 2>&1 || true
  "$ordbo" check p.yaml --invariance > check.txt 2>&1 || true
  timeless
}
timeless() { # what was written, without times and versions
  rm -rf ./*.runs ./*.state.json.bak ./*.state.json.lock
  sed -i 's/"time": "[^"]*"/"time": 0/g' ./*.state.json ./*.suggestions.jsonl
  sed -i 's/"version": "[^"]*"//; s/ "ordbo": "[^"]*",//' ./*.state.json
}
example() { # folder, problem, evaluations, arguments of ordbo run
  folder=$1 problem=$2 budget=$3 && shift 3
  mkdir "$out/$folder" && cd "$out/$folder" && cp "$examples/$folder/"* .
  "$ordbo" run "$problem" --budget "$budget" "$@" > run.txt 2> run-said.txt
  "$ordbo" suggest "$problem" --explain > suggest.txt 2>&1
  "$ordbo" diagnose "$problem" > diagnose.txt 2>&1 || true
  timeless
}
shell_example() { # folder, budget
  mkdir "$out/$1"
  sh "$examples/$1/run.sh" "$2" 0 "$out/$1" > "$out/$1.txt" 2>&1
  cd "$out/$1" && timeless
}
(study default minimize linear 'method: default' 60)
(study metric-free minimize linear 'method: metric-free' 60)
(study paper minimize linear 'method: paper' 60)
(study constraints maximize log 'constraints: [x + y <= 1.2]' 40)
(study noise maximize log 'noise: true' 40)
(study ignore maximize log 'failed: ignore' 40)
(example solver solver.yaml 60 --stdin -- python3 solver.py)
(example spring spring.yaml 60 -- python3 spring.py '{length}' '{width}' '{thickness}')
(example stopped relaxation.yaml 60 -- python3 relaxation.py '{odd}' '{even}')
(example varnish varnish.yaml 60 -- python3 varnish.py '{thinner}' '{coats}' '{drying}' '{id}')
(shell_example pipe 60)
(shell_example taste 30)
(shell_example stirring 30)
rm -r "$out/bin"
for command in "" suggest observe run benchmark status check best predict plot report pending import export init serve \
  prefer tie diagnose schema completion; do
  "$1" $command --help >> "$out/help.txt"
done
"$1" schema > "$out/schema.json"
