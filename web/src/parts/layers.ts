// The layers of a plot, each drawn into a group. What can be pointed at is collected as targets.
import { contours } from "d3-contour";
import type { Area, Arrow, Bars, Color, Errors, Layer, Levels, Line, Points, Regions, Rule, Text, Window } from "../types.ts";
import type { Frame } from "./axes.ts";
import { expand, unpack } from "./codec.ts";
import { fresh, svg } from "./dom.ts";
import { number, short } from "./format.ts";
import { fillOf, shapePath, strokeOf } from "./marks.ts";
import type { Target } from "./tooltip.ts";

export interface Canvas {
  group: SVGGElement;
  frame: Frame;
  classes: string[];
  targets: Target[];
  hatch: string; // the id of the pattern for what is undecided
  names: { x: string; y: string };
  ends: End[]; // names of lines, to be placed beside the plot
}
export interface End {
  y: number; // where the line ends
  text: string;
  color: Color | undefined;
}

type Ring = [number, number][];

// A field over the cells of a window with one cell more on every side, continued in a straight line, so that outlines
// go on to the edge of the window as they came.
export function widened(field: ArrayLike<number>, cols: number, rows: number): Float64Array {
  const out = new Float64Array((cols + 2) * (rows + 2));
  const beyond = (edge: number, next: number): number => 2 * edge - next;
  const put = (r: number, at: (c: number) => number): void => {
    const row = r * (cols + 2);
    for (let c = 0; c < cols; c++) out[row + c + 1] = at(c);
    out[row] = beyond(out[row + 1]!, out[row + Math.min(2, cols)]!);
    out[row + cols + 1] = beyond(out[row + cols]!, out[row + Math.max(1, cols - 1)]!);
  };
  const cell = (r: number, c: number): number => field[r * cols + c]!;
  for (let r = 0; r < rows; r++) put(r + 1, (c) => cell(r, c));
  put(0, (c) => beyond(cell(0, c), cell(Math.min(1, rows - 1), c)));
  put(rows + 1, (c) => beyond(cell(rows - 1, c), cell(Math.max(0, rows - 2), c)));
  return out;
}

// The outlines where a field over the cells of a window is at least `level`, in pixels.
function outline(field: ArrayLike<number>, window: Window, level: number, frame: Frame): string {
  const cols = window.cols + 2;
  const rows = window.rows + 2;
  const padded = Array.from(widened(field, window.cols, window.rows));
  const shape = contours().size([cols, rows]).smooth(true).contour(padded, level);
  const px = (u: number): number => frame.x(window.x[0] + ((u - 1) / window.cols) * (window.x[1] - window.x[0]));
  const py = (v: number): number => frame.y(window.y[0] + ((v - 1) / window.rows) * (window.y[1] - window.y[0]));
  let path = "";
  for (const polygon of shape.coordinates)
    for (const ring of polygon as Ring[])
      path += "M" + ring.map(([u, v]) => `${px(u).toFixed(1)},${py(v).toFixed(1)}`).join("L") + "Z";
  return path;
}

// The mean over each cell and its eight neighbours, nearer ones counting more.
function blurred(field: Float64Array, cols: number, rows: number): Float64Array {
  const at = (from: Float64Array, r: number, c: number): number => from[Math.max(0, Math.min(rows - 1, r)) * cols + Math.max(0, Math.min(cols - 1, c))]!;
  const along = field.map((v, i) => (at(field, Math.floor(i / cols), (i % cols) - 1) + 2 * v + at(field, Math.floor(i / cols), (i % cols) + 1)) / 4);
  return along.map((v, i) => (at(along, Math.floor(i / cols) - 1, i % cols) + 2 * v + at(along, Math.floor(i / cols) + 1, i % cols)) / 4);
}

// Whether the margin falls towards where the decision changes, as that of probabilities does and that of votes, or of
// undecided ground, does not: then it is as large next to the boundary as one cell farther.
export function marginMeetsBoundary(labels: ArrayLike<number>, margin: ArrayLike<number>, cols: number): boolean {
  let next = 0;
  let farther = 0;
  for (let i = 2; i + 1 < labels.length; i++) {
    if (i % cols < 2 || i % cols === cols - 1 || labels[i] === labels[i - 1]) continue;
    next += margin[i]! + margin[i - 1]!;
    farther += margin[i + 1]! + margin[i - 2]!;
  }
  return next <= 0.8 * farther;
}

// The class regions, each deeper in colour the surer the decision; hatched where there is none. Where there is no
// margin to tell where between two cells the decision changes, the outline of the cells is smoothed.
function drawRegions(layer: Regions, canvas: Canvas): void {
  const { window } = layer;
  if (layer.planes) return drawPlanes(layer.planes, window, canvas);
  const labels = expand(layer.labels, window);
  const margin = layer.margin ? unpack(layer.margin) : new Float64Array(labels.length).fill(1);
  const exact = layer.margin !== undefined && marginMeetsBoundary(labels, margin, window.cols);
  const present = [...new Set(labels)].sort((a, b) => a - b);
  for (const label of present) {
    const field = margin.map((m, i) => (labels[i] === label ? Math.max(m, 1e-5) : -Math.max(m, 1e-5)));
    const soft = (): Float64Array => {
      const sides = Float64Array.from(labels, (k) => (k === label ? 1 : -1));
      let smooth: Float64Array = sides;
      for (let pass = 0; pass < 4; pass++) smooth = blurred(smooth, window.cols, window.rows);
      return smooth;
    };
    const whole = outline(exact ? field : soft(), window, 0, canvas.frame);
    if (label < 0) {
      canvas.group.append(svg("path", { d: whole, fill: `url(#${canvas.hatch})`, class: "undecided" }));
      continue;
    }
    const name = canvas.classes[label] ?? `class ${label}`;
    canvas.group.append(svg("path", { d: whole, class: `region ${fillOf(label)}`, "data-class": short(name, 60) }));
    if (layer.margin) {
      const clip = exact ? undefined : fresh("region");
      if (clip) canvas.group.append(svg("clipPath", { id: clip }, svg("path", { d: whole })));
      for (const level of [0.3, 0.6, 0.85])
        canvas.group.append(
          svg("path", { d: outline(exact ? field : margin, window, level, canvas.frame), class: `region-deep ${fillOf(label)}`, "clip-path": clip ? `url(#${clip})` : undefined }),
        );
    }
    canvas.group.append(svg("path", { d: whole, class: "boundary" }));
  }
}

// The scores of each class at the middles of the cells.
function planeScores(planes: [number, number, number][], window: Window): Float64Array[] {
  const at = (i: number, low: number, high: number, count: number): number => low + ((i + 0.5) / count) * (high - low);
  return planes.map(([a, b, c]) => Float64Array.from({ length: window.cols * window.rows }, (_, i) => a + b * at(i % window.cols, window.x[0], window.x[1], window.cols) + c * at(Math.floor(i / window.cols), window.y[0], window.y[1], window.rows)));
}

// Where the score of each class is the largest.
function drawPlanes(planes: [number, number, number][], window: Window, canvas: Canvas): void {
  const scores = planeScores(planes, window);
  scores.forEach((own, k) => {
    const lead = own.map((v, i) => v - Math.max(...scores.filter((_, j) => j !== k).map((other) => other[i]!)));
    if (!lead.some((v) => v > 0)) return;
    const d = outline(lead, window, 0, canvas.frame);
    canvas.group.append(svg("path", { d, class: `region ${fillOf(k)}`, "data-class": short(canvas.classes[k] ?? `class ${k}`, 60) }));
    canvas.group.append(svg("path", { d, class: "boundary" }));
  });
}

// How many cells each class has.
export function cellCounts(layer: Regions): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (k: number, count: number): void => void counts.set(k, (counts.get(k) ?? 0) + count);
  if (layer.planes) {
    const scores = planeScores(layer.planes, layer.window);
    for (let i = 0; i < layer.window.cols * layer.window.rows; i++) add(scores.reduce((best, one, k) => (one[i]! > scores[best]![i]! ? k : best), 0), 1);
  } else for (let i = 0; i + 1 < layer.labels.length; i += 2) add(layer.labels[i]!, layer.labels[i + 1]!);
  return counts;
}

function drawLevels(layer: Levels, canvas: Canvas): void {
  const values = unpack(layer.values);
  layer.at.forEach((level, i) => {
    const d = outline(values, layer.window, level, canvas.frame);
    if (layer.fill) canvas.group.append(svg("path", { d, class: `region-deep ${fillOf(layer.color)}` }));
    const width = layer.width ?? (layer.at.length > 1 ? 0.8 + (0.6 * i) / layer.at.length : 2);
    canvas.group.append(svg("path", { d, class: `level ${strokeOf(layer.color)}`, "stroke-width": width }));
  });
}

function drawPoints(layer: Points, canvas: Canvas): void {
  const { frame } = canvas;
  const many = layer.x.length;
  const area = layer.size ?? (many > 1200 ? 16 : many > 400 ? 30 : many > 120 ? 42 : 64);
  const wrong = new Set(layer.wrong ?? []);
  layer.x.forEach((x, i) => {
    const px = frame.x(x);
    const py = frame.y(layer.y[i]!);
    if (!Number.isFinite(px) || !Number.isFinite(py)) return;
    const kind = layer.class?.[i];
    const color = kind ?? layer.color;
    const shape = layer.shape ?? kind ?? 0;
    const at = `translate(${px.toFixed(1)} ${py.toFixed(1)})`;
    canvas.group.append(
      svg("path", { d: shapePath(shape, area), transform: at, class: layer.ring ? `point mark-ring ${strokeOf(color)}` : layer.open ? `point open ${strokeOf(color)}` : `point ${fillOf(color)}` }),
    );
    if (wrong.has(i)) canvas.group.append(svg("circle", { cx: px.toFixed(1), cy: py.toFixed(1), r: Math.sqrt(area / 3) + 2.5, class: "wrong" }));
    const outside = px < frame.left - 1 || px > frame.right + 1 || py < frame.top - 1 || py > frame.bottom + 1;
    if (outside) return;
    const named = kind === undefined ? (layer.name ?? "") : short(canvas.classes[kind] ?? "", 60);
    const place = `${short(canvas.names.x, 40)} ${number(x)}, ${short(canvas.names.y, 40)} ${number(layer.y[i]!)}`;
    const parts = [layer.label?.[i] ? short(layer.label[i]!, 300) : "", named, place].filter((text) => text !== "");
    canvas.targets.push({ x: px, y: py, text: parts.join("\n") });
  });
}

// Far outside of the window, where a browser cannot draw.
const near = (pixel: number): number => Math.max(-20000, Math.min(20000, pixel));

function drawLine(layer: Line, canvas: Canvas): void {
  const { frame } = canvas;
  let path = "";
  let pen = false;
  let last: [number, number] | null = null;
  layer.x.forEach((x, i) => {
    const y = layer.y[i];
    const px = x === null ? NaN : near(frame.x(x));
    const py = y === null || y === undefined ? NaN : near(frame.y(y));
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      pen = false;
      return;
    }
    if (pen && layer.step && last) path += `L${px.toFixed(2)},${last[1].toFixed(2)}`;
    path += `${pen ? "L" : "M"}${px.toFixed(2)},${py.toFixed(2)}`;
    pen = true;
    last = [px, py];
    if (layer.dots) canvas.group.append(svg("circle", { cx: px.toFixed(1), cy: py.toFixed(1), r: 2.6, class: `${fillOf(layer.color)}` }));
    if (px < frame.left - 1 || px > frame.right + 1 || py < frame.top - 1 || py > frame.bottom + 1) return;
    const what = layer.name ?? layer.end;
    canvas.targets.push({
      x: px,
      y: py,
      text: `${what ? short(what, 60) + "\n" : ""}${short(canvas.names.x, 40)} ${number(x)}\n${short(canvas.names.y, 40)} ${number(y)}`,
    });
  });
  if (layer.closed) path += "Z";
  canvas.group.append(svg("path", { d: path, class: `curve ${layer.thin ? "thin" : ""} ${strokeOf(layer.color)} ${layer.dash ?? ""}` }));
  if (layer.end && last) canvas.ends.push({ y: Math.max(frame.top, Math.min(frame.bottom, last[1])), text: layer.end, color: layer.color });
}

function drawArea(layer: Area, canvas: Canvas): void {
  const { frame } = canvas;
  const up = layer.x.map((x, i) => `${frame.x(x).toFixed(2)},${frame.y(layer.high[i]!).toFixed(2)}`);
  const down = layer.x.map((x, i) => `${frame.x(x).toFixed(2)},${frame.y(layer.low[i]!).toFixed(2)}`).reverse();
  const d = "M" + [...up, ...down].join("L") + "Z";
  if (layer.hatch) canvas.group.append(svg("path", { d, fill: `url(#${canvas.hatch})`, class: "undecided" }));
  else canvas.group.append(svg("path", { d, class: `area ${fillOf(layer.color)}` }));
  layer.x.forEach((x, i) => {
    const value = layer.low[i] === 0 ? number(layer.high[i]!) : `${number(layer.low[i]!)} to ${number(layer.high[i]!)}`;
    const name = layer.name ? short(layer.name, 60) + "\n" : "";
    canvas.targets.push({ x: frame.x(x), y: frame.y(layer.high[i]!), text: `${name}${short(canvas.names.x, 40)} ${number(x)}\n${short(canvas.names.y, 40)} ${value}` });
  });
}

function drawBars(layer: Bars, canvas: Canvas): void {
  const { frame } = canvas;
  const zero = frame.y(Math.max(0, frame.y.domain()[0] ?? 0));
  layer.heights.forEach((height, i) => {
    const x0 = frame.x(layer.edges[i]!);
    const x1 = frame.x(layer.edges[i + 1]!);
    const y = frame.y(height);
    canvas.group.append(
      svg("rect", { x: x0 + 0.5, y: Math.min(y, zero), width: Math.max(0.5, x1 - x0 - 1), height: Math.abs(zero - y), class: `bar ${fillOf(layer.color)} ${strokeOf(layer.color)}` }),
    );
    if (height !== 0)
      canvas.targets.push({
        x: (x0 + x1) / 2,
        y,
        text: `${layer.name ? short(layer.name, 60) + "\n" : ""}${number(layer.edges[i]!)} to ${number(layer.edges[i + 1]!)}\n${short(canvas.names.y, 40)} ${number(height)}`,
      });
  });
}

function drawRule(layer: Rule, canvas: Canvas): void {
  const { frame } = canvas;
  const style = `rule ${strokeOf(layer.color ?? "soft")} ${layer.dash ?? "dashed"}`;
  if (layer.x !== undefined) {
    const x = frame.x(layer.x);
    canvas.group.append(svg("line", { x1: x, x2: x, y1: frame.top, y2: frame.bottom, class: style }));
    const right = x > (frame.left + frame.right) / 2;
    if (layer.text) canvas.group.append(svg("text", { x: x + (right ? -5 : 5), y: frame.top + 13, class: "rule-text", "text-anchor": right ? "end" : "start" }, short(layer.text, 40)));
  }
  if (layer.y !== undefined) {
    const y = frame.y(layer.y);
    canvas.group.append(svg("line", { x1: frame.left, x2: frame.right, y1: y, y2: y, class: style }));
    if (layer.text) canvas.group.append(svg("text", { x: frame.right - 4, y: y - 5, class: "rule-text", "text-anchor": "end" }, short(layer.text, 60)));
  }
}

function drawArrow(layer: Arrow, canvas: Canvas): void {
  const { frame } = canvas;
  const x0 = frame.x(layer.x[0]);
  const x1 = frame.x(layer.x[1]);
  const y0 = frame.y(layer.y[0]);
  const y1 = frame.y(layer.y[1]);
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const head = Math.min(11, length * 0.6);
  const bx = x1 - head * ux;
  const by = y1 - head * uy;
  canvas.group.append(svg("line", { x1: x0, y1: y0, x2: bx, y2: by, class: `curve ${strokeOf(layer.color ?? "ink")}` }));
  canvas.group.append(
    svg("path", { d: `M${x1},${y1}L${bx - uy * head * 0.4},${by + ux * head * 0.4}L${bx + uy * head * 0.4},${by - ux * head * 0.4}Z`, class: fillOf(layer.color ?? "ink") }),
  );
  if (layer.text) canvas.group.append(svg("text", { x: x1 + 9 * ux, y: y1 + 9 * uy + 4, class: "mark-text", "text-anchor": ux < -0.3 ? "end" : "start" }, layer.text));
}

function drawText(layer: Text, canvas: Canvas): void {
  const shift = layer.anchor === "start" ? 8 : layer.anchor === "end" ? -8 : 0;
  canvas.group.append(
    svg("text", { x: canvas.frame.x(layer.x) + shift, y: canvas.frame.y(layer.y) + (shift === 0 ? 0 : 4), class: "mark-text", "text-anchor": layer.anchor ?? "middle" }, short(layer.text, 60)),
  );
}

function drawErrors(layer: Errors, canvas: Canvas): void {
  const { frame } = canvas;
  layer.x.forEach((x, i) => {
    const px = frame.x(x);
    const y0 = frame.y(layer.low[i]!);
    const y1 = frame.y(layer.high[i]!);
    canvas.group.append(svg("path", { d: `M${px - 4},${y0}h8M${px - 4},${y1}h8M${px},${y0}V${y1}`, class: `curve thin ${strokeOf(layer.color ?? "soft")}` }));
  });
}

// Places for names beside the plot: each as near to the end of its line as its neighbours allow. Of more names than
// there is room for the first are left out.
export function spread(ends: End[], top: number, bottom: number, step = 13): { end: End; y: number }[] {
  const room = Math.max(1, Math.floor((bottom - top) / step) + 1);
  const placed = ends.slice(Math.max(0, ends.length - room)).map((end) => ({ end, y: end.y })).sort((a, b) => a.y - b.y);
  placed.forEach((one, i) => (one.y = Math.max(one.y, i === 0 ? top : placed[i - 1]!.y + step)));
  for (let i = placed.length - 1; i >= 0; i--) placed[i]!.y = Math.min(placed[i]!.y, i === placed.length - 1 ? bottom : placed[i + 1]!.y - step);
  return placed;
}

export function drawEnds(drawing: SVGSVGElement, ends: End[], frame: Frame): void {
  const letters = Math.max(3, Math.floor((frame.width - frame.right - 11) / 7.6));
  for (const { end, y } of spread(ends, frame.top, frame.bottom)) {
    drawing.append(svg("path", { d: `M${frame.right},${end.y.toFixed(1)}L${frame.right + 8},${y.toFixed(1)}`, class: `leader ${strokeOf(end.color)}` }));
    drawing.append(svg("text", { x: frame.right + 11, y: y + 4, class: "end-label " + fillOf(end.color) }, short(end.text, Math.min(24, letters))));
  }
}

export function drawLayer(layer: Layer, canvas: Canvas): void {
  switch (layer.type) {
    case "regions":
      return drawRegions(layer, canvas);
    case "levels":
      return drawLevels(layer, canvas);
    case "points":
      return drawPoints(layer, canvas);
    case "line":
      return drawLine(layer, canvas);
    case "area":
      return drawArea(layer, canvas);
    case "bars":
      return drawBars(layer, canvas);
    case "rule":
      return drawRule(layer, canvas);
    case "arrow":
      return drawArrow(layer, canvas);
    case "text":
      return drawText(layer, canvas);
    case "errors":
      return drawErrors(layer, canvas);
  }
}
