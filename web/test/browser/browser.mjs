// Debian's Chromium, driven by playwright-core, with everything off that would talk to a network.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export async function withBrowser(body) {
  const profile = mkdtempSync(join(tmpdir(), "discern-report-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--allow-file-access-from-files"],
    acceptDownloads: true,
  });
  try {
    return await body(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

// Opens a page at a size and in a colour scheme, and notes every complaint and every request but the page itself.
export async function open(context, path, { width, scheme }) {
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith("file://") && !address.startsWith("blob:")) faults.push(`request: ${address}`);
  });
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await page.goto(`file://${path}`);
  return { page, faults };
}
