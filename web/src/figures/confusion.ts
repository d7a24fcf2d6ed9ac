// The confusion table: the truth down, the decision across, each row shaded by its shares.
import type { Confusion } from "../types.ts";
import { html, svg } from "../parts/dom.ts";
import type { Described, Drawn } from "../parts/figure.ts";
import { number, percent, short } from "../parts/format.ts";
import { Tooltip, type Target } from "../parts/tooltip.ts";

export function drawConfusion(data: Confusion, description: Described): Drawn {
  const drawing = svg("svg", { role: "img", class: "plot", "aria-label": `${description.title}. ${description.text}` });
  const canvas = html("div", { class: "canvas" }, drawing);
  const tooltip = new Tooltip(canvas, drawing);
  const redraw = (width: number): void => {
    const rows = data.classes.length;
    const cols = data.predicted.length;
    const wide = Math.min(width, 200 + 92 * cols, 760);
    canvas.style.width = `${wide}px`;
    const letters = Math.min(wide < 480 ? 10 : 18, Math.max(...data.classes.map((name) => [...name].length)));
    const left = 40 + 7 * letters;
    // Names that are wider than a column are tilted, and the last of them needs room to the right.
    const tilted = (wide - left - 8) / cols < 8 * Math.min(10, Math.max(...data.predicted.map((name) => [...name].length)));
    const cell = (wide - left - (tilted ? 56 : 8)) / cols;
    const high = Math.max(18, Math.min(cell, 54));
    const top = tilted ? 90 : 46;
    drawing.setAttribute("viewBox", `0 0 ${wide} ${top + rows * high + 10}`);
    drawing.replaceChildren();
    drawing.append(svg("text", { class: "axis-name", x: left + (cell * cols) / 2, y: 14, "text-anchor": "middle" }, "decided"));
    drawing.append(svg("text", { class: "axis-name", transform: `translate(13 ${top + (rows * high) / 2}) rotate(-90)`, "text-anchor": "middle" }, "truth"));
    const targets: Target[] = [];
    data.predicted.forEach((name, j) => {
      const x = left + cell * (j + 0.5);
      const place = tilted ? { transform: `translate(${x + 4} ${top - 8}) rotate(-50)` } : { x, y: top - 8, "text-anchor": "middle" };
      drawing.append(svg("text", { ...place, class: "row-name" }, short(name, tilted ? 12 : Math.max(3, Math.floor(cell / 7)))));
    });
    const marks = svg("g", { class: "marks" });
    data.counts.forEach((row, i) => {
      const y = top + high * i;
      drawing.append(svg("text", { x: left - 8, y: y + high / 2 + 4, class: "row-name", "text-anchor": "end" }, short(data.classes[i]!, letters)));
      const sum = row.reduce((a, b) => a + b, 0);
      row.forEach((count, j) => {
        const share = sum > 0 ? count / sum : 0;
        const x = left + cell * j;
        const right = i === j;
        marks.append(svg("rect", { x: x + 1, y: y + 1, width: cell - 2, height: high - 2, rx: 2, class: right ? "f0" : "f1", "fill-opacity": count === 0 ? 0.04 : (0.1 + 0.45 * Math.sqrt(share)).toFixed(3) }));
        if (cell > 26 && (count > 0 || rows <= 12)) {
          const both = cell > 64 && high > 40 && count > 0;
          marks.append(svg("text", { x: x + cell / 2, y: y + high / 2 + (both ? -1 : 4), class: count === 0 ? "cell faint" : "cell", "text-anchor": "middle" }, number(count)));
          if (both) marks.append(svg("text", { x: x + cell / 2, y: y + high / 2 + 14, class: "cell small", "text-anchor": "middle" }, percent(share)));
        }
        targets.push({ x: x + cell / 2, y: y + high / 2, text: `truth ${short(data.classes[i]!, 60)}, decided ${short(data.predicted[j]!, 60)}\n${number(count)} rows, ${percent(share)} of that class` });
      });
    });
    drawing.append(marks);
    tooltip.set(targets);
  };
  return {
    element: canvas,
    redraw,
    table: () => ({ columns: ["truth", ...data.predicted.map((name) => `decided ${name}`)], rows: data.counts.map((row, i) => [data.classes[i]!, ...row]) }),
  };
}
