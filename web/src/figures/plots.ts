// One or several plots with common frames: regions, points, curves and what else a layer can be.
import type { Layer, Plot, Plots } from "../types.ts";
import { drawAxes, frameOf, namedEnds } from "../parts/axes.ts";
import { fresh, html, svg } from "../parts/dom.ts";
import type { Changed, Described, Drawn } from "../parts/figure.ts";
import { scrubber } from "../parts/frames.ts";
import { cellCounts, drawEnds, drawLayer, type Canvas } from "../parts/layers.ts";
import { legend, type Entry } from "../parts/legend.ts";
import type { Cell, Table } from "../parts/table.ts";
import { Tooltip } from "../parts/tooltip.ts";

export function atFrame(layer: Layer, frame: number): Layer {
  const change = layer.frames?.[Math.min(frame, layer.frames.length - 1)];
  return change ? ({ ...layer, ...change } as Layer) : layer;
}

function legendMark(layer: Layer): Entry["mark"] {
  if (layer.type === "points") return "point";
  if (layer.type === "area" || layer.type === "bars") return "area";
  return "line";
}

// The classes that some layer shows, then every name once.
export function entriesOf(data: Plots, toggled: (name: string, on: boolean) => void): Entry[] {
  const entries: Entry[] = [];
  const layers = data.panels.flatMap((panel) => panel.layers);
  const shown = new Set<number>();
  for (const layer of layers) {
    const parts = [layer, ...((layer.frames ?? []) as Partial<Layer>[])];
    for (const part of parts) {
      if ("class" in part && part.class) for (const k of part.class as number[]) shown.add(k);
      if (layer.type === "regions" && "labels" in part && part.labels)
        (part.labels as number[]).forEach((k, i) => i % 2 === 0 && shown.add(k));
      if (layer.type === "regions" && "planes" in part) part.planes?.forEach((_, k) => shown.add(k));
    }
  }
  const classes = data.classes ?? [];
  const most = 24;
  [...shown].filter((k) => k >= 0).sort((a, b) => a - b).slice(0, most).forEach((k) => entries.push({ name: classes[k] ?? `class ${k}`, color: k, mark: "point", shape: k }));
  if (shown.size > most) entries.push({ name: `and ${shown.size - most} more classes`, color: "soft", mark: "point" });
  if (shown.has(-1)) entries.push({ name: "undecided", color: "soft", mark: "hatch" });
  const rings = (part: Partial<Layer>): boolean => "wrong" in part && (part.wrong as number[]).length > 0;
  if (layers.some((layer) => rings(layer) || ((layer.frames ?? []) as Partial<Layer>[]).some(rings))) entries.push({ name: "wrong", color: "ink", mark: "point", open: true });
  const seen = new Map<string, Entry>();
  for (const layer of layers) {
    if (!layer.name) continue;
    const before = seen.get(layer.name);
    if (before) {
      // A line of the same name is the outline of the area.
      if (before.mark === "area" && layer.type === "line") before.outline = layer.dash ?? "solid-line";
      continue;
    }
    const entry: Entry = {
      name: layer.name,
      color: layer.color,
      mark: legendMark(layer),
      shape: layer.type === "points" ? (layer.shape ?? 0) : 0,
      open: layer.type === "points" ? (layer.open ?? layer.ring) : false,
      dash: "dash" in layer ? layer.dash : undefined,
      hidden: layer.hidden ?? false,
      toggle: (on) => toggled(layer.name!, on),
    };
    seen.set(layer.name, entry);
    entries.push(entry);
  }
  return entries;
}

// Rows of all layers that have numbers, under common columns.
export function tableOf(data: Plots, frame: number): Table {
  const columns = ["panel", "layer", "x", "y", "high", "class", "label"];
  const rows: Cell[][] = [];
  data.panels.forEach((panel, p) => {
    const title = panel.title ?? String(p + 1);
    panel.layers.forEach((raw, l) => {
      const layer = atFrame(raw, frame);
      const name = layer.name ?? ("end" in layer ? layer.end : undefined) ?? `${layer.type} ${l + 1}`;
      const add = (x: Cell, y: Cell, high?: Cell, kind?: Cell, label?: Cell): void => void rows.push([title, name, x, y, high, kind, label]);
      if (layer.type === "points")
        layer.x.forEach((x, i) => add(x, layer.y[i], null, layer.class ? (data.classes?.[layer.class[i]!] ?? layer.class[i]) : null, layer.label?.[i]));
      else if (layer.type === "line") layer.x.forEach((x, i) => add(x, layer.y[i]));
      else if (layer.type === "area" || layer.type === "errors") layer.x.forEach((x, i) => add(x, layer.low[i], layer.high[i]));
      else if (layer.type === "bars") layer.heights.forEach((h, i) => add(layer.edges[i], h, layer.edges[i + 1]));
      else if (layer.type === "rule") add(layer.x, layer.y, null, null, layer.text);
      else if (layer.type === "arrow") layer.x.forEach((x, i) => add(x, layer.y[i], null, null, layer.text));
      else if (layer.type === "regions") {
        const counts = cellCounts(layer);
        const all = layer.window.cols * layer.window.rows;
        for (const [k, count] of counts) add(null, count / all, null, k < 0 ? "undecided" : (data.classes?.[k] ?? k), "share of the area shown");
      } else if (layer.type === "levels") layer.at.forEach((level) => add(null, level, null, null, "level line"));
    });
  });
  const used = columns.map((_, j) => rows.some((row) => row[j] !== null && row[j] !== undefined) && !(j === 0 && data.panels.length === 1));
  const keep = (row: Cell[]): Cell[] => row.filter((_, j) => used[j]);
  return { columns: columns.filter((_, j) => used[j]), rows: rows.map(keep) };
}

class Panel {
  readonly drawing: SVGSVGElement;
  private readonly tooltip: Tooltip;
  private readonly hatch = fresh("hatch");
  private readonly clip = fresh("clip");

  constructor(
    private readonly plot: Plot,
    private readonly classes: string[],
    canvas: HTMLElement,
    description: Described,
  ) {
    const name = plot.title ? `${description.title}: ${plot.title}` : description.title;
    this.drawing = svg("svg", { role: "img", "aria-label": `${name}. ${description.text}`, class: "plot" });
    this.tooltip = new Tooltip(canvas, this.drawing);
  }

  draw(width: number, high: number | undefined, frameNumber: number, hidden: Set<string>): void {
    const frame = frameOf(this.plot, width, high);
    this.drawing.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    this.drawing.replaceChildren(this.definitions(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top));
    this.drawing.append(svg("rect", { x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top, class: "ground" }));
    const under = svg("g", { "clip-path": `url(#${this.clip}-ground)` });
    this.drawing.append(under);
    drawAxes(this.drawing, this.plot, frame);
    const group = svg("g", { class: "marks", "clip-path": `url(#${this.clip})` });
    this.drawing.append(group);
    const canvas: Canvas = { group, frame, classes: this.classes, targets: [], hatch: this.hatch, names: { x: this.plot.x.label, y: this.plot.y.label }, ends: [] };
    for (const raw of this.plot.layers) {
      if (raw.name && hidden.has(raw.name)) continue;
      const layer = atFrame(raw, frameNumber);
      // Outlines close beyond the edges of the window, where nobody shall see it.
      const inside = layer.type === "levels" ? svg("g", { "clip-path": `url(#${this.clip}-ground)` }) : null;
      if (inside) group.append(inside);
      drawLayer(layer, layer.type === "regions" ? { ...canvas, group: under } : inside ? { ...canvas, group: inside } : canvas);
    }
    drawEnds(this.drawing, canvas.ends, frame);
    this.tooltip.set(canvas.targets);
  }

  private definitions(x: number, y: number, width: number, height: number): SVGDefsElement {
    const pattern = svg("pattern", { id: this.hatch, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    pattern.append(svg("rect", { width: 7, height: 7, class: "hatch-ground" }), svg("line", { x1: 0, x2: 0, y1: 0, y2: 7, class: "hatch-line" }));
    // Curves along an edge are drawn in full width.
    const edge = 3;
    const clip = svg("clipPath", { id: this.clip }, svg("rect", { x: x - edge, y: y - edge, width: width + 2 * edge, height: height + 2 * edge }));
    const ground = svg("clipPath", { id: `${this.clip}-ground` }, svg("rect", { x, y, width, height }));
    return svg("defs", {}, pattern, clip, ground);
  }
}

const widest = 860;
const highest = 560;

// The width at which a single panel is not higher than a screen shows.
function fitting(plot: Plot, width: number): number {
  const { height } = frameOf(plot, width);
  return height <= highest ? width : Math.max(Math.min(width, 340), Math.floor((width * highest) / height));
}

export function drawPlots(data: Plots, description: Described, changed: Changed): Drawn {
  const hidden = new Set(data.panels.flatMap((panel) => panel.layers).filter((layer) => layer.hidden && layer.name).map((layer) => layer.name!));
  const element = html("div", {});
  let frame = data.frames?.start ?? Math.max(0, (data.frames?.values.length ?? 1) - 1);
  let width = 0;
  const canvases = data.panels.map(() => html("div", { class: "canvas" }));
  const panels = data.panels.map((plot, i) => {
    const panel = new Panel(plot, data.classes ?? [], canvases[i]!, description);
    canvases[i]!.prepend(panel.drawing);
    return panel;
  });
  const draw = (): void => {
    if (width === 0) return;
    const gap = 12;
    const count = panels.length;
    const least = data.panels.some(namedEnds) ? (width < 720 ? 300 : 380) : width < 720 ? 210 : 260;
    const across = Math.max(1, Math.min(count, count === 4 ? 2 : Math.floor((width + gap) / (least + gap)), 3));
    const each = Math.floor((width - gap * (across - 1)) / across);
    const wide = across > 1 ? each : Math.min(...data.panels.map((plot) => fitting(plot, Math.min(each, widest))));
    canvases.forEach((canvas) => (canvas.style.width = `${wide}px`));
    // Beside a panel with equal units the others are as high as it is.
    const heights = data.panels.map((_, i) => {
      const row = data.panels.slice(i - (i % across), i - (i % across) + across).filter((plot) => plot.equal);
      const frames = row.map((plot) => frameOf(plot, wide)).map((one) => one.bottom - one.top);
      return data.panels[i]!.equal || frames.length === 0 ? undefined : Math.max(...frames);
    });
    panels.forEach((panel, i) => panel.draw(wide, heights[i], frame, hidden));
  };
  const key = legend(entriesOf(data, (name, on) => {
    if (on) hidden.delete(name);
    else hidden.add(name);
    draw();
  }));
  if (key) element.append(key);
  if (data.frames)
    element.append(
      scrubber(data.frames, (next) => {
        frame = next;
        draw();
        changed();
      }),
    );
  element.append(html("div", { class: "panels" }, ...canvases));
  return {
    element,
    redraw: (next) => {
      width = next;
      draw();
    },
    table: () => tableOf(data, frame),
  };
}
