// Pictures of figures for the documentation, without the words around them.
//
//   node gallery.mjs DIR PAGE.html...     DIR/PAGE-FIGURE.png, or DIR/FIGURE.png of the picture book
import { mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { open, withBrowser } from "./browser.mjs";

const [dir, ...pages] = process.argv.slice(2);
mkdirSync(dir, { recursive: true });
await withBrowser(async (context) => {
  for (const file of pages) {
    const { page, faults } = await open(context, resolve(file), { width: 860, scheme: "light" });
    await page.waitForSelector("html[data-drawn=yes]", { timeout: 20000 });
    if (faults.length > 0) throw new Error(faults.join("\n"));
    const name = basename(file, ".html");
    for (const section of await page.$$("section.figure")) {
      const id = await section.getAttribute("id");
      const body = await section.$(".body");
      await body.screenshot({ path: join(dir, `${name === "demo-all" ? id : `${name}-${id}`}.png`) });
    }
    await page.close();
  }
});
