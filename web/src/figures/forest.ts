// Estimates with intervals, one row each: weights, odds ratios; or bars: what each feature adds to a row's score.
import { axisBottom } from "d3-axis";
import { scaleLinear, scaleLog } from "d3-scale";
import { select } from "d3-selection";
import type { Forest, ForestRow } from "../types.ts";
import { choice } from "../parts/choice.ts";
import { html, svg } from "../parts/dom.ts";
import type { Changed, Described, Drawn } from "../parts/figure.ts";
import { minus, number, short } from "../parts/format.ts";
import { Tooltip, type Target } from "../parts/tooltip.ts";

const rowHeight = 23;
const finite = (value: number | null | undefined): value is number => typeof value === "number" && Number.isFinite(value);

export function extent(rows: ForestRow[], log: boolean, free = false): [number, number] {
  const ends = rows.flatMap((row) => [row.value, row.low, row.high]).filter(finite).filter((value) => !log || value > 0);
  if (free && ends.length > 0) {
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    const margin = 0.06 * (most - least || Math.abs(most) || 1);
    return [least - margin, most + margin];
  }
  const none = log ? 1 : 0;
  let low = Math.min(none, ...ends);
  let high = Math.max(none, ...ends);
  if (log) return [Math.max(low, 1e-12) / 1.15, Math.min(high, 1e12) * 1.15];
  if (low === high) [low, high] = [-1, 1];
  const room = 0.05 * (high - low);
  return [low < 0 ? low - room : low, high > 0 ? high + room : high];
}

// Where the bar of each row begins and ends: at zero, or where the one above ended. The first and the last row of steps
// are levels, the others changes.
export function barEnds(rows: ForestRow[], steps: boolean): [number, number][] {
  let level = 0;
  return rows.map((row, i) => {
    if (!steps) return [0, row.value];
    if (i === 0 || i === rows.length - 1) {
      level = row.value;
      return [0, row.value];
    }
    const from = level;
    level += row.value;
    return [from, level];
  });
}

function rowText(row: ForestRow): string {
  const interval = finite(row.low) && finite(row.high) ? `, ${number(row.low)} to ${number(row.high)}` : "";
  return `${short(row.name, 80)}\n${number(row.value)}${interval}${row.note ? "\n" + short(row.note, 120) : ""}`;
}

export function drawForest(data: Forest, description: Described, changed: Changed): Drawn {
  let group = 0;
  let width = 0;
  const drawing = svg("svg", { role: "img", class: "plot", "aria-label": `${description.title}. ${description.text}` });
  const canvas = html("div", { class: "canvas" }, drawing);
  const words = html("p", { class: "frame-note", "aria-live": "polite" });
  const tooltip = new Tooltip(canvas, drawing);
  const log = data.log ?? false;

  const draw = (): void => {
    const shown = data.groups[group];
    if (width === 0 || !shown) return;
    words.textContent = minus(shown.text ?? "");
    words.hidden = !shown.text;
    const wide = Math.min(width, 860);
    canvas.style.width = `${wide}px`;
    const letters = Math.max(6, Math.min(wide < 480 ? 18 : 30, ...[Math.max(...shown.rows.map((row) => [...row.name].length), 1)]));
    const left = 16 + 7.3 * letters;
    const right = wide - 66;
    const top = data.positive ? 24 : 8;
    const bottom = top + rowHeight * shown.rows.length;
    const ends = barEnds(shown.rows, data.steps ?? false);
    const reached = data.steps ? [...shown.rows, ...ends.map(([, to]) => ({ name: "", value: to }))] : shown.rows;
    const x = (log ? scaleLog() : scaleLinear()).domain(extent(reached, log, data.free)).range([left, right]);
    const height = bottom + 42;
    drawing.setAttribute("viewBox", `0 0 ${wide} ${height}`);
    drawing.replaceChildren();
    const zero = x(log ? 1 : 0);
    const targets: Target[] = [];
    const marks = svg("g", { class: "marks" });
    shown.rows.forEach((row, i) => {
      const y = top + rowHeight * (i + 0.5);
      if (i % 2 === 0) drawing.append(svg("rect", { x: 0, y: y - rowHeight / 2, width: wide, height: rowHeight, class: "stripe" }));
      drawing.append(svg("text", { x: left - 10, y: y + 4, class: "row-name", "text-anchor": "end" }, short(row.name, letters)));
      if (!finite(row.value)) return;
      const [from, to] = ends[i]!;
      const at = data.bars ? x(to) : x(row.value);
      const level = data.steps && (i === 0 || i === shown.rows.length - 1);
      const color = level ? "fsoft" : data.free ? "f0" : row.value === (log ? 1 : 0) ? "fsoft" : row.value > (log ? 1 : 0) ? "f1" : "f0";
      if (data.bars) {
        const start = x(from);
        marks.append(svg("rect", { x: Math.min(at, start), y: y - 7, width: Math.max(1, Math.abs(at - start)), height: 14, class: `${color} solid` }));
        if (data.steps && i + 1 < shown.rows.length) marks.append(svg("line", { x1: at, x2: at, y1: y + 7, y2: y + rowHeight - 7, class: "step-link" }));
      } else {
        const low = finite(row.low) ? x(Math.max(row.low, x.domain()[0]!)) : row.low === undefined || row.low === null ? null : left;
        const high = finite(row.high) ? x(Math.min(row.high, x.domain()[1]!)) : row.high === undefined || row.high === null ? null : right;
        if (data.free && (low === null || high === null)) drawing.append(svg("line", { x1: left, x2: right, y1: y, y2: y, class: "grid-row" }));
        else if (low === null || high === null) marks.append(svg("line", { x1: zero, x2: at, y1: y, y2: y, class: `stem s${color.slice(1)}` }));
        else marks.append(svg("line", { x1: low, x2: high, y1: y, y2: y, class: `interval s${color.slice(1)}` }));
        const sure = data.free || low === null || high === null || low > zero || high < zero;
        marks.append(svg("circle", { cx: at, cy: y, r: 5, class: sure ? color : `open s${color.slice(1)}` }));
      }
      drawing.append(svg("text", { x: wide - 4, y: y + 4, class: "row-value", "text-anchor": "end" }, number(row.value, 3)));
      targets.push({ x: at, y, text: rowText(row) });
    });
    if (!data.free) drawing.append(svg("line", { x1: zero, x2: zero, y1: top - 2, y2: bottom, class: "zero" }));
    drawing.append(marks);
    const ticks = Math.max(2, Math.floor((right - left) / 80));
    const axis = axisBottom<number>(x as never).ticks(ticks, log ? "~g" : undefined).tickSize(5).tickSizeOuter(0);
    select(drawing).append("g").attr("class", "axis").attr("transform", `translate(0 ${bottom})`).call(axis as never);
    drawing.append(svg("text", { class: "axis-name", x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle" }, short(data.axis, Math.floor(wide / 8))));
    if (data.positive) drawing.append(svg("text", { x: Math.min(zero + 6, right), y: 14, class: "side f1", "text-anchor": zero > right - 60 ? "end" : "start" }, short(data.positive, 22) + " →"));
    if (data.negative && zero - left > 90) drawing.append(svg("text", { x: zero - 6, y: 14, class: "side f0", "text-anchor": "end" }, "← " + short(data.negative, 22)));
    tooltip.set(targets);
  };
  const list = choice(data.group ?? "group", data.groups.map((one) => one.name), (i) => {
    group = i;
    draw();
    changed();
  });
  const element = html("div", {}, ...(list ? [list] : []), words, canvas);
  const hasLimits = data.groups.some((one) => one.rows.some((row) => row.low !== undefined));
  return {
    element,
    redraw: (next) => {
      width = next;
      draw();
    },
    table: () => ({
      columns: [...(data.groups.length > 1 ? [data.group ?? "group"] : []), "name", data.axis, ...(hasLimits ? ["low", "high"] : []), "note"],
      rows: data.groups.flatMap((one) =>
        one.rows.map((row) => [...(data.groups.length > 1 ? [one.name] : []), row.name, row.value, ...(hasLimits ? [row.low, row.high] : []), row.note ?? ""]),
      ),
    }),
  };
}
