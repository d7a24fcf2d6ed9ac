#!/usr/bin/env bash
# The built program has what makes faults in memory hard to exploit: it is loaded anywhere, its relocations are
# read-only, its stack frames and the C library's calls are checked, and indirect jumps land on marks.
#
#   hardened_test.sh PROGRAM
set -euo pipefail

program=$1
failures=0
expect() {
  local promise=$1 pattern=$2 text=$3
  grep -Eq "$pattern" <<<"$text" && return
  echo "missing: $promise"
  failures=$((failures + 1))
}

header=$(readelf -hW "$program")
segments=$(readelf -lW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf --dyn-syms -W "$program")
expect "position independence" 'Type: +DYN' "$header"
expect "position independence" 'FLAGS_1.*PIE' "$dynamic"
expect "read-only relocations" 'GNU_RELRO' "$segments"
expect "relocations at the start" 'BIND_NOW|FLAGS_1.*NOW' "$dynamic"
expect "a stack without code" 'GNU_STACK.* RW ' "$segments"
expect "checked stack frames" '__stack_chk_fail' "$symbols"
expect "checked calls of the C library" '__(memcpy|memmove|memset|read|pread|fprintf|snprintf|vsnprintf)_chk' "$symbols"
if [[ $(uname -m) == x86_64 ]]; then
  expect "marks for indirect jumps" 'endbr64' "$(objdump -d --no-show-raw-insn --disassemble=main "$program")"
fi
exit $((failures > 0))
