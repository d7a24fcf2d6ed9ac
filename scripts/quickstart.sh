#!/usr/bin/env bash
# A first look: trains a model on bundled data, keeps some rows aside, and shows how well it does on them.
#
#   scripts/quickstart.sh PATH_OF_DISCERN
set -euo pipefail
cd "$(dirname "$0")/.."

discern=$1
dir=build/quickstart
mkdir -p "$dir"

# shows the command as a user would type it, then runs it
run() {
  printf '\n$ discern %s\n' "$*"
  "$discern" "$@"
}

cat <<'TEXT'

569 patients, 30 measurements of cell nuclei each: is the tumour benign or malignant?
Every fourth patient is kept aside to see how well the model does on people it has not met.
TEXT
awk 'NR == 1 || NR % 4' data/breast_cancer_wdbc.csv >"$dir/train.csv"
awk 'NR == 1 || NR % 4 == 0' data/breast_cancer_wdbc.csv >"$dir/test.csv"

run fit "$dir/train.csv" --target class --model logistic --l2 1 -o "$dir/tumour.model" --report "$dir/fit.html"
run evaluate "$dir/tumour.model" "$dir/test.csv" --report "$dir/test.html"
run inspect "$dir/tumour.model"

cat <<TEXT

The model is in $dir/tumour.model. Pictures of all this are in two pages, each one file that needs no network:
  xdg-open $dir/fit.html       what was learned, and how the fit went
  xdg-open $dir/test.html      how it does on people it has not met (or open the files in any browser)

Next:
  $discern predict $dir/tumour.model $dir/test.csv --output proba
  $discern --help
  make install            the tool, the library, the man page and shell completions
TEXT
