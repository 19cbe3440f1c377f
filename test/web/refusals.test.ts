/** What a person meets when something is refused: a page with a sentence and a way on, with the status that programs get; programs get JSON. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  newSigningKey,
  startProvider,
} from "#test/gateways/oidc/openid-provider.ts";
import { NOON } from "#test/metered/history.ts";
import { openDashboardServer, plainBrowser, textOf } from "#test/web/dashboard/dashboard-server.ts";

setDefaultTimeout(300_000);

/** As browsers send it with a link. */
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8" };
const PROGRAMS = [
  { accept: "*/*" },
  { accept: "application/json" },
  { accept: "application/json, text/html;q=0.5" },
];

// The provider's clock stands: only what the server's own does counts here.
const provider = startProvider({ now: () => NOON } as Parameters<typeof startProvider>[0], [
  await newSigningKey("one"),
]);
const server = await openDashboardServer({
  mail: false,
  settings: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
});

interface Expected {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
  /** Where the page leads first. */
  readonly way: string;
}

async function expectPage(answer: Response, { status, title, sentence, way }: Expected): Promise<void> {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await answer.text();
  expect(/<h1>(.*?)<\/h1>/.exec(html)?.[1]).toBe(title);
  expect(textOf(/<p class="lead">(.*?)<\/p>/.exec(html)?.[1] ?? "").trim()).toBe(sentence);
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  expect(/<a href="([^"]+)"/.exec(main)?.[1]).toBe(way);
  expect(main).not.toContain("/v1/");
}

describe("a sign-in at the identity provider that is refused", () => {
  /** Away to the provider; `come` gives the query with which the browser comes back. */
  async function callback(come: (away: string) => Promise<string>, accept: Record<string, string> = BROWSER) {
    const browser = plainBrowser(server.url);
    const begun = await browser.ask("/v1/auth/oidc/start?return_to=/dashboard/plan");
    const query = await come(begun.headers.get("location") ?? "");
    return await browser.ask(`/v1/auth/oidc/callback${query}`, { headers: accept });
  }
  const AGAIN = { title: "The sign-in was not completed", way: "/dashboard/sign-in" };

  test("there, with whatever description: the page repeats none of it", async () => {
    const come = async (away: string) => {
      const query = await provider.authorize(away, "denied");
      return `${query}&error_description=${encodeURIComponent("<img src=x onerror=alert(1)>")}`;
    };
    const answer = await callback(come);
    const copy = await answer.clone().text();
    expect(copy).not.toContain("img");
    await expectPage(answer, {
      ...AGAIN,
      status: 403,
      sentence: "The sign-in was refused at the identity provider.",
    });
    for (const accept of PROGRAMS)
      expect(await (await callback(come, accept)).json()).toMatchObject({
        result: "error",
        code: "forbidden",
      });
  });

  const NOT_BEGUN = "This sign-in was not begun in this browser, or too long ago; begin it again.";
  const mend = (pattern: RegExp, text: string) => async (away: string) =>
    (await provider.authorize(away)).replace(pattern, text);

  test.each<[string, (away: string) => Promise<string>]>([
    [NOT_BEGUN, mend(/state=[^&]+/, "state=another")],
    [
      NOT_BEGUN,
      async (away) => {
        const query = await provider.authorize(away);
        server.clock.at += 11 * 60_000;
        return query;
      },
    ],
    ["This sign-in was finished before, or took too long; begin it again.", mend(/code=[^&]+/, "code=used")],
    [
      "The identity provider's answer is not acceptable; begin the sign-in again.",
      (away) => {
        provider.misconduct = { claims: { aud: "somebody-else" } };
        return provider.authorize(away);
      },
    ],
  ])("here: %s", async (sentence, come) => {
    const { at } = server.clock;
    const answer = await callback(come);
    server.clock.at = at;
    provider.misconduct = {};
    await expectPage(answer, { ...AGAIN, status: 403, sentence });
  });

  test("because the provider does not answer", async () => {
    provider.misconduct = { answers: { "/token": () => new Response("down", { status: 503 }) } };
    const answer = await callback((away) => provider.authorize(away));
    provider.misconduct = {};
    expect(answer.headers.get("retry-after")).toBe("5");
    const sentence = "The identity provider cannot be reached at the moment; try again.";
    await expectPage(answer, { ...AGAIN, status: 503, sentence });
  });

  test("and one that is not refused comes to the page that was asked for", async () => {
    const entry = await plainBrowser(server.url).get("/dashboard/sign-in?next=/dashboard/plan");
    expect(entry.html).toContain('href="/v1/auth/oidc/start?return_to=%2Fdashboard%2Fplan"');
    const answer = await callback((away) => provider.authorize(away));
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/dashboard/plan"]);
  });
});

describe("an address at which nothing is", () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { redirect: "manual", ...init });

  test("is a page below the dashboard, the documentation and the site, with its own way on", async () => {
    const sentence = "Check the address. The page may have been removed.";
    const ways = {
      "/dashboard/nothing": "/dashboard",
      "/dashboard/webhooks/a/b/c": "/dashboard",
      "/nothing/at/all": "/",
      "/usd-xxx": "/",
      "/docs/nothing": "/",
      "/official/nothing/daily": "/",
      [`/dashboard/${encodeURIComponent('"><script>alert(1)</script>')}`]: "/dashboard",
    };
    for (const [path, way] of Object.entries(ways)) {
      const expected = { status: 404, title: "Page not found", sentence, way };
      await expectPage(await ask(path, { headers: BROWSER }), expected);
      const head = await ask(path, { method: "HEAD", headers: BROWSER });
      expect([head.status, head.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    }
  });

  test("is JSON for programs, and for everybody below the interfaces", async () => {
    for (const headers of PROGRAMS)
      expect(await (await ask("/dashboard/nothing", { headers })).json()).toMatchObject({
        code: "not_found",
      });
    for (const path of [
      "/v1/nothing",
      "/v1/account",
      "/site/nothing.js",
      "/dashboard/api/nothing",
      "/v2/nothing",
    ]) {
      const answer = await ask(path, { headers: BROWSER });
      expect([path, answer.headers.get("content-type")?.split(";")[0]]).toEqual([path, "application/json"]);
    }
  });

  test("is a page, too, where a form's address is opened by itself", async () => {
    const answer = await ask("/dashboard/keys/rotate", { headers: BROWSER });
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    await expectPage(answer, {
      status: 405,
      title: "This page cannot be shown",
      sentence: "This address only accepts a form. Go back to the page with the form.",
      way: "/dashboard",
    });
  });

  test("and a page that is asked wrongly says what is wrong with it", async () => {
    await expectPage(await ask("/?base=XXX", { headers: BROWSER }), {
      status: 400,
      title: "Unknown currency",
      sentence: "Unsupported base: XXX.",
      way: "/",
    });
    await expectPage(await ask("/usd-eur?date=1066-10-14x", { headers: BROWSER }), {
      status: 400,
      title: "This page cannot be shown",
      sentence: "Not a date: 1066-10-14x; write a calendar day as YYYY-MM-DD.",
      way: "/",
    });
  });

  test("a fault of the server's own has what its operator needs to find it, and nothing else of it", async () => {
    // Without a ledger behind it: what is thrown is a TypeError.
    const app = openTestApp({ emit: () => {}, official: { tables: [] } as never });
    const answer = await app.visit("/official", { headers: BROWSER });
    const id = answer.headers.get("x-request-id");
    const html = await answer.clone().text();
    expect(html).toContain(`Request id for the operator of this server: <code>${id}</code>`);
    expect(html).not.toContain("undefined");
    const sentence =
      "Something went wrong on our side. Try again. If it happens again, contact the operator.";
    await expectPage(answer, { status: 500, title: "Something went wrong", sentence, way: "/" });
  });

  test("a server without figures yet, and one that is asked too often, say when to come back", async () => {
    const empty = openTestApp({ dataset: () => null });
    const young = await empty.visit("/", { headers: BROWSER });
    expect(young.status).toBe(503);
    const sentence = /<p class="lead">(.*?)<\/p>/.exec(await young.text())?.[1] ?? "";
    expect(sentence).toMatch(/again in \d+ seconds\.$/);
    expect(sentence.match(/again/g)).toHaveLength(1);
    const app = openTestApp();
    for (let call = 0; call < 240; call++) await app.visit("/site/stream", { method: "HEAD" });
    await expectPage(await app.visit("/search?q=eur", { headers: BROWSER }), {
      status: 429,
      title: "Too many requests",
      sentence: "Too many requests from your address. Try again in 60 seconds.",
      way: "/",
    });
  });
});
