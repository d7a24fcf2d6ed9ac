// Elements with attributes and children. Text is always set as text, never as markup.
type Child = Node | string;

function fill<T extends Element>(node: T, attributes: Record<string, string | number | boolean | undefined>, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

let count = 0;
export function fresh(prefix: string): string {
  return `${prefix}-${++count}`;
}

// A sentence whose parts between backquotes are code.
export function prose(text: string): Node[] {
  return text.split("`").map((part, i) => (i % 2 === 1 ? html("code", {}, part) : document.createTextNode(part)));
}
