/**
 * `bun run screenshots`: pictures of every page, wide and narrow, light and dark, into docs/screenshots, with an index. Those of rates and
 * documents are of a demo of its own, those of accounts and of the operator's room of a site that has something in every place. With names
 * as arguments only those. Takes two minutes; needs Debian's chromium and pngquant.
 */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Replica } from "#test/metered/replica.ts";
import { endAll } from "#test/support/at-end.ts";
import { openBrowser, openPage } from "#test/support/browser.ts";
import { until } from "#test/support/until.ts";
import { CORRECTED, type FurnishedSite, openFurnishedSite, openLateSite } from "./furnished.ts";
import type { Resident } from "./residents.ts";

const ROOT = resolve(import.meta.dir, "../..");
const FOLDER = join(ROOT, "docs/screenshots");
const PORT = 3456;
const VIEWS = [
  { width: 1440, height: 1000, scheme: "light" },
  { width: 1440, height: 1000, scheme: "dark" },
  { width: 390, height: 844, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
] as const;
/** The chart and the typeface are there by then. */
const SETTLED_MILLISECONDS = 700;

interface Shot {
  readonly name: string;
  /** What is to be seen, for the index. */
  readonly title: string;
  readonly url: string;
  readonly who?: Resident;
  readonly act?: (page: Page, width: number) => Promise<unknown>;
}

const drawer = async (page: Page, width: number) => {
  await page.click("tbody tr:has-text('BRL') .rate a");
  await page.waitForSelector(width < 1024 ? ".drawer[open] .provenance" : "#provenance .provenance");
  await page.mouse.move(0, 0);
};

function demoShots(at: string): Shot[] {
  return [
    { name: "landing", title: "All rates now", url: `${at}/?to=BRL` },
    { name: "provenance", title: "Where a number comes from", url: `${at}/`, act: drawer },
    { name: "pair", title: "A pair and its history", url: `${at}/usd-eur` },
    { name: "official", title: "Official publications", url: `${at}/official` },
    { name: "official-table", title: "One official table", url: `${at}/official/mex/fix` },
    { name: "docs", title: "Documentation", url: `${at}/docs` },
    { name: "guide", title: "A guide", url: `${at}/docs/limits` },
    { name: "search", title: "The search", url: `${at}/search?q=stale+rates` },
    { name: "reference", title: "The reference", url: `${at}/docs/reference` },
    { name: "status", title: "Status, everything current", url: `${at}/status/page` },
    { name: "sign-in", title: "Sign-in", url: `${at}/dashboard/sign-in` },
    { name: "sign-up", title: "Sign-up", url: `${at}/dashboard/sign-up` },
  ];
}

function furnishedShots({ server: { url: at }, operator, ...site }: FurnishedSite): Shot[] {
  const { newcomer, regular, debtor, endpoint, surplusEndpoint } = site;
  const enter = (path: string) => async (page: Page) => {
    await page.fill("#token", operator.token);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h2:has-text('Collections')");
    await page.goto(operator.url + path);
  };
  const room = (name: string, title: string, path: string): Shot => ({
    ...{ name, title, url: operator.url },
    act: enter(path),
  });
  const dash = (who: Resident, name: string, title: string, path = "", act?: Shot["act"]): Shot => ({
    ...{ name, title, who, url: `${at}${path.startsWith("/dashboard") ? path : `/dashboard${path}`}` },
    ...(act === undefined ? {} : { act }),
  });
  return [
    {
      name: "official-version",
      title: "A correction, difference by difference",
      url: `${at}${CORRECTED.table}/${CORRECTED.publication}`,
    },
    dash(newcomer, "first-key", "Before the first key"),
    dash(regular, "dashboard", "Usage of a month"),
    dash(regular, "keys", "A key, shown, and the one before it", "/keys", async (page) => {
      await page.click("form[action$=reveal] button");
      await page.waitForSelector("main a:has-text('Hide')");
    }),
    dash(regular, "plan", "Plans", "/plan"),
    dash(debtor, "past-due", "A payment is missing", "/plan"),
    dash(regular, "webhooks", "Webhook endpoints: active, disabled, over the limit", "/webhooks"),
    dash(regular, "deliveries", "The delivery log of an endpoint", endpoint),
    dash(regular, "over-plan", "An endpoint that the plan has no room for", surplusEndpoint),
    dash(regular, "account", "Sessions and password", "/account"),
    dash(regular, "deletion", "What the end of an account means", "/account", async (page) => {
      await page.click("summary:has-text('Delete the organization')");
      await page.locator("#delete").scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector("#delete")?.scrollIntoView());
    }),
    room("operator-overview", "Operator: traffic, failing webhooks, collections", "/operator/overview"),
    room("operator", "Operator: accounts", "/operator"),
    {
      ...room("operator-account", "Operator: one account", "/operator"),
      act: async (page) => {
        await enter("/operator")(page);
        await page.click(`tbody >> text=${regular.email}`);
        await page.waitForSelector(".audit-table");
      },
    },
    room("operator-figures", "Operator: held figures with their evidence", "/operator/figures"),
    room("operator-audit", "Operator: audit log", "/operator/audit"),
  ];
}

if (Bun.which("chromium") === null || Bun.which("pngquant") === null)
  throw new Error("screenshots need two programs: apt-get install chromium pngquant");
const wanted = new Set(process.argv.slice(2));
await mkdir(FOLDER, { recursive: true });
const browser = await openBrowser();
const data = await mkdtemp(join(tmpdir(), "crossrate-screenshots-"));
const demo = Bun.spawn([process.execPath, "src/main.ts", "demo"], {
  cwd: ROOT,
  env: { ...process.env, PORT: String(PORT), DATA_DIR: data },
  stdout: "ignore",
  stderr: "ignore",
});
let site: FurnishedSite | null = null;
let late: Replica | null = null;
try {
  site = await openFurnishedSite("history");
  late = await openLateSite();
  const shots: Shot[] = [
    ...demoShots(`http://localhost:${PORT}`),
    ...furnishedShots(site),
    {
      name: "status-incident",
      title: "Status with incidents and held figures",
      url: `${late.url}/status/page`,
    },
  ];
  await until("the demo is ready", async () => {
    const answer = await fetch(`http://localhost:${PORT}/status?strict=1`).catch(() => null);
    return answer?.ok === true;
  });
  for (const shot of shots.filter(({ name }) => wanted.size === 0 || wanted.has(name))) {
    await Promise.all(VIEWS.map((view) => take(browser, shot, view)));
    console.log(shot.name);
  }
  if (wanted.size === 0) await Bun.write(join(FOLDER, "README.md"), indexOf(shots));
} finally {
  await browser.close();
  demo.kill();
  await demo.exited;
  await Promise.all([site?.close(), late?.close()]);
  await endAll();
  await rm(data, { recursive: true, force: true });
}

async function take(on: Browser, { name, url, who, act }: Shot, view: (typeof VIEWS)[number]): Promise<void> {
  const { width, height, scheme } = view;
  const context: BrowserContext = await on.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    // Nothing is on its way from one state to another.
    reducedMotion: "reduce",
  });
  if (who !== undefined)
    await context.addCookies([{ name: "crossrate_session", value: who.session, url: new URL(url).origin }]);
  const { page } = await openPage(url, { context });
  // A first visit on a slow machine is shown without the typeface, which later ones have in the cache.
  await page.reload({ waitUntil: "load" });
  await act?.(page, width);
  await page.waitForTimeout(SETTLED_MILLISECONDS);
  const picture = await withPalette(await page.screenshot());
  await Bun.write(join(FOLDER, `${name}-${width}-${scheme}.png`), picture);
  await context.close();
}

/** The same picture in at most 256 colours: a third of the bytes, and no difference to be seen on pages with few colours. */
async function withPalette(png: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn(["pngquant", "256", "-"], { stdin: png, stdout: "pipe" });
  const picture = await new Response(child.stdout).bytes();
  if ((await child.exited) !== 0) throw new Error("pngquant failed");
  return picture;
}

function indexOf(shots: readonly Shot[]): string {
  const rows = shots.map(({ name, title }) => {
    const links = VIEWS.map(({ width, scheme }) => `[${scheme}](${name}-${width}-${scheme}.png)`);
    return `| ${title} | ${links[0]} · ${links[1]} | ${links[2]} · ${links[3]} |`;
  });
  return `# Screenshots

Made by \`bun run screenshots\`. Rates of public pages are those of the demo: the European Central Bank's own history, with simulated live
rates. Those of accounts and of the operator are of a simulated site.

| page | 1440 wide | 390 wide |
|---|---|---|
${rows.join("\n")}
`;
}
