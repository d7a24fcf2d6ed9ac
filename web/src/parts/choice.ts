// A drop-down list where a figure has several parts of which one is shown.
import { fresh, html } from "./dom.ts";
import { short } from "./format.ts";

export function choice(label: string, names: string[], show: (i: number) => void): HTMLElement | null {
  if (names.length < 2) return null;
  const id = fresh("choice");
  const list = html("select", { id }, ...names.map((name, i) => html("option", { value: i }, short(name, 60))));
  list.addEventListener("change", () => show(Number(list.value)));
  return html("div", { class: "choice" }, html("label", { for: id }, label), list);
}
