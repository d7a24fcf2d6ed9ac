// The legend. What has a name can be hidden and shown again.
import type { Color } from "../types.ts";
import { html, svg } from "./dom.ts";
import { short } from "./format.ts";
import { fillOf, shapePath, strokeOf } from "./marks.ts";

export interface Entry {
  name: string;
  color: Color | undefined;
  mark: "point" | "line" | "area" | "hatch";
  shape?: number;
  dash?: string | undefined;
  outline?: string;
  open?: boolean | undefined;
  toggle?: (on: boolean) => void;
  hidden?: boolean;
}

function swatch(entry: Entry): SVGSVGElement {
  const drawing = svg("svg", { width: 22, height: 14, "aria-hidden": "true", focusable: "false" });
  if (entry.mark === "line")
    drawing.append(svg("line", { x1: 1, x2: 21, y1: 7, y2: 7, class: `curve ${strokeOf(entry.color)} ${entry.dash ?? ""}` }));
  else if (entry.mark === "area") {
    drawing.append(svg("rect", { x: 2, y: 2, width: 18, height: 11, class: `area ${fillOf(entry.color)}` }));
    if (entry.outline) drawing.append(svg("line", { x1: 2, x2: 20, y1: 2, y2: 2, class: `curve ${strokeOf(entry.color)} ${entry.outline}` }));
  }
  else if (entry.mark === "hatch") drawing.append(svg("rect", { x: 3, y: 2, width: 16, height: 10, class: "undecided-swatch" }));
  else
    drawing.append(
      svg("path", {
        d: shapePath(entry.shape ?? 0, 58),
        transform: "translate(11 7)",
        class: entry.open ? `open ${strokeOf(entry.color)}` : fillOf(entry.color),
      }),
    );
  return drawing;
}

export function legend(entries: Entry[]): HTMLElement | null {
  if (entries.length === 0) return null;
  const items = entries.map((entry) => {
    const text = html("span", {}, short(entry.name, 44));
    if (!entry.toggle) return html("li", {}, swatch(entry), text);
    const button = html("button", { type: "button", "aria-pressed": entry.hidden ? "false" : "true" }, swatch(entry), text);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      entry.toggle!(on);
    });
    return html("li", {}, button);
  });
  return html("ul", { class: "legend", "aria-label": "Legend" }, ...items);
}
