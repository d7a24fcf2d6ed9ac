// What a report's JSON holds. The C++ side makes it (discern/report/); tests/cli/report_test.cpp checks
// that every figure has the members that its kind needs.

export interface Page {
  version: 1;
  title: string;
  command: string;
  program: string; // "discern 0.1.0"
  summary: string[]; // paragraphs
  facts: [string, string][]; // a name and a value
  warnings: string[];
  figures: Figure[];
}

export interface Figure {
  id: string;
  title: string;
  text: string; // two or three sentences
  formula?: string;
  notes?: string[]; // what was left out, how it was sampled
  numbers?: [string, string][];
  data: FigureData;
}

export type FigureData = Plots | Forest | Confusion | Pictures | Wiring | Space | Threshold | Grid2;

export interface Axis {
  label: string;
  domain: [number, number];
  log?: boolean;
  percent?: boolean;
  whole?: boolean;
  ticks?: { at: number[]; text: string[] };
}

// A window of the plane in cells; the value of a cell is that at its middle, rows from the bottom up.
export interface Window {
  x: [number, number];
  y: [number, number];
  cols: number;
  rows: number;
}

// Numbers from low to high in 4,096 steps, two characters each (parts/codec.ts).
export interface Packed {
  low: number;
  high: number;
  text: string;
}

export type Color = number | "ink" | "soft" | "good" | "bad"; // a number: of a class or series

interface LayerBase {
  name?: string; // in the legend
  color?: Color;
  frames?: Record<string, unknown>[]; // what differs in each frame
  hidden?: boolean; // until the reader asks for it in the legend
}
// The class decided for in each cell, as runs [class, count, ...]; -1: undecided. margin: 0 on a boundary, 1 far
// from it.
export interface Regions extends LayerBase {
  type: "regions";
  window: Window;
  labels: number[];
  margin?: Packed;
  planes?: [number, number, number][]; // instead of labels: of each class a + b x + c y, the largest decides
}
export interface Levels extends LayerBase {
  type: "levels";
  window: Window;
  values: Packed;
  at: number[]; // the values that lines are drawn for
  fill?: boolean;
  width?: number;
}
export interface Points extends LayerBase {
  type: "points";
  x: number[];
  y: number[];
  class?: number[]; // colours and shapes; without: `color`
  wrong?: number[]; // indices, ringed
  label?: string[]; // of the tooltip
  size?: number;
  open?: boolean;
  ring?: boolean; // around what is drawn already
  shape?: number;
}
export interface Line extends LayerBase {
  type: "line";
  x: (number | null)[];
  y: (number | null)[];
  dash?: "dashed" | "dotted";
  step?: boolean;
  end?: string; // a name beside the plot, where the line ends
  thin?: boolean;
  closed?: boolean;
  dots?: boolean;
}
export interface Area extends LayerBase {
  type: "area";
  x: number[];
  low: number[];
  high: number[];
  hatch?: boolean;
}
export interface Bars extends LayerBase {
  type: "bars";
  edges: number[];
  heights: number[]; // may be below zero
}
export interface Rule extends LayerBase {
  type: "rule";
  x?: number;
  y?: number;
  text?: string;
  dash?: "dashed" | "dotted";
}
export interface Arrow extends LayerBase {
  type: "arrow";
  x: [number, number];
  y: [number, number];
  text?: string;
}
export interface Text extends LayerBase {
  type: "text";
  x: number;
  y: number;
  text: string;
  anchor?: "start" | "middle" | "end";
}
// Intervals along y at places x, or along x at places y.
export interface Errors extends LayerBase {
  type: "errors";
  x: number[];
  low: number[];
  high: number[];
}
export type Layer = Regions | Levels | Points | Line | Area | Bars | Rule | Arrow | Text | Errors;

export interface Plot {
  title?: string;
  x: Axis;
  y: Axis;
  equal?: boolean; // one unit is as long on both axes
  height?: number; // over the width
  layers: Layer[];
}
export interface Frames {
  label: string;
  values: string[]; // the name of each frame
  start?: number;
  play?: boolean;
  notes?: string[]; // a sentence each
  // Another slider: frame i of its value k is number k * values.length + i of the layers' frames and of the notes.
  second?: { label: string; values: string[]; start?: number };
}
export interface Plots {
  kind: "plots";
  classes?: string[];
  panels: Plot[];
  frames?: Frames;
}

export interface ForestRow {
  name: string;
  value: number;
  low?: number | null;
  high?: number | null;
  note?: string;
}
export interface Forest {
  kind: "forest";
  axis: string;
  log?: boolean;
  bars?: boolean;
  steps?: boolean; // bars that each begin where the one above ended; the first and the last count from zero
  free?: boolean; // zero is a value like others: the axis need not have it
  group?: string; // what the groups are: "class", "row"
  groups: { name: string; text?: string; rows: ForestRow[] }[];
  positive?: string; // what lies to the right
  negative?: string;
}

export interface Confusion {
  kind: "confusion";
  classes: string[]; // the truth down
  predicted: string[]; // across; may have "undecided" beyond the classes
  counts: number[][];
}

export interface Pictures {
  kind: "pictures";
  width: number;
  height: number;
  images: { name: string; values: number[]; gray?: boolean }[]; // gray: a picture, not weights
  unit?: string; // what the values are
  positive?: string;
}

export interface Wiring {
  kind: "wiring";
  layers: { name: string; units: string[] }[];
  links: { layer: number; from: number; to: number; weight: number }[];
  biases: number[][]; // of each layer behind the first
}

export interface Space {
  kind: "space";
  axes: [string, string, string];
  domain: [[number, number], [number, number], [number, number]];
  classes?: string[];
  points: { at: [number, number, number]; class: number; label?: string }[];
  lines: { at: [number, number, number][]; color?: Color; closed?: boolean; dash?: "dashed" | "dotted" }[];
  labelled?: boolean; // the points, with their places
  turn?: number;
  tilt?: number;
}

// What a threshold on a score decides: rows of each kind at or above it.
export interface Threshold {
  kind: "threshold";
  positive: string;
  negative: string;
  probability: boolean; // the score is a probability
  at: number[]; // ascending
  hits: number[]; // weight of positive rows at or above
  alarms: number[]; // of negative rows
  positives: number;
  negatives: number;
  start: number;
}

// A plain table.
export interface Grid2 {
  kind: "table";
  columns: string[];
  rows: (string | number | null)[][];
}
