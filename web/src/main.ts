// Reads the page's data and draws its figures under the summary that the page already has.
import { drawFigure } from "./figures/index.ts";
import { html, prose } from "./parts/dom.ts";
import { typeset } from "./parts/formula.ts";
import type { Drawn } from "./parts/figure.ts";
import { rounded, short } from "./parts/format.ts";
import { TableToggle } from "./parts/table.ts";
import type { Figure, Page } from "./types.ts";

function sectionOf(figure: Figure): { section: HTMLElement; drawn: Drawn; body: HTMLElement } {
  let toggle: TableToggle | null = null;
  const drawn = drawFigure(figure.data, { title: figure.title, text: figure.text }, () => toggle?.refresh());
  toggle = new TableToggle(figure.id, figure.title, () => drawn.table());
  const body = html("div", { class: "body" }, drawn.element);
  const section = html("section", { class: "figure", id: figure.id, "aria-labelledby": `${figure.id}-title` });
  section.append(html("h2", { id: `${figure.id}-title` }, figure.title));
  section.append(html("p", { class: "text" }, ...prose(figure.text)));
  if (figure.formula) section.append(html("p", { class: "formula" }, ...typeset(figure.formula)));
  section.append(body);
  if (figure.numbers && figure.numbers.length > 0)
    section.append(html("dl", { class: "tiles" }, ...figure.numbers.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, short(rounded(value), 80))))));
  for (const note of figure.notes ?? []) section.append(html("p", { class: "note" }, ...prose(note)));
  section.append(toggle.element);
  return { section, drawn, body };
}

// The width of a sheet of A4 between the margins of style.css, in its pixels.
const paper = 688;

function start(): void {
  const source = document.getElementById("data");
  const place = document.getElementById("figures");
  if (!source || !place) return;
  const page = JSON.parse(source.textContent ?? "") as Page;
  const all = page.figures.map(sectionOf);
  if (page.figures.length > 2) {
    const list = page.figures.map((figure) => html("li", {}, html("a", { href: `#${figure.id}` }, figure.title)));
    place.append(html("nav", { "aria-label": "Figures" }, html("ol", {}, ...list)));
  }
  for (const { section } of all) place.append(section);
  let width = 0;
  const printing = matchMedia("print");
  const draw = (): void => {
    const next = printing.matches ? paper : (all[0]?.body.clientWidth ?? 0);
    if (next === width || next === 0) return;
    width = next;
    for (const { drawn } of all) drawn.redraw(width);
  };
  draw();
  new ResizeObserver(draw).observe(place);
  printing.addEventListener("change", draw);
  document.documentElement.setAttribute("data-drawn", "yes");
}

start();
