import { describe, expect, test } from "bun:test";
import { NOW, openTestApp } from "#test/api/harness.ts";

const { page } = openTestApp();

describe("GET /", () => {
  test("shows every rate of /v1/latest, digit for digit", async () => {
    const app = openTestApp();
    const latest = await (await app.ask("/v1/latest?base=EUR")).text();
    const digits = [...(/"rates":\{([^}]*)\}/.exec(latest)?.[1] ?? "").matchAll(/"([A-Z]{3})":([\d.]+)/g)];
    expect(digits.length).toBe(5);
    const html = await (await app.visit("/?base=EUR")).text();
    for (const [, code, rate = ""] of digits) {
      const row = html.slice(html.indexOf(`data-code="${code}"`)).split("</tr>")[0] ?? "";
      const figure = /class="figure">(\d+)<span[^>]*>(\.?\d*)<\/span>/.exec(row);
      expect(`${figure?.[1]}${figure?.[2]}`, code).toBe(rate);
    }
  });

  test("says since which day a rate has changed, and of a rate of two days only how old it is", async () => {
    // EUR of 13 April meets TWD of the 10th.
    for (const [path, code, source, change] of [
      ["/?base=EUR", "USD", "ECB 2026-04-13", "2026-04-10"],
      ["/?base=EUR", "TWD", "Fed 2026-04-10", null],
      ["/?base=TWD", "EUR", "Fed 2026-04-10", null],
      ["/?base=TWD", "USD", "Fed 2026-04-10", "2026-04-03"],
    ] as const) {
      const { html } = await page(path);
      const row = html.slice(html.indexOf(`data-code="${code}"`)).split("</tr>")[0] ?? "";
      const [, name, at] = /<span>(\w+) <time datetime="([\d-]+)T/.exec(row) ?? [];
      const since = /<time datetime="([\d-]+)">/.exec(row)?.[1] ?? null;
      expect([path, code, `${name} ${at}`, since]).toEqual([path, code, source, change]);
    }
    // The line of TWD ends with its last figure of a day of its own, not with today.
    expect((await page("/?base=USD")).html).toContain('aria-label="TWD, 2 Apr to 10 Apr: 0.00 %"');
  });

  test("has the most traded first, each with its change, the line of its month, and the mark of what is old", async () => {
    const { html } = await page("/?base=EUR&to=JPY");
    const rows = [...html.matchAll(/<tr(?: class="(\w+)")? data-code="(\w+)"/g)];
    expect(rows.map(([, mark = "", code]) => code + mark)).toEqual([
      "USD",
      "JPYselected",
      "GBP",
      "HUF",
      "TWD",
    ]);
    const rowOf = (from: string, code: string) =>
      from.slice(from.indexOf(`data-code="${code}"`)).split("</tr>")[0] ?? "";
    const dollar = rowOf(html, "USD");
    expect(dollar).toContain('<span>+0.09 %</span> <time datetime="2026-04-10">');
    expect(dollar).toContain('points="2.0,24.0 ');
    expect(dollar).toContain(' 110.0,2.0"');
    expect(rowOf((await page("/?base=USD")).html, "EUR")).toContain('<span class="down">−0.09 %</span>');
    expect(dollar).not.toContain("stale");
    const late = openTestApp({ now: NOW + 2 * 86_400_000 });
    expect(rowOf((await late.page("/?base=EUR")).html, "USD")).toContain("ECB, stale ");
  });

  test("says whether the market is open, and when that changes", async () => {
    expect((await page("/")).html).toMatch(
      /<span class="source live">Market open<\/span> <span class="dim">closes 17 Apr, 21:00 UTC/,
    );
    const { html } = await openTestApp({ now: Date.parse("2026-04-11T12:00:00Z") }).page("/");
    expect(html).toMatch(
      /<span class="source">Market closed for the weekend<\/span> <span class="dim">opens 12 Apr, 21:00 UTC/,
    );
  });

  test("finds a currency by its code, name or country, and says what it cannot read or find", async () => {
    const found = async (search: string) =>
      [...(await page(`/?search=${search}`)).html.matchAll(/ data-code="(\w+)"/g)].map(([, code]) => code);
    for (const search of ["huf", "forint", "hungar"]) expect(await found(search)).toEqual(["HUF"]);
    expect(await found("zzz")).toEqual([]);
    expect((await page("/?search=zzz")).text).toContain("No currency matches “zzz”.");
    const { text } = await page("/?amount=1,234");
    expect(text).toContain("“1,234” can mean 1234 or 1.2340: write one of them.");
    expect(text).toContain("– USD buys");
  });

  test("multiplies by the amount exactly", async () => {
    const { html } = await page("/?amount=1000000.01&base=EUR");
    // 1.167 × 1000000.01
    expect(html).toMatch(/>1167000<span[^>]*>\.01167<\/span>/);
  });

  test("runs nothing but its own files and the script whose hash the policy has", async () => {
    const { headers, html } = await page("/");
    const policy = headers.get("content-security-policy") ?? "";
    const inline = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
    const digest = new Bun.CryptoHasher("sha256").update(inline).digest("base64");
    expect(policy).toContain(`script-src 'self' 'sha256-${digest}';`);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(html).not.toMatch(/ style="| on[a-z]+="/);
  });

  test("serves every file that it names, with the digest of its content in its name for good", async () => {
    const { html } = await page("/");
    const files = [...html.matchAll(/(?:src|href)="(\/site\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(files.length).toBe(5);
    for (const file of files) {
      const { status, headers } = await page(file);
      expect(status, file).toBe(200);
      expect(headers.get("cache-control"), file).toContain("immutable");
    }
  });
});

test("page data is refused to pages of other sites, and to more than 240 requests of an address a minute", async () => {
  let now = NOW;
  const app = openTestApp({ clock: { now: () => now } });
  const from = async (site: string, path = "/site/stream") =>
    (await app.visit(path, { method: "HEAD", headers: { "Sec-Fetch-Site": site } })).status;
  expect(await from("cross-site")).toBe(403);
  expect(await from("none")).toBe(200);
  for (let call = 1; call < 240; call++) expect(await from("same-origin")).toBe(200);
  for (const path of [
    ...["/site/stream", "/?to=EUR", "/eur-usd", "/official", "/search?q=b", "/site/search?q=b"],
    ...["/site/provenance/EUR/USD", "/site/series/EUR/USD", "/site/series/EUR/USD/file?format=csv"],
  ])
    expect([path, await from("same-origin", path)]).toEqual([path, 429]);
  now += 60_000;
  expect(await from("same-origin")).toBe(200);
});
