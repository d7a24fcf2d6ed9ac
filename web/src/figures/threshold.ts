// The threshold and cost explorer: what a threshold on the score decides, and what that costs.
import type { Plots, Threshold } from "../types.ts";
import { fresh, html } from "../parts/dom.ts";
import type { Changed, Described, Drawn } from "../parts/figure.ts";
import { number, percent, short } from "../parts/format.ts";
import { drawPlots } from "./plots.ts";

export interface Outcome {
  hits: number;
  misses: number;
  alarms: number;
  quiet: number;
}

// The rows decided for at a threshold: those of the first step at or above it.
export function outcome(data: Threshold, threshold: number): Outcome {
  let low = 0;
  let high = data.at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (data.at[middle]! < threshold) low = middle + 1;
    else high = middle;
  }
  const hits = low < data.at.length ? data.hits[low]! : 0;
  const alarms = low < data.at.length ? data.alarms[low]! : 0;
  return { hits, misses: data.positives - hits, alarms, quiet: data.negatives - alarms };
}

export function meanCost(data: Threshold, o: Outcome, miss: number, alarm: number): number {
  return (miss * o.misses + alarm * o.alarms) / (data.positives + data.negatives);
}

export function drawThreshold(data: Threshold, description: Described, changed: Changed): Drawn {
  const first = data.at[0] ?? 0;
  const last = data.at[data.at.length - 1] ?? 1;
  const domain: [number, number] = data.probability ? [0, 1] : [first - 0.02 * (last - first || 1), last + 0.02 * (last - first || 1)];
  let threshold = data.start;
  let miss = 1;
  let alarm = 1;
  let width = 0;

  const slider = (label: string, low: number, high: number, step: number | "any", start: number, set: (value: number) => void): HTMLElement[] => {
    const id = fresh("slide");
    const input = html("input", { type: "range", id, min: low, max: high, step, value: start });
    const value = html("output", { for: id }, number(start, 3));
    input.addEventListener("input", () => {
      set(Number(input.value));
      value.textContent = number(Number(input.value), 3);
      update();
    });
    return [html("label", { for: id }, label), input, value];
  };
  const step = (domain[1] - domain[0]) / 1000;
  const controls = html(
    "div",
    { class: "sliders" },
    ...slider(`Threshold on ${data.probability ? "P" : "the score of"}(${short(data.positive, 24)})`, domain[0], domain[1], step, threshold, (v) => (threshold = v)),
    ...slider(`Cost of missing ${short(data.positive, 24)}`, 0.5, 20, 0.5, miss, (v) => (miss = v)),
    ...slider("Cost of a false alarm", 0.5, 20, 0.5, alarm, (v) => (alarm = v)),
  );
  const tiles = html("dl", { class: "tiles", "aria-live": "polite" });
  const picture = html("div", {});
  const grid = Array.from({ length: 201 }, (_, i) => domain[0] + ((domain[1] - domain[0]) * i) / 200);

  const update = (): void => {
    const o = outcome(data, threshold);
    const costs = grid.map((t) => meanCost(data, outcome(data, t), miss, alarm));
    const best = costs.indexOf(Math.min(...costs));
    const all = data.positives + data.negatives;
    const share = (a: number, b: number): string => (b > 0 ? percent(a / b) : "–");
    const numbers: [string, string][] = [
      ["found", `${number(o.hits)} of ${number(data.positives)}`],
      ["missed", number(o.misses)],
      ["false alarms", `${number(o.alarms)} of ${number(data.negatives)}`],
      ["recall", share(o.hits, data.positives)],
      ["precision", share(o.hits, o.hits + o.alarms)],
      ["accuracy", share(o.hits + o.quiet, all)],
      ["mean cost", number(meanCost(data, o, miss, alarm), 4)],
      ["least cost", `${number(costs[best]!, 4)} at ${number(grid[best]!, 3)}`],
    ];
    tiles.replaceChildren(...numbers.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value))));
    const plots: Plots = {
      kind: "plots",
      panels: [
        {
          height: 0.42,
          x: { label: data.probability ? "threshold on the probability" : "threshold on the score", domain },
          y: { label: "mean cost of a row", domain: [0, Math.max(...costs) * 1.05 || 1] },
          layers: [
            { type: "line", x: grid, y: costs, color: "ink" },
            { type: "rule", x: threshold, color: 1, text: "threshold" },
            { type: "points", x: [grid[best]!], y: [costs[best]!], color: "good", shape: 3, name: "least cost", size: 90 },
          ],
        },
      ],
    };
    const drawn = drawPlots(plots, description, () => {});
    picture.replaceChildren(drawn.element);
    drawn.redraw(width);
    changed();
  };
  return {
    element: html("div", {}, controls, tiles, picture),
    redraw: (next) => {
      width = next;
      update();
    },
    table: () => ({
      columns: ["threshold", "found", "missed", "false alarms", "rightly quiet", "mean cost"],
      rows: grid.map((t) => {
        const o = outcome(data, t);
        return [t, o.hits, o.misses, o.alarms, o.quiet, meanCost(data, o, miss, alarm)];
      }),
    }),
  };
}
