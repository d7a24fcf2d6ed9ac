// Weights as images: one pixel a feature, the sign by colour and the size by depth.
import type { Pictures } from "../types.ts";
import { html, svg } from "../parts/dom.ts";
import type { Described, Drawn } from "../parts/figure.ts";
import { number, short } from "../parts/format.ts";

export function drawPictures(data: Pictures, description: Described): Drawn {
  const element = html("div", { class: "pictures" });
  const largest = Math.max(...data.images.flatMap((image) => image.values.map(Math.abs)), 1e-300);
  for (const image of data.images) {
    const drawing = svg("svg", {
      viewBox: `0 0 ${data.width} ${data.height}`,
      role: "img",
      "aria-label": `${description.title}: ${image.name}`,
      class: "picture",
      "shape-rendering": "crispEdges",
    });
    drawing.append(svg("rect", { width: data.width, height: data.height, class: "ground" }));
    const marks = svg("g", { class: "marks" });
    image.values.forEach((value, i) => {
      const depth = Math.abs(value) / largest;
      if (depth < 0.004) return;
      const pixel = svg("rect", { x: i % data.width, y: Math.floor(i / data.width), width: 1, height: 1, class: value > 0 ? "f1" : "f0", "fill-opacity": depth.toFixed(3) });
      pixel.append(svg("title", {}, `row ${Math.floor(i / data.width) + 1}, column ${(i % data.width) + 1}: ${number(value)}`));
      marks.append(pixel);
    });
    drawing.append(marks);
    element.append(html("figure", {}, drawing, html("figcaption", {}, short(image.name, 40))));
  }
  return {
    element,
    redraw: () => {},
    table: () => ({
      columns: ["image", "row", "column", "value"],
      rows: data.images.flatMap((image) => image.values.map((value, i) => [image.name, Math.floor(i / data.width) + 1, (i % data.width) + 1, value])),
    }),
  };
}
