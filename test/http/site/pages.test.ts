/** The pages behind mailed links: they are self-contained, load nothing from elsewhere, and state and send what the API accepts. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OPERATIONS } from "#contract/operations.ts";
import { LEAST_CHARACTERS, MOST_CHARACTERS } from "#gateways/passwords.ts";
import { createApp } from "#http/app.ts";
import { newComputeTurns } from "#http/response/compute-turns.ts";
import { openLargeBodies } from "#http/response/large-bodies.ts";
import { openAnswersUnderWay } from "#http/response/under-way.ts";
import { pagesRoutes } from "#http/site/pages.ts";
import { type IdentityFixture, openFixture, SITE } from "#test/accounts/identity/fixture.ts";
import { openTestApp } from "#test/http/harness.ts";

const underWay = openAnswersUnderWay({ most: 1, addressOf: () => "", isDone: () => true });
const UNBOUNDED = {
  underWay,
  large: openLargeBodies({ underWay, turns: newComputeTurns(), callerOf: () => "" }),
};

const PAGES = ["/account", "/verify-email", "/reset-password"];
const LINKED = PAGES.slice(1);

let fixture: IdentityFixture;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  fixture = await openFixture();
  const app = createApp(openTestApp({ identity: fixture.deps, clock: fixture.clock }).deps);
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.answer });
});
afterAll(async () => {
  await server.stop(true);
  await fixture.stop();
});

const at = (path: string) => new URL(path, server.url).href;
const ask = (path: string, init?: RequestInit) => fetch(at(path), init);
const read = async (path: string) => await (await ask(path)).text();

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);
const linksOf = (html: string) => all(html, /(?:src|href)="([^"]+)"/g);

/** The scripts of a page and everything that they import. */
async function scriptsOf(html: string): Promise<string> {
  const waiting = linksOf(html).filter((link) => link.endsWith(".js"));
  const texts = new Map<string, string>();
  for (const link of waiting) {
    if (texts.has(link)) continue;
    const text = await read(link);
    texts.set(link, text);
    waiting.push(...all(text, /from "\.\/([^"]+)"/g).map((name) => `/pages/assets/${name}`));
  }
  return [...texts.values()].join("\n");
}

/** The operations that a page calls, and the members of their bodies. */
function callsIn(html: string) {
  return all(html, /<pre><code>([^<]+)<\/code>/g).map((call) => ({
    method: /-X (\w+)/.exec(call)?.[1]?.toLowerCase() ?? "get",
    url: new URL(/'(https?:[^']+)'/.exec(call)?.[1] ?? ""),
    members: Object.keys(JSON.parse(/-d '([^']+)'/.exec(call)?.[1] ?? "{}")),
  }));
}

const operationAt = (method: string, path: string) =>
  OPERATIONS.find((operation) => operation.method === method && operation.path === path);

describe.each(PAGES)("%s", (path) => {
  test("is HTML that no cache stores, no page frames and no referrer reveals", async () => {
    const answer = await ask(`${path}?checkout=success`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("x-request-id")).not.toBeNull();
  });

  test("lets the browser run, load and send nothing but this server's own, and nothing inline", async () => {
    const policy = (await ask(path)).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|data:|unsafe/);
    const html = await read(path);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
    expect(all(html, /<script([^>]*)>/g).every((attributes) => attributes.includes("src="))).toBe(true);
  });

  test("links to nothing outside this server, and everything it needs is there", async () => {
    const html = await read(path);
    const links = linksOf(html);
    expect(links).toContain("/docs");
    for (const link of links) {
      expect(link).toStartWith("/");
      expect((await ask(link)).status, link).toBe(200);
    }
    expect(await scriptsOf(html)).not.toContain('"code":"not_found"');
  });

  test("answers HEAD without a body, and other methods with 405", async () => {
    const head = await ask(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const refused = await ask(path, { method });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
  });

  test("is not there where access is open: it answers as an unknown path does", async () => {
    const open = openTestApp({ identity: null });
    for (const method of ["GET", "HEAD", "POST"]) {
      const [page, unknown] = await Promise.all(
        [path, "/nothing"].map(async (requested) => {
          const answer = await open.ask(requested, { method });
          return [answer.status, (await answer.text()).replace(requested, "…")];
        }),
      );
      expect(page?.[0]).toBe(404);
      expect(page).toEqual(unknown as typeof page);
    }
    expect((await open.ask("/pages/assets/page.css")).status).toBe(404);
  });

  test("says that the demo is a simulation, and only there", async () => {
    const page = async (simulated: boolean) => {
      const routes = pagesRoutes({ identity: { publicUrl: SITE }, simulated, ...UNBOUNDED });
      const route = routes.find((candidate) => candidate.path === path);
      return await (await route?.handle(new Request(at(path)), {}))?.text();
    };
    expect(await page(true)).toContain('<p class="simulated">SIMULATED');
    expect(await page(false)).not.toContain("SIMULATED");
  });

  test("prints calls that the API documents, at the public address", async () => {
    const calls = callsIn(await read(path));
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const { method, url, members } of calls) {
      const operation = operationAt(method, url.pathname);
      expect(url.origin).toBe(SITE);
      expect(operation, `${method} ${url.pathname}`).toBeDefined();
      expect(Object.keys(operation?.body?.schema["properties"] ?? {})).toEqual(
        expect.arrayContaining(members),
      );
    }
  });

  test("is accessible: a language, one heading, labels, a live region for messages", async () => {
    const html = await read(path);
    expect(html).toContain('<html lang="en">');
    expect(all(html, /<(h1)>/g)).toHaveLength(1);
    expect(html).toContain('aria-live="polite"');
    expect(all(html, /<input id="([^"]+)"/g)).toEqual(all(html, /<label for="([^"]+)"/g));
    const ids = all(html, /\sid="([^"]+)"/g);
    for (const named of all(html, /aria-describedby="([^"]+)"/g).flatMap((names) => names.split(" ")))
      expect(ids).toContain(named);
  });

  test("has every part that its scripts look for", async () => {
    const html = await read(path);
    const scripts = await scriptsOf(html);
    // The one line for news is in the pages that send something.
    const wanted = all(scripts, /getElementById\("([^"]+)"\)/g).filter(
      (id) => path !== "/account" || id !== "said",
    );
    for (const id of wanted) expect(html).toContain(`id="${id}"`);
    for (const state of all(scripts, /show\("([^"]+)"\)/g)) expect(html).toContain(`data-when="${state}"`);
  });
});

describe("without scripts", () => {
  test.each(LINKED)("%s shows the calls, and no form that would send itself", async (path) => {
    const html = await read(path);
    expect(html).toContain("<noscript>");
    expect(html).toContain("<details open>");
    expect(html).toMatch(/<section data-when="ready" hidden>[\s\S]*<form method="post">/);
  });

  test("/account claims nothing about a payment", async () => {
    const html = await read("/account");
    expect(all(html, /<section data-when="(\w+)" hidden>/g)).toEqual(["success", "cancelled"]);
    expect(html).toContain('<section data-when="other">');
  });
});

test("the printed rules for passwords are the rules in force", async () => {
  const rules = `${LEAST_CHARACTERS} to ${MOST_CHARACTERS} characters of any kind`;
  expect(all(await read("/reset-password"), new RegExp(`(${rules})`, "g"))).toHaveLength(2);
});

test("files have a media type that browsers run; any other name is not found", async () => {
  expect((await ask("/pages/assets/page.css")).headers.get("content-type")).toStartWith("text/css");
  expect((await ask("/pages/assets/show.js")).headers.get("content-type")).toStartWith("text/javascript");
  for (const name of ["account.html", "nothing.js", "..%2fpages.ts", "constructor"])
    expect((await ask(`/pages/assets/${name}`)).status, name).toBe(404);
});
