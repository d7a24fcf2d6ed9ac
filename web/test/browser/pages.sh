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
page evaluate-pima evaluate pima.model "$data/pima_te.csv"
page evaluate-wdbc evaluate wdbc.model "$data/breast_cancer_wdbc.csv"
page evaluate-diabetes evaluate diabetes.model "$data/diabetes.csv"
page cv-iris cv "$data/iris.csv" --target class --model lda --folds 10
page cv-pima cv "$data/pima_tr.csv" --target type --grid l2=0.1,1,10,100
page cv-wdbc cv "$data/breast_cancer_wdbc.csv" --target class --learning-curve
page compare-pima compare "$data/pima_tr.csv" --target type --models lda,qda,logistic,naive-bayes,svm,perceptron
page path-diabetes path "$data/diabetes.csv" --target target --model lasso --task regression --folds 5
page path-iris path "$data/iris.csv" --target class --model logistic
page separable-iris separable "$data/iris.csv" --target class
page separable-two separable two.csv --target class
page project-iris project "$data/iris.csv" --target class
page project-digits project "$data/digits.csv" --target class --pixels 8x8
page project-wdbc project "$data/breast_cancer_wdbc.csv" --target class
page inspect-digits inspect digits.model --pixels 8x8
page inspect-pima inspect pima.model --data "$data/pima_tr.csv" --influence
page inspect-wdbc inspect wdbc.model --data "$data/breast_cancer_wdbc.csv"
page fit-iris-bayes fit "$data/iris.csv" --target class --model naive-bayes
page fit-iris-mlp fit "$data/iris.csv" --target class --model mlp --layers 4 --seed 1
page fit-digits-ovo fit "$data/digits.csv" --target class --model svm --multiclass ovo
page fit-iris-unanimous fit "$data/iris.csv" --target class --model logistic --multiclass ovr --decision unanimous
page describe-pima describe "$data/pima_tr.csv" --target type
page describe-votes describe "$data/house_votes84_missing.csv" --target Class
page describe-diabetes describe "$data/diabetes.csv" --target target
page describe-digits describe "$data/digits.csv" --target class
page demo-all demo --all

# A table that means harm, or is just unusual: markup for names, a label of 10 kB, 300 classes, 5,000 columns, constants.
awk 'BEGIN {
  printf "</script><script>alert(1)</script>,\"<img src=x onerror=alert(2)>\",constant,class\n"
  for (i = 0; i < 10000; i++) long = long "x"
  for (i = 0; i < 60; i++) printf "%d,%d,1,%s\n", i % 7 + i % 2, i % 5, i % 2 ? "<b>&amp;" : long
}' >hostile.csv
page hostile-markup fit hostile.csv --target class --model lda
page hostile-describe describe hostile.csv --target class
page hostile-describe-texts describe hostile.csv --categorical constant
awk 'BEGIN {
  printf "class"; for (j = 0; j < 5000; j++) printf ",c%d", j; printf "\n"
  for (i = 0; i < 600; i++) { printf "k%d", i % 300; for (j = 0; j < 5000; j++) printf ",%d", (i * 7 + j * j) % 11; printf "\n" }
}' >wide.csv
page hostile-wide fit wide.csv --target class --model least-squares --l2 10
page hostile-wide-describe describe wide.csv --target class --all
