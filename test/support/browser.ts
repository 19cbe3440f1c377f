/** A real browser for tests of pages: Chromium, with what a page complains of collected, and axe-core beside it. */

import { afterEach, beforeAll, beforeEach, describe, setDefaultTimeout } from "bun:test";
import { readFile } from "node:fs/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { optionalTool } from "./require-tool.ts";

export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, refusals of the policy, requests that failed. */
  readonly complaints: string[];
  /** Paths of all requests of the page, in order. */
  readonly requests: string[];
}

export interface ViewOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly context?: BrowserContext;
}

/** What Chromium says of its own pace: a font that it comes to use seconds after it was loaded, or that it calls slow. */
const OF_A_BUSY_MACHINE =
  /preloaded using link preload but not used within a few seconds|Slow network is detected/;

/**
 * Each window's field for addresses has renderers of its own for its suggestions, which is half the work of opening a page. The others
 * are those that Playwright switches off: the last list counts.
 */
const UNUSED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...[
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "PaintHolding",
  ],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "ThirdPartyStoragePartitioning"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"],
  "PreconnectToSearch",
];

/** Without windows where Debian's package of that is there: a third less work for the same pages. */
const PROGRAM = Bun.which("chromium-headless-shell") === null ? "chromium" : "chromium-headless-shell";

/** All files of a process share it; it ends with the process, whose pipe it reads. */
let launched: Promise<Browser> | null = null;
/** There once the tests of `inBrowser` run. */
export let browser: Browser;

export async function openBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: Bun.which(PROGRAM) ?? "",
    args: ["--no-sandbox", `--disable-features=${UNUSED_FEATURES.join(",")}`],
  });
  browser = await launched;
  return browser;
}

/**
 * Describes promises about pages in a browser; they are skipped, and a line says so, where there is no Chromium. What a test opens is closed
 * after it.
 */
export function inBrowser(name: string, promises: () => void): void {
  setDefaultTimeout(300_000);
  describe.skipIf(optionalTool(PROGRAM, `${name} in a browser`) === null)(name, () => {
    let others = new Set<BrowserContext>();
    beforeAll(openBrowser);
    beforeEach(() => {
      others = new Set(browser.contexts());
    });
    afterEach(async () => {
      await Promise.all(browser.contexts().map((one) => others.has(one) || one.close()));
    });
    promises();
  });
}

export async function openPage(url: string, options: ViewOptions = {}): Promise<WatchedPage> {
  const { width = 1440, height = 1000, scheme = "light" } = options;
  const view = { viewport: { width, height }, colorScheme: scheme };
  const page = await (options.context?.newPage() ?? browser.newPage(view));
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !OF_A_BUSY_MACHINE.test(text)) complaints.push(text);
  });
  page.on("pageerror", (fault) => complaints.push(fault.message));
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(url, { waitUntil: "load" });
  return { page, complaints, requests };
}

/** For a context whose pages all are looked at: as a script of its own it is read once, and not sent to every page. */
export const AXE = Bun.fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));
let axe: Promise<string> | null = null;

/**
 * What axe-core finds, one line a rule and place; by default of all its rules, or as its own `options` choose. It is run beside the page's
 * policy, not past it.
 */
export async function violations(page: Page, options: object = {}): Promise<string[]> {
  axe ??= readFile(AXE, "utf8");
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await axe);
  return await page.evaluate(async (chosen) => {
    interface Axe {
      run(
        options: object,
      ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const found = await axe.run({ resultTypes: ["violations"], ...chosen });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    );
  }, options);
}
