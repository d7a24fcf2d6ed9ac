// Three dimensions, turned by two sliders or by dragging.
import type { Space } from "../types.ts";
import { fresh, html, svg } from "../parts/dom.ts";
import type { Described, Drawn } from "../parts/figure.ts";
import { number } from "../parts/format.ts";
import { legend } from "../parts/legend.ts";
import { fillOf, shapePath, strokeOf } from "../parts/marks.ts";
import { Tooltip, type Target } from "../parts/tooltip.ts";

type Point3 = [number, number, number];

// Orthographic: turned about the third axis, then tilted towards the reader. Gives across, up and towards.
export function project(p: Point3, turn: number, tilt: number): Point3 {
  const [ct, st, cp, sp] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  const x = p[0] * ct - p[1] * st;
  const depth = p[0] * st + p[1] * ct;
  return [x, p[2] * cp + depth * sp, -depth * cp + p[2] * sp];
}

export function drawSpace(data: Space, description: Described): Drawn {
  let turn = data.turn ?? 30;
  let tilt = data.tilt ?? 25;
  let width = 0;
  const drawing = svg("svg", { role: "img", class: "plot space", "aria-label": `${description.title}. ${description.text}` });
  const canvas = html("div", { class: "canvas" }, drawing);
  const tooltip = new Tooltip(canvas, drawing);
  const draw = (): void => {
    if (width === 0) return;
    const wide = Math.min(width, 680);
    canvas.style.width = `${wide}px`;
    const high = Math.round(wide * 0.82);
    drawing.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    drawing.replaceChildren();
    const scale = wide / 4.4;
    const unit = (p: Point3): Point3 => p.map((v, i) => (2 * (v - data.domain[i]![0])) / (data.domain[i]![1] - data.domain[i]![0]) - 1) as Point3;
    const place = (p: Point3): Point3 => {
      const [x, y, z] = project(p, (turn * Math.PI) / 180, (tilt * Math.PI) / 180);
      return [wide / 2 + scale * x, high / 2 - scale * y, z];
    };
    const corner = (i: number): Point3 => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1];
    for (let i = 0; i < 8; i++)
      for (const bit of [1, 2, 4])
        if (!(i & bit)) {
          const [a, b] = [place(corner(i)), place(corner(i | bit))];
          drawing.append(svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: "cube" }));
        }
    const marks = svg("g", { class: "marks" });
    for (const line of data.lines) {
      const d = "M" + line.at.map((p) => place(unit(p))).map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L") + (line.closed ? "Z" : "");
      marks.append(svg("path", { d, class: line.closed ? `sheet ${fillOf(line.color)} ${strokeOf(line.color)}` : `curve thin ${strokeOf(line.color)} ${line.dash ?? ""}` }));
    }
    const targets: Target[] = [];
    const sorted = data.points.map((point) => ({ point, at: place(unit(point.at)) })).sort((a, b) => a.at[2] - b.at[2]);
    for (const { point, at } of sorted) {
      marks.append(svg("path", { d: shapePath(point.class, 90), transform: `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`, class: `point ${fillOf(point.class)}` }));
      const where = point.at.map((v, i) => `${data.axes[i]} ${number(v)}`).join(", ");
      if (data.labelled) marks.append(svg("text", { x: at[0] + 9, y: at[1] - 7, class: "mark-text" }, `(${point.at.map((v) => number(v, 3)).join(", ")})`));
      targets.push({ x: at[0], y: at[1], text: [point.label ?? "", data.classes?.[point.class] ?? "", where].filter((t) => t !== "").join("\n") });
    }
    drawing.append(marks);
    // Each axis is named at that one of its four edges of the cube that is seen farthest out: to the left of an upright
    // one, below the others.
    data.axes.forEach((name, i) => {
      const edges = [0, 1, 2, 3].map((k) => {
        const middle: Point3 = [0, 0, 0];
        [0, 1, 2].filter((j) => j !== i).forEach((j, b) => (middle[j] = (k >> b) & 1 ? 1 : -1));
        return place(middle);
      });
      const best = edges.reduce((a, b) => (i === 2 ? b[0] < a[0] : b[1] > a[1]) ? b : a);
      const outwards = Math.sign(best[0] - wide / 2) || 1;
      const at = i === 2 ? { x: best[0] - 10, y: best[1] + 4, "text-anchor": "end" } : { x: best[0] + 12 * outwards, y: best[1] + 18, "text-anchor": outwards > 0 ? "start" : "end" };
      drawing.append(svg("text", { ...at, class: "axis-name" }, name));
    });
    tooltip.set(targets);
  };
  const slider = (label: string, low: number, high: number, start: number, set: (value: number) => void): [HTMLElement[], HTMLInputElement] => {
    const id = fresh("turn");
    const input = html("input", { type: "range", id, min: low, max: high, value: start });
    input.addEventListener("input", () => {
      set(Number(input.value));
      draw();
    });
    return [[html("label", { for: id }, label), input], input];
  };
  const [turnLine, turnInput] = slider("Turn", -180, 180, turn, (value) => (turn = value));
  const [tiltLine, tiltInput] = slider("Tilt", -20, 90, tilt, (value) => (tilt = value));
  drawing.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1)) return;
    turn = ((turn - event.movementX * 0.6 + 540) % 360) - 180;
    tilt = Math.max(-20, Math.min(90, tilt + event.movementY * 0.4));
    turnInput.value = String(turn);
    tiltInput.value = String(tilt);
    draw();
  });
  const kinds = [...new Set(data.points.map((point) => point.class))].sort((a, b) => a - b);
  const key = legend(kinds.map((k) => ({ name: data.classes?.[k] ?? `class ${k}`, color: k, mark: "point" as const, shape: k })));
  return {
    element: html("div", {}, ...(key ? [key] : []), html("div", { class: "sliders two" }, ...turnLine, ...tiltLine), canvas),
    redraw: (next) => {
      width = next;
      draw();
    },
    table: () => ({ columns: [...data.axes, "class"], rows: data.points.map((point) => [...point.at, data.classes?.[point.class] ?? point.class]) }),
  };
}
