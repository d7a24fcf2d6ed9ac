#!/usr/bin/env bash
# Writes the pages that the browser looks at.
#
#   pages.sh PROGRAM DIR
set -euo pipefail
data=$(cd "$(dirname "$0")/../../../data" && pwd)
program=$1
cd "$2"

page() {
  local name=$1
  shift
  "$program" "$@" --report "$name.html" --quiet >/dev/null
}

page fit-iris fit "$data/iris.csv" --target class --model lda
page fit-iris-qda fit "$data/iris.csv" --target class --model qda
page fit-wdbc fit "$data/breast_cancer_wdbc.csv" --target class --l2 1 -o wdbc.model
page fit-pima fit "$data/pima_tr.csv" --target type --l2 0 -o pima.model
page fit-digits fit "$data/digits.csv" --target class --pixels 8x8 -o digits.model
page fit-diabetes fit "$data/diabetes.csv" --target target --model least-squares --task regression -o diabetes.model
"$program" generate linear --rows 80 --margin 0.2 --features 2 --seed 3 -o two.csv --quiet
page fit-two fit two.csv --target class --model perceptron
