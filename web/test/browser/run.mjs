// Every page given, in a real browser: no complaint, no request, marks in every figure, what can be moved responds, and
// axe finds nothing; wide and narrow, light and dark.
//
//   node run.mjs [--shots DIR] PAGE.html...
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { open, withBrowser } from "./browser.mjs";

const words = process.argv.slice(2);
let shots = null;
if (words[0] === "--shots") [, shots] = words.splice(0, 2);
if (words.length === 0) throw new Error("no page was given");
if (shots) mkdirSync(shots, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// Colours do not depend on the width, nor the layout on the colours.
const looks = [
  { width: 1280, scheme: "light" },
  { width: 390, scheme: "dark" },
];

async function figuresWithoutMarks(page) {
  return page.$$eval("section.figure", (sections) =>
    sections.filter((section) => {
      const drawn = [...section.querySelectorAll(".marks, .body svg g[clip-path]")];
      return !drawn.some((group) => group.querySelector("path[d]:not([d='']), rect, circle, line, td"));
    }).map((section) => section.id));
}

// What sticks out to the side makes a narrow page scroll.
async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function violations(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map((v) => `axe: ${v.id}: ${v.nodes[0]?.html.slice(0, 160)} ${v.nodes[0]?.failureSummary?.replace(/\s+/g, " ").slice(0, 200)}`);
}

// Sliders, legends, choices, tables, tooltips and downloads must change what is shown.
async function respond(page, faults) {
  const changes = async (what, section, act) => {
    const before = await section.evaluate((node) => node.innerHTML);
    await act();
    if (before === (await section.evaluate((node) => node.innerHTML))) faults.push(`${what} of ${await section.getAttribute("id")} does nothing`);
  };
  let downloaded = false;
  for (const section of await page.$$("section.figure")) {
    for (const slider of await section.$$("input[type=range]"))
      await changes("a slider", section, async () => {
        await slider.focus();
        const high = await slider.evaluate((node) => Number(node.value) > (Number(node.min) + Number(node.max)) / 2);
        for (let i = 0; i < 3; i++) await page.keyboard.press(high ? "ArrowLeft" : "ArrowRight");
      });
    const list = await section.$("select");
    if (list) await changes("the list", section, () => list.selectOption({ index: 1 }));
    const toggle = await section.$(".legend button");
    if (toggle) await changes("the legend", section, () => toggle.click());
    if (toggle) await toggle.click();
    const summary = await section.$("details.behind > summary");
    await summary.click();
    await page.waitForFunction((node) => node.parentElement.querySelector("tbody tr"), summary, { timeout: 5000 });
    if (!downloaded) {
      const saved = page.waitForEvent("download", { timeout: 5000 });
      await (await section.$("details.behind button")).click();
      downloaded = (await saved).suggestedFilename().endsWith(".csv");
      if (!downloaded) faults.push("the download is no CSV");
    }
    await summary.click();
    const drawing = await section.$("svg.plot");
    if (!drawing) continue;
    await drawing.focus();
    await page.keyboard.press("ArrowRight");
    const tip = await section.$(".tip:not([hidden])");
    if (!tip && (await section.$(".marks path, .marks circle"))) faults.push(`no tooltip in ${await section.getAttribute("id")}`);
    await page.keyboard.press("Escape");
  }
}

async function shoot(page, name, look) {
  const base = `${name}-${look.width}-${look.scheme}`;
  for (const section of await page.$$("section.figure"))
    await section.screenshot({ path: join(shots, `${base}-${await section.getAttribute("id")}.png`) });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(shots, `${base}.png`) });
}

let failed = 0;
await withBrowser(async (context) => {
  for (const file of words) {
    const faults = [];
    let figures = 0;
    const { page, faults: heard } = await open(context, resolve(file), looks[0]);
    await page.waitForSelector("html[data-drawn=yes]", { timeout: 20000 }).catch(() => heard.push("nothing was drawn"));
    figures = (await page.$$("section.figure")).length;
    if (figures === 0) heard.push("there is no figure");
    for (const look of looks) {
      await page.setViewportSize({ width: look.width, height: 900 });
      await page.emulateMedia({ colorScheme: look.scheme, reducedMotion: "reduce" });
      await page.waitForTimeout(50);
      for (const id of await figuresWithoutMarks(page)) heard.push(`no marks in ${id}`);
      const beyond = await overflow(page);
      if (beyond > 0) heard.push(`the page is ${beyond} pixels too wide`);
      heard.push(...(await violations(page)));
      if (shots) await shoot(page, basename(file, ".html"), look);
      if (look === looks[0]) await respond(page, heard);
      faults.push(...heard.splice(0).map((fault) => `${look.width} ${look.scheme}: ${fault}`));
    }
    await page.close();
    console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${basename(file)}: ${figures} figures`);
    for (const fault of faults) console.log(`     ${fault}`);
    failed += faults.length > 0 ? 1 : 0;
  }
});
console.log(failed === 0 ? `all ${words.length} pages are well` : `${failed} of ${words.length} pages have faults`);
process.exitCode = failed === 0 ? 0 : 1;
