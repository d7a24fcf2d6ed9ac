// A network: units as circles, weights as lines, the sign by colour and the size by width.
import type { Wiring } from "../types.ts";
import { html, svg } from "../parts/dom.ts";
import type { Described, Drawn } from "../parts/figure.ts";
import { number, short } from "../parts/format.ts";
import { Tooltip, type Target } from "../parts/tooltip.ts";

export function drawWiring(data: Wiring, description: Described): Drawn {
  const drawing = svg("svg", { role: "img", class: "plot", "aria-label": `${description.title}. ${description.text}` });
  const canvas = html("div", { class: "canvas" }, drawing);
  const tooltip = new Tooltip(canvas, drawing);
  const redraw = (width: number): void => {
    const wide = Math.min(width, 760);
    canvas.style.width = `${wide}px`;
    const most = Math.max(...data.layers.map((layer) => layer.units.length));
    const high = Math.max(220, Math.min(420, 84 * most));
    const radius = Math.min(24, high / (2.6 * most));
    drawing.setAttribute("viewBox", `0 0 ${wide} ${high + 34}`);
    drawing.replaceChildren();
    // Long names stand beside the first and the last layer; inside of circles is room for few letters.
    const last = data.layers.length - 1;
    const outside = (layer: number): boolean => (layer === 0 || layer === last) && data.layers[layer]!.units.some((unit) => [...unit].length > 5);
    const lettersOf = (layer: number): number => (outside(layer) ? Math.min(wide < 480 ? 8 : 20, Math.max(...data.layers[layer]!.units.map((unit) => [...unit].length))) : 0);
    const [before, behind] = [lettersOf(0), lettersOf(last)].map((letters) => Math.max(60, radius + 16 + 7 * letters)) as [number, number];
    const across = (layer: number): number => before + ((wide - before - behind) * layer) / Math.max(1, last);
    const down = (layer: number, unit: number): number => 30 + (high * (unit + 0.5)) / data.layers[layer]!.units.length;
    const largest = Math.max(...data.links.map((link) => Math.abs(link.weight)), 1e-12);
    const marks = svg("g", { class: "marks" });
    const targets: Target[] = [];
    for (const link of data.links) {
      const [x1, y1, x2, y2] = [across(link.layer), down(link.layer, link.from), across(link.layer + 1), down(link.layer + 1, link.to)];
      marks.append(svg("line", { x1, y1, x2, y2, class: link.weight < 0 ? "s0 dashed" : "s1", "stroke-width": (0.6 + (5 * Math.abs(link.weight)) / largest).toFixed(2) }));
      const share = 0.32;
      const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
      if (data.links.length <= 14) marks.append(svg("text", { x, y: y - 5, class: "mark-text", "text-anchor": "middle" }, number(link.weight, 3)));
      const names = [data.layers[link.layer]!.units[link.from]!, data.layers[link.layer + 1]!.units[link.to]!];
      targets.push({ x, y, text: `${names[0]} → ${names[1]}\nweight ${number(link.weight)}` });
    }
    data.layers.forEach((layer, l) => {
      drawing.append(svg("text", { x: across(l), y: 16, class: "axis-name", "text-anchor": "middle" }, short(layer.name, 18)));
      layer.units.forEach((unit, u) => {
        const [x, y] = [across(l), down(l, u)];
        marks.append(svg("circle", { cx: x, cy: y, r: radius, class: "unit" }));
        if (!outside(l)) marks.append(svg("text", { x, y: y + 4, class: "mark-text", "text-anchor": "middle" }, short(unit, 6)));
        else marks.append(svg("text", { x: l === 0 ? x - radius - 7 : x + radius + 7, y: y + 4, class: "row-name", "text-anchor": l === 0 ? "end" : "start" }, short(unit, lettersOf(l))));
        const bias = l > 0 ? data.biases[l - 1]?.[u] : undefined;
        if (bias !== undefined && most <= 8) marks.append(svg("text", { x, y: y + radius + 14, class: "row-value haloed", "text-anchor": "middle" }, `bias ${number(bias, 3)}`));
        targets.push({ x, y, text: bias === undefined ? unit : `${unit}\nbias ${number(bias)}` });
      });
    });
    drawing.append(marks);
    tooltip.set(targets);
  };
  const name = (layer: number, unit: number): string => data.layers[layer]!.units[unit]!;
  return {
    element: canvas,
    redraw,
    table: () => ({
      columns: ["from", "to", "weight"],
      rows: [
        ...data.links.map((link) => [name(link.layer, link.from), name(link.layer + 1, link.to), link.weight]),
        ...data.biases.flatMap((list, l) => list.map((bias, u) => ["bias", name(l + 1, u), bias])),
      ],
    }),
  };
}
