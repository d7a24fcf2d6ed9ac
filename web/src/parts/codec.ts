// Numbers as text: two characters of 64 each, 0 to 4095, from `low` to `high`; "~~" is no number.
import type { Packed, Window } from "../types.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const place = new Map([...alphabet].map((c, i) => [c, i]));

export function unpack(packed: Packed): Float64Array {
  const count = packed.text.length >> 1;
  const out = new Float64Array(count);
  const scale = (packed.high - packed.low) / 4095;
  for (let i = 0; i < count; i++) {
    const high = place.get(packed.text[2 * i]!);
    const low = place.get(packed.text[2 * i + 1]!);
    out[i] = high === undefined || low === undefined ? NaN : packed.low + scale * (64 * high + low);
  }
  return out;
}

// Runs [value, count, ...] to one value a cell.
export function expand(runs: number[], window: Window): Int32Array {
  const out = new Int32Array(window.cols * window.rows);
  let at = 0;
  for (let i = 0; i + 1 < runs.length; i += 2) {
    out.fill(runs[i]!, at, at + runs[i + 1]!);
    at += runs[i + 1]!;
  }
  return out;
}
