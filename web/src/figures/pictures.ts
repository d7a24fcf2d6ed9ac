// Weights as images: one pixel a feature, the sign by colour and the size by depth.
import type { Pictures } from "../types.ts";
import { html, svg } from "../parts/dom.ts";
import type { Described, Drawn } from "../parts/figure.ts";
import { number, short } from "../parts/format.ts";

// The size that has the deepest colour: one that a few pixels far beyond all others do not decide.
export function depthScale(values: number[]): number {
  const sizes = values.map(Math.abs).sort((a, b) => a - b);
  const largest = sizes[sizes.length - 1] ?? 0;
  const usual = sizes[Math.floor(0.99 * (sizes.length - 1))] ?? 0;
  return Math.max(usual > 0 && largest > 3 * usual ? usual : largest, 1e-300);
}

function scaleBar(largest: number, unit: string): HTMLElement {
  const cells = 21;
  const drawing = svg("svg", { viewBox: `0 0 ${cells} 1.4`, class: "scale", role: "img", "aria-label": `Colours from −${number(largest, 3)} to ${number(largest, 3)}`, preserveAspectRatio: "none" });
  for (let i = 0; i < cells; i++) {
    const value = (2 * i) / (cells - 1) - 1;
    drawing.append(svg("rect", { x: i, y: 0, width: 1.02, height: 1.4, class: value > 0 ? "f1" : "f0", "fill-opacity": Math.abs(value).toFixed(3) }));
  }
  return html("p", { class: "scale-line" }, html("span", {}, `−${number(largest, 3)}`), drawing, html("span", {}, `${number(largest, 3)} (${unit})`));
}

export function drawPictures(data: Pictures, description: Described): Drawn {
  const element = html("div", { class: "pictures" });
  const largest = depthScale(data.images.filter((image) => !image.gray).flatMap((image) => image.values));
  for (const image of data.images) {
    const drawing = svg("svg", {
      viewBox: `0 0 ${data.width} ${data.height}`,
      role: "img",
      "aria-label": `${description.title}: ${image.name}`,
      class: "picture",
      "shape-rendering": "crispEdges",
    });
    drawing.append(svg("rect", { width: data.width, height: data.height, class: image.gray ? "gray-ground" : "ground" }));
    const marks = svg("g", { class: "marks" });
    const scale = image.gray ? Math.max(...image.values.map(Math.abs), 1e-300) : largest;
    image.values.forEach((value, i) => {
      const depth = Math.min(1, Math.abs(value) / scale);
      if (depth < 0.004) return;
      const pixel = svg("rect", { x: i % data.width, y: Math.floor(i / data.width), width: 1, height: 1, class: image.gray ? "gray-pixel" : value > 0 ? "f1" : "f0", "fill-opacity": depth.toFixed(3) });
      pixel.append(svg("title", {}, `row ${Math.floor(i / data.width) + 1}, column ${(i % data.width) + 1}: ${number(value)}`));
      marks.append(pixel);
    });
    drawing.append(marks);
    element.append(html("figure", {}, drawing, html("figcaption", {}, short(image.name, 40))));
  }
  const parts: HTMLElement[] = [element];
  if (data.images.some((image) => !image.gray)) parts.push(scaleBar(largest, data.unit ?? "weight"));
  return {
    element: html("div", {}, ...parts),
    redraw: () => {},
    table: () => ({
      columns: ["image", "row", "column", "value"],
      rows: data.images.flatMap((image) => image.values.map((value, i) => [image.name, Math.floor(i / data.width) + 1, (i % data.width) + 1, value])),
    }),
  };
}
