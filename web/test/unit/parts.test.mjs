// The parts that have logic of their own, bundled for Node as they are for the page.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = mkdtempSync(join(tmpdir(), "discern-unit-"));
after(() => rmSync(out, { recursive: true, force: true }));

async function load(path) {
  const outfile = join(out, path.replace(/\W/g, "_") + ".mjs");
  await build({ entryPoints: [join(here, "../../src", path)], outfile, bundle: true, format: "esm", logLevel: "error" });
  return import(outfile);
}
const { unpack, expand } = await load("parts/codec.ts");
const { number, percent, rounded, short } = await load("parts/format.ts");
const { spread, widened, marginMeetsBoundary, cellCounts } = await load("parts/layers.ts");
const { csv } = await load("parts/table.ts");
const { outcome, meanCost } = await load("figures/threshold.ts");
const { tableOf, atFrame } = await load("figures/plots.ts");
const { barEnds, extent } = await load("figures/forest.ts");
const { depthScale } = await load("figures/pictures.ts");
const { project } = await load("figures/space.ts");

test("packed numbers run from low to high, and no number stays none", () => {
  const values = unpack({ low: -1, high: 1, text: "AA__~~" });
  assert.equal(values[0], -1);
  assert.equal(values[1], 1);
  assert.ok(Number.isNaN(values[2]));
});

test("runs fill the window in order", () => {
  assert.deepEqual([...expand([0, 2, -1, 1, 3, 3], { cols: 3, rows: 2, x: [0, 1], y: [0, 1] })], [0, 0, -1, 3, 3, 3]);
});

test("numbers have four digits, grouped thousands and a real minus", () => {
  assert.equal(number(1234567), "1,234,567");
  assert.equal(number(-0.123456), "−0.1235");
  assert.equal(number(null), "–");
  assert.equal(number(1e-9), "1.00e−9");
  assert.equal(percent(0.1234), "12.3 %");
});

test("a long text is cut between letters, not inside one", () => {
  assert.equal(short("abcdef", 4), "abc…");
  assert.equal(short("😀😀😀😀", 3), "😀😀…");
});

test("CSV quotes what needs it and makes no formula", () => {
  assert.equal(csv({ columns: ["a", 'b"c'], rows: [["=1+1", null], ["x,y", -2]] }), 'a,"b""c"\r\n\'=1+1,\r\n"x,y",-2\r\n');
});

const curve = { at: [0.1, 0.4, 0.8], hits: [10, 8, 3], alarms: [20, 5, 1], positives: 10, negatives: 20 };
test("a threshold takes the rows at or above it", () => {
  assert.deepEqual(outcome(curve, 0.4), { hits: 8, misses: 2, alarms: 5, quiet: 15 });
  assert.deepEqual(outcome(curve, 0.41), { hits: 3, misses: 7, alarms: 1, quiet: 19 });
  assert.deepEqual(outcome(curve, 0.9), { hits: 0, misses: 10, alarms: 0, quiet: 20 });
});

test("the mean cost counts misses and alarms at their prices", () => {
  assert.equal(meanCost(curve, outcome(curve, 0.4), 5, 1), 15 / 30);
});

test("a frame replaces what it names and keeps the rest", () => {
  const layer = { type: "line", x: [0], y: [0], name: "w", frames: [{ y: [1] }, { y: [2] }] };
  assert.deepEqual(atFrame(layer, 1).y, [2]);
  assert.deepEqual(atFrame(layer, 7).y, [2]);
  assert.equal(atFrame(layer, 0).name, "w");
});

test("the table has a row for every point, under the columns that are used", () => {
  const data = { kind: "plots", classes: ["a", "b"], panels: [{ x: {}, y: {}, layers: [{ type: "points", x: [1, 2], y: [3, 4], class: [0, 1] }] }] };
  assert.deepEqual(tableOf(data, 0), { columns: ["layer", "x", "y", "class"], rows: [["points 1", 1, 3, "a"], ["points 1", 2, 4, "b"]] });
});

test("the extent of estimates has zero in it, and one for ratios", () => {
  assert.deepEqual(extent([{ name: "a", value: 2, low: 1, high: 4 }], false), [0, 4.2]);
  const [low, high] = extent([{ name: "a", value: 2, low: 1.5, high: 4 }], true);
  assert.ok(low < 1 && high > 4);
});

test("turning by a quarter brings the second axis to the first", () => {
  const [x, y] = project([0, 1, 0], -Math.PI / 2, 0);
  assert.ok(Math.abs(x - 1) < 1e-12 && Math.abs(y) < 1e-12);
});

test("texts that are numbers have four digits, others stay", () => {
  assert.equal(rounded("0.0799392"), "0.07994");
  assert.equal(rounded("-1.5e-09"), "−1.50e−9");
  assert.equal(rounded("0.98 ± 0.013"), "0.98 ± 0.013");
  assert.equal(rounded("12.3 %"), "12.3 %");
});

test("steps begin where the one above ended, and the last counts from zero", () => {
  const rows = [{ name: "mean", value: 4 }, { name: "a", value: -3 }, { name: "b", value: 0.5 }, { name: "sum", value: 1.5 }];
  assert.deepEqual(barEnds(rows, true), [[0, 4], [4, 1], [1, 1.5], [0, 1.5]]);
  assert.deepEqual(barEnds(rows, false)[1], [0, -3]);
});

test("names beside a plot do not overlap, and stay inside", () => {
  const ends = [10, 11, 12, 95, 100].map((y, i) => ({ y, text: String(i), color: 0 }));
  const placed = spread(ends, 0, 100, 13);
  assert.equal(placed.length, 5);
  placed.forEach((one, i) => assert.ok(one.y >= 0 && one.y <= 100 && (i === 0 || one.y - placed[i - 1].y >= 13 - 1e-9)));
  assert.deepEqual(spread(ends, 0, 20, 13).map((one) => one.end.text), ["3", "4"]);
});

test("a field goes on in a straight line beyond its window", () => {
  assert.deepEqual([...widened([1, 2, 3, 4], 2, 2)], [-2, -1, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7]);
});

test("a margin that falls towards the boundary is told from one that does not", () => {
  const labels = [0, 0, 0, 1, 1, 1];
  assert.ok(marginMeetsBoundary(labels, [0.9, 0.6, 0.2, 0.2, 0.6, 0.9], 6));
  assert.ok(!marginMeetsBoundary(labels, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], 6));
});

test("of planes the largest decides a cell", () => {
  const counts = cellCounts({ type: "regions", window: { x: [0, 4], y: [0, 1], cols: 4, rows: 1 }, labels: [], planes: [[1, 0, 0], [0, 1, 0]] });
  assert.deepEqual([...counts].sort(), [[0, 1], [1, 3]]);
});

test("a few pixels far beyond all others do not take the colour from them", () => {
  assert.equal(depthScale([...Array(300).fill(1), 50]), 1);
  assert.equal(depthScale([0.5, -2, 1]), 2);
});
