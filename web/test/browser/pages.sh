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
page fit-iris-logistic fit "$data/iris.csv" --target class -o iris.model
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
page evaluate-iris evaluate iris.model "$data/iris.csv"
page evaluate-digits evaluate digits.model "$data/digits.csv"
page cv-iris cv "$data/iris.csv" --target class --model lda --folds 10
page cv-pima cv "$data/pima_tr.csv" --target type --grid l2=0.1,1,10,100
page cv-wdbc cv "$data/breast_cancer_wdbc.csv" --target class --learning-curve
page cv-digits cv "$data/digits.csv" --target class --model lda
page cv-diabetes cv "$data/diabetes.csv" --target target --task regression --model ridge
page compare-pima compare "$data/pima_tr.csv" --target type --models lda,qda,logistic,naive-bayes,svm,perceptron
page compare-iris compare "$data/iris.csv" --target class --models lda,qda,logistic
page compare-wdbc compare "$data/breast_cancer_wdbc.csv" --target class --models lda,naive-bayes
page compare-digits compare "$data/digits.csv" --target class --models lda,naive-bayes --folds 3
page compare-diabetes compare "$data/diabetes.csv" --target target --task regression --models ridge,least-squares,lasso
page path-diabetes path "$data/diabetes.csv" --target target --model lasso --task regression --folds 5
page path-iris path "$data/iris.csv" --target class --model logistic
page path-pima path "$data/pima_tr.csv" --target type --model logistic --folds 5
page path-wdbc path "$data/breast_cancer_wdbc.csv" --target class --model logistic --points 20
page path-digits path "$data/digits.csv" --target class --model logistic --points 10
page separable-iris separable "$data/iris.csv" --target class
page separable-wdbc separable "$data/breast_cancer_wdbc.csv" --target class
page separable-pima separable "$data/pima_tr.csv" --target type
page separable-digits separable "$data/digits.csv" --target class
page separable-two separable two.csv --target class
page project-iris project "$data/iris.csv" --target class
page project-digits project "$data/digits.csv" --target class --pixels 8x8
page project-wdbc project "$data/breast_cancer_wdbc.csv" --target class
page project-pima project "$data/pima_tr.csv" --target type
page inspect-digits inspect digits.model --pixels 8x8
page inspect-pima inspect pima.model --data "$data/pima_tr.csv" --influence
page inspect-iris inspect iris.model
page inspect-diabetes inspect diabetes.model --data "$data/diabetes.csv" --influence
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
