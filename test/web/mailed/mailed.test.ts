/** The pages behind mailed links, and the one that the payment provider leads back to: they load nothing from elsewhere, and state and send what the API accepts. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LEAST_CHARACTERS, MOST_CHARACTERS } from "#gateways/passwords.ts";
import { OPERATIONS } from "#test/api/openapi/operations.ts";
import { type DashboardServer, openDashboardServer } from "#test/web/dashboard/dashboard-server.ts";

const PAGES = ["/account", "/verify-email", "/reset-password"];
const LINKED = PAGES.slice(1);

let server: DashboardServer;
beforeAll(async () => {
  server = await openDashboardServer({ mail: false });
});
afterAll(() => server.close());

const ask = (path: string, of = server) => fetch(new URL(path, of.url));
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
    waiting.push(...all(text, /from"\.\/([^"]+)"/g).map((name) => `/site/${name}`));
  }
  return [...texts.values()].join("\n");
}

/** The operations that a page calls, and the members of their bodies. */
function callsIn(html: string) {
  const printed = all(html, /<pre><code>([^<]+)<\/code>/g).map((call) => call.replaceAll("&quot;", '"'));
  return printed.map((call) => ({
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

  test("links to nothing outside this server, and everything it needs is there", async () => {
    const html = await read(path);
    const links = linksOf(html).filter((link) => !link.startsWith("#"));
    expect(links).toContain("/docs");
    for (const link of links) {
      expect(link).toStartWith("/");
      // Those of official publications and of the table are absent in this small world.
      if (!/^\/(official|v1\/official)/.test(link)) expect((await ask(link)).status, link).toBe(200);
    }
    expect(await scriptsOf(html)).not.toContain('"code":"not_found"');
  });

  test("prints calls that the API documents, at the public address", async () => {
    const calls = callsIn(await read(path));
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const { method, url, members } of calls) {
      const operation = operationAt(method, url.pathname);
      expect(url.origin).toBe(server.url);
      expect(operation, `${method} ${url.pathname}`).toBeDefined();
      expect(Object.keys(operation?.body?.schema["properties"] ?? {})).toEqual(
        expect.arrayContaining(members),
      );
    }
  });
});

describe("without scripts", () => {
  test.each(LINKED)("%s shows the calls, and no form that would send itself", async (path) => {
    const html = await read(path);
    expect(html).toContain("<noscript>");
    expect(html).toContain("<details open>");
    expect(html).toMatch(/<section data-when="ready" hidden>[\s\S]*<form class="form" method="post">/);
  });

  test("/account claims nothing about a payment that the address does not say, and never that it was made", async () => {
    expect(await read("/account")).not.toMatch(/Thank you|You bought nothing/);
    expect(await read("/account?checkout=paid")).not.toMatch(/Thank you|You bought nothing/);
    expect(await read("/account?checkout=cancelled")).toContain("You bought nothing.");
    expect(await read("/account?checkout=success")).toContain("when the payment provider confirms");
  });
});

test("the printed rules for passwords are the rules in force", async () => {
  const rules = `${LEAST_CHARACTERS} to ${MOST_CHARACTERS} characters of any kind`;
  expect(all(await read("/reset-password"), new RegExp(`(${rules})`, "g"))).toHaveLength(2);
});

test("the sign-in leads to the identity provider where one is configured, and back to the page that was asked for", async () => {
  const client = { OIDC_CLIENT_ID: "crossrate", OIDC_CLIENT_SECRET: "a secret of this test" };
  const settings = { OIDC_ISSUER: "https://id.example", ...client };
  const provided = await openDashboardServer({ mail: false, settings });
  try {
    const entry = await (await ask("/dashboard/sign-in?next=/dashboard/plan", provided)).text();
    expect(entry).toContain('href="/v1/auth/oidc/start?return_to=%2Fdashboard%2Fplan"');
  } finally {
    await provided.close();
  }
  expect(await read("/dashboard/sign-in")).not.toContain("oidc");
});
