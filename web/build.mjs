// Bundles src/ into dist/: the script and the style of a report, and the hashes by which its
// Content-Security-Policy admits these two and nothing else. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
mkdirSync(out, { recursive: true });
await build({
  entryPoints: { report: join(here, "src/main.ts") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
});
await build({
  entryPoints: { report: join(here, "src/style.css") },
  outdir: out,
  minify: true,
  charset: "utf8",
});

const hash = (name) => "'sha256-" + createHash("sha256").update(readFileSync(join(out, name))).digest("base64") + "'";
// An inline script must not contain what would end its element.
const script = readFileSync(join(out, "report.js"), "utf8");
if (/<\/script|<!--/i.test(script)) throw new Error("the bundle contains the end of a script element");
writeFileSync(
  join(out, "policy.txt"),
  `default-src 'none'; script-src ${hash("report.js")}; style-src ${hash("report.css")}; img-src data:; ` +
    `base-uri 'none'; form-action 'none'`,
);
