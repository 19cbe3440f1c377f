/**
 * `bun run screenshots`: pictures of every page of the demo, wide and narrow, light and dark, into docs/screenshots. It starts a demo of its
 * own and ends it. Takes a minute; needs Debian's chromium.
 */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openBrowser, openPage } from "#test/support/browser.ts";

const ROOT = resolve(import.meta.dir, "../..");
const FOLDER = join(ROOT, "docs/screenshots");
const PORT = 3456;
const PAGES = {
  landing: "/?to=BRL",
  pair: "/usd-eur",
  official: "/official",
  docs: "/docs",
  guide: "/docs/limits",
  reference: "/docs/reference",
  status: "/status/page",
  "sign-in": "/dashboard/sign-in",
} as const;
/** Of the demo's own account. */
const OWN_PAGES = {
  dashboard: "/dashboard",
  keys: "/dashboard/keys",
  plan: "/dashboard/plan",
  webhooks: "/dashboard/webhooks",
  account: "/dashboard/account",
} as const;
const VIEWS = [
  { width: 1440, height: 1000, scheme: "light" },
  { width: 1440, height: 1000, scheme: "dark" },
  { width: 390, height: 844, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
] as const;
/** The chart and the typeface are there by then. */
const SETTLED_MILLISECONDS = 800;

const program = Bun.which("chromium");
if (program === null) throw new Error("screenshots need chromium: apt-get install chromium");
const data = await mkdtemp(join(tmpdir(), "crossrate-screenshots-"));
const demo = Bun.spawn([process.execPath, "src/main.ts", "demo"], {
  cwd: ROOT,
  env: { ...process.env, PORT: String(PORT), DATA_DIR: data },
  stdout: "ignore",
  stderr: "ignore",
});
try {
  await ready(`http://localhost:${PORT}/status?strict=1`);
  await mkdir(FOLDER, { recursive: true });
  const browser = await openBrowser(program);
  for (const [name, path] of Object.entries(PAGES)) {
    for (const view of VIEWS) {
      const { page } = await openPage(browser, `http://localhost:${PORT}${path}`, view);
      await page.waitForTimeout(SETTLED_MILLISECONDS);
      await page.screenshot({ path: join(FOLDER, `${name}-${view.width}-${view.scheme}.png`) });
      await page.close();
    }
    console.log(name);
  }
  const { page: entry } = await openPage(browser, `http://localhost:${PORT}/dashboard`);
  await entry.fill("#email", "demo@example.org");
  await entry.fill("#password", "crossrate-demo");
  await entry.click("main button[type=submit]");
  await entry.waitForURL("**/dashboard");
  const storageState = await entry.context().storageState();
  for (const { width, height, scheme } of VIEWS) {
    const view = { viewport: { width, height }, colorScheme: scheme, storageState };
    const context = await browser.newContext(view);
    for (const [name, path] of Object.entries(OWN_PAGES)) {
      const { page } = await openPage(browser, `http://localhost:${PORT}${path}`, { context });
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${scheme}.png`) });
    }
    await context.close();
  }
  await browser.close();
} finally {
  demo.kill();
  await demo.exited;
  await rm(data, { recursive: true, force: true });
}

async function ready(url: string): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt++) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok === true) return;
    await Bun.sleep(500);
  }
  throw new Error("the demo was not ready within two minutes");
}
