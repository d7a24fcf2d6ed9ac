// The frame of a plot: scales, axes, grid lines and the names of the axes.
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { select } from "d3-selection";
import type { Axis, Plot } from "../types.ts";
import { svg } from "./dom.ts";
import { number, short } from "./format.ts";

const yTickCount = 6;
export type Scale = ScaleContinuousNumeric<number, number>;
export interface Frame {
  x: Scale;
  y: Scale;
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function scaleOf(axis: Axis): Scale {
  return (axis.log ? scaleLog() : scaleLinear()).domain(axis.domain);
}

function tickText(axis: Axis, scale: Scale, count: number): (value: number) => string {
  if (axis.whole && !axis.log) return (value) => number(value, 6);
  if (axis.percent) return (value) => `${Math.round(1000 * value) / 10} %`;
  if (axis.log) {
    const powers = Math.max(...axis.domain) / Math.min(...axis.domain) > 1e3;
    const tidy = scale.tickFormat(count, "~g");
    return (value) => (tidy(value) === "" ? "" : powers && (value < 0.01 || value > 1000) ? power(value) : number(value, 3));
  }
  const tidy = scale.tickFormat(count);
  const size = Math.max(...axis.domain.map(Math.abs));
  return size >= 1e6 || size < 1e-3 ? (value) => number(value, 4) : (value) => tidy(value);
}

const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
function power(value: number): string {
  const exponent = Math.round(Math.log10(value));
  if (Math.abs(value / 10 ** exponent - 1) > 1e-9) return "";
  return "10" + (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((c) => raised[Number(c)]).join("");
}

function ticksOf(axis: Axis, scale: Scale, count: number): { at: number[]; text: (value: number) => string } {
  if (axis.ticks) {
    const names = new Map(axis.ticks.at.map((at, i) => [at, axis.ticks!.text[i] ?? ""]));
    return { at: axis.ticks.at, text: (value) => short(names.get(value) ?? "", 22) };
  }
  let at = scale.ticks(count);
  if (axis.whole) at = at.filter(Number.isInteger);
  const text = tickText(axis, scale, count);
  // Powers of ten alone are enough where there are many of them.
  if (axis.log) at = at.filter((value) => text(value) !== "");
  return { at, text };
}

// Makes one unit as long on both axes by widening what is too narrow.
function equalize(frame: Frame): void {
  const wide = frame.right - frame.left;
  const high = frame.bottom - frame.top;
  const [x0, x1] = frame.x.domain() as [number, number];
  const [y0, y1] = frame.y.domain() as [number, number];
  const unit = Math.max((x1 - x0) / wide, (y1 - y0) / high);
  const grow = (low: number, high_: number, pixels: number): [number, number] => {
    const extra = (unit * pixels - (high_ - low)) / 2;
    return [low - extra, high_ + extra];
  };
  frame.x.domain(grow(x0, x1, wide));
  frame.y.domain(grow(y0, y1, high));
}

// The room that names at the ends of lines take to the right.
function endRoom(plot: Plot, width: number): number {
  const longest = Math.max(0, ...plot.layers.map((layer) => ("end" in layer && layer.end ? short(layer.end, 24).length : 0)));
  return longest === 0 ? 0 : Math.min(0.34 * width, 15 + 7.6 * longest);
}

export const namedEnds = (plot: Plot): boolean => plot.layers.some((layer) => "end" in layer && Boolean(layer.end));

// `high`: the height of the panel between its axes, where a neighbour sets it.
export function frameOf(plot: Plot, width: number, high?: number): Frame {
  const x = scaleOf(plot.x);
  const y = scaleOf(plot.y);
  const narrow = width < 420;
  const ticks = ticksOf(plot.y, y, yTickCount);
  const widest = Math.max(1, ...ticks.at.map((value) => ticks.text(value).length));
  const left = Math.min(width * 0.4, 34 + 6.6 * widest);
  let ratio = plot.height ?? 0.62;
  if (plot.equal) {
    const [x0, x1] = plot.x.domain;
    const [y0, y1] = plot.y.domain;
    ratio = Math.max(0.55, Math.min(1, (y1 - y0) / (x1 - x0)));
  }
  if (narrow && !plot.equal) ratio = Math.max(ratio, 0.8);
  const top = plot.title ? 26 : 12;
  const right = width - (plot.x.percent ? 24 : 16) - endRoom(plot, width);
  // Panels side by side are equally high whatever their numbers take; equal units need the width that is left.
  const bottom = top + (high ?? Math.round((plot.equal ? right - left : width - 70) * ratio));
  const frame = { x, y, width, height: bottom + 44, left, right, top, bottom };
  if (plot.equal) equalize(frame);
  x.range([left, right]);
  y.range([bottom, top]);
  return frame;
}

export function drawAxes(drawing: SVGSVGElement, plot: Plot, frame: Frame): void {
  const wide = frame.right - frame.left;
  const xTicks = ticksOf(plot.x, frame.x, Math.max(3, Math.min(9, Math.floor(wide / 70))));
  const yTicks = ticksOf(plot.y, frame.y, yTickCount);
  const xAxis = axisBottom<number>(frame.x as never).tickValues(xTicks.at as never).tickFormat(xTicks.text as never).tickSize(5).tickSizeOuter(0);
  const yAxis = axisLeft<number>(frame.y as never).tickValues(yTicks.at as never).tickFormat(yTicks.text as never).tickSize(5).tickSizeOuter(0);
  const grid = svg("g", { class: "grid", "aria-hidden": "true" });
  for (const at of yTicks.at) grid.append(svg("line", { x1: frame.left, x2: frame.right, y1: frame.y(at), y2: frame.y(at) }));
  for (const at of xTicks.at) grid.append(svg("line", { y1: frame.top, y2: frame.bottom, x1: frame.x(at), x2: frame.x(at) }));
  drawing.append(grid);
  select(drawing).append("g").attr("class", "axis").attr("transform", `translate(0 ${frame.bottom})`).call(xAxis as never);
  select(drawing).append("g").attr("class", "axis").attr("transform", `translate(${frame.left} 0)`).call(yAxis as never);
  const room = Math.floor(wide / 7);
  drawing.append(
    svg("text", { class: "axis-name", x: (frame.left + frame.right) / 2, y: frame.bottom + 37, "text-anchor": "middle" }, short(plot.x.label, room)),
  );
  drawing.append(
    svg(
      "text",
      { class: "axis-name", transform: `translate(13 ${(frame.top + frame.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" },
      short(plot.y.label, Math.floor((frame.bottom - frame.top) / 6.5)),
    ),
  );
  if (plot.title) drawing.append(svg("text", { class: "panel-title", x: (frame.left + frame.right) / 2, y: 16, "text-anchor": "middle" }, short(plot.title, room)));
}
