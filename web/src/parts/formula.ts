// Formulas in plain text, set as mathematics: x_i and S_{W} with an index, e^(-x) raised, single letters in italics,
// and a letter with a digit (w1) as the letter with an index.
import { html } from "./dom.ts";

const index = String.raw`([_^])(?:\{([^}]*)\}|\(([^()]*(?:\([^()]*\)[^()]*)*)\)|([a-zA-Z0-9α-ω]+))`;
const numbered = String.raw`(?<![a-zA-Z0-9_'])([a-zA-Z])(\d)(?![a-zA-Z0-9])`;
const single = String.raw`(?<![a-zA-Z0-9_'])([a-zA-Z][\u0300-\u036f]*)(?![a-zA-Z0-9])`;
const pattern = new RegExp(`${index}|${numbered}|${single}`, "gu");

export function typeset(text: string): Node[] {
  const out: Node[] = [];
  let from = 0;
  const plain = (to: number): void => {
    if (to > from) out.push(document.createTextNode(text.slice(from, to)));
  };
  for (const match of text.matchAll(pattern)) {
    plain(match.index);
    from = match.index + match[0].length;
    const [, sign, braces, round, word, letter, digit, alone] = match;
    if (sign) out.push(html(sign === "_" ? "sub" : "sup", {}, ...typeset(braces ?? round ?? word ?? "")));
    else if (letter) out.push(html("i", {}, letter), html("sub", {}, digit ?? ""));
    else out.push(html("i", {}, alone ?? ""));
  }
  plain(text.length);
  return out;
}
