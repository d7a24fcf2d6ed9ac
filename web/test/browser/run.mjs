// Every page given, in a real browser: no complaint, no request, marks in every figure, what can be moved responds, and
// axe finds nothing; wide and narrow, light and dark, printed, and in the frame of a notebook.
//
//   node run.mjs [--all-looks] [--shots DIR] PAGE.html...
//
// Without --all-looks light at 1280 pixels and dark at 390: colours do not depend on the width, nor the layout on the
// colours.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { open, withBrowser } from "./browser.mjs";

const words = process.argv.slice(2);
const all = words[0] === "--all-looks";
if (all) words.shift();
let shots = null;
if (words[0] === "--shots") [, shots] = words.splice(0, 2);
if (words.length === 0) throw new Error("no page was given");
if (shots) mkdirSync(shots, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const looks = [
  { width: 1280, scheme: "light" },
  ...(all ? [{ width: 1280, scheme: "dark" }, { width: 390, scheme: "light" }] : []),
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

// Texts of a drawing that stick out of it, or of the page, are cut off or lie on what is beside them.
async function cutTexts(page) {
  return page.$$eval("svg.plot", (drawings) =>
    drawings.flatMap((drawing) => {
      const frame = drawing.getBoundingClientRect();
      return [...drawing.querySelectorAll("text")].filter((text) => {
        if (text.closest("[clip-path]")) return false;
        const box = text.getBoundingClientRect();
        return box.width > 0 && (box.left < frame.left - 6 || box.right > frame.right + 10 || box.top < frame.top - 6 || box.bottom > frame.bottom + 6);
      }).map((text) => `${drawing.closest("section")?.id}: '${text.textContent}' is cut off`);
    }));
}

// Every figure has a name and a text that a screen reader reads, and drawings that say what they show.
async function unspoken(page) {
  return page.$$eval("section.figure", (sections) =>
    sections.flatMap((section) => {
      const faults = [];
      if (!document.getElementById(section.getAttribute("aria-labelledby"))?.textContent) faults.push("no title");
      if (!section.querySelector("p.text")?.textContent) faults.push("no description");
      for (const drawing of section.querySelectorAll("svg:not([aria-hidden])")) if (!drawing.getAttribute("aria-label")) faults.push("a drawing without words");
      if (!section.querySelector("details.behind")) faults.push("no table");
      return faults.map((fault) => `${section.id}: ${fault}`);
    }));
}

// Playing shows one frame after the other. Once for a page, since it takes seconds.
async function plays(page) {
  const button = await page.$(".scrubber button");
  if (!button) return [];
  const slider = await (await button.evaluateHandle((node) => node.parentElement.querySelector("input"))).asElement();
  await button.click();
  const first = await slider.inputValue();
  await page.waitForTimeout(900);
  const later = await slider.inputValue();
  await button.click();
  return first === later ? ["playing does not move"] : [];
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

// Printed from a dark screen it is dark ink on white, with every figure, and without what can only be clicked.
async function printed(context, file) {
  const { page, faults } = await open(context, file, { width: 1280, scheme: "dark" });
  await page.waitForSelector("html[data-drawn=yes]", { timeout: 20000 });
  const figures = (await page.$$("section.figure")).length;
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  // What the change of media draws again is on the page two frames later.
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  const seen = await page.evaluate(() => ({
    ground: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.body).color,
    shown: [...document.querySelectorAll("nav, .behind, .scrubber button")].filter((node) => node.offsetParent !== null).length,
  }));
  if (seen.ground !== "rgb(255, 255, 255)" || seen.ink !== "rgb(0, 0, 0)") faults.push(`printed in ${seen.ink} on ${seen.ground}`);
  if (seen.shown > 0) faults.push("buttons are printed");
  const pdf = await page.pdf({ format: "A4", printBackground: true, ...(shots ? { path: join(shots, `${basename(file, ".html")}.pdf`) } : {}) });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  if (pages < 1 || pages > 2 + 1.5 * figures) faults.push(`${figures} figures print on ${pages} pages`);
  await page.close();
  return faults.map((fault) => `print: ${fault}`);
}

// As a notebook shows it: the text of the page in a frame that may run scripts and nothing else.
async function framed(context, file) {
  const { page, faults } = await open(context, file, { width: 1000, scheme: "light" });
  await page.goto("about:blank");
  await page.setContent('<iframe sandbox="allow-scripts allow-downloads" style="width:900px;height:700px"></iframe>');
  await page.$eval("iframe", (frame, text) => frame.setAttribute("srcdoc", text), readFileSync(file, "utf8"));
  const frame = await (await page.$("iframe")).contentFrame();
  await frame.waitForSelector("html[data-drawn=yes]", { timeout: 20000 }).catch(() => faults.push("nothing was drawn"));
  if ((await frame.$$("section.figure")).length === 0) faults.push("there is no figure");
  await page.close();
  return faults.filter((fault) => !fault.includes("about:")).map((fault) => `frame: ${fault}`);
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
      heard.push(...(await cutTexts(page)), ...(await unspoken(page)));
      for (const id of await figuresWithoutMarks(page)) heard.push(`no marks in ${id}`);
      const beyond = await overflow(page);
      if (beyond > 0) heard.push(`the page is ${beyond} pixels too wide`);
      heard.push(...(await violations(page)));
      if (shots) await shoot(page, basename(file, ".html"), look);
      if (look === looks[0]) {
        await respond(page, heard);
        heard.push(...(await plays(page)));
      }
      faults.push(...heard.splice(0).map((fault) => `${look.width} ${look.scheme}: ${fault}`));
    }
    await page.close();
    for (const fault of [...(await printed(context, resolve(file))), ...(await framed(context, resolve(file)))]) faults.push(fault);
    console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${basename(file)}: ${figures} figures`);
    for (const fault of faults) console.log(`     ${fault}`);
    failed += faults.length > 0 ? 1 : 0;
  }
});
console.log(failed === 0 ? `all ${words.length} pages are well` : `${failed} of ${words.length} pages have faults`);
process.exitCode = failed === 0 ? 0 : 1;
