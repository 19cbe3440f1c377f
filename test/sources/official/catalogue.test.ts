/** The list of official tables, and what all of them promise. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import type { Window } from "#domain/intake/reading.ts";
import { officialEvent } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { officialAdapters, tablesWithoutCredentials } from "#sources/catalogue.ts";
import { banxicoAdapters } from "#sources/official/mexico.ts";
import { POL_A } from "#sources/official/nbp.ts";
import { withoutExponent } from "#sources/official/reading.ts";
import { windowOf } from "#test/sources/documents.ts";
import { client, serve } from "#test/sources/upstream-server.ts";
import { words } from "#test/support/words.ts";
import { arrivedAt } from "./tables.ts";

const TOKEN = "0123456789abcdef";
const ALL = officialAdapters({ banxicoToken: TOKEN });
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
const WINDOWS = [
  windowOf("latest", "2026-04-14", "2026-04-14"),
  windowOf("recent", "2026-03-01", "2026-04-14"),
  windowOf("history", "1999-01-04", "2026-04-14"),
];

test("tables without credentials are known and not requested", () => {
  const without = { banxicoToken: null };
  expect(ids(tablesWithoutCredentials(without))).toEqual(["mex_fix", "mex_settlement"]);
  expect(tablesWithoutCredentials({ banxicoToken: TOKEN })).toEqual([]);
  expect(ids([...tablesWithoutCredentials(without), ...officialAdapters(without)]).sort()).toEqual(
    ids(ALL).toSorted(),
  );
});

test("ids are unique and fit events; no two tables of a country share a type", () => {
  expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
  const paths = ALL.flatMap(({ country, types }) => types.map((type) => `${country}/${type}`));
  expect(new Set(paths).size).toBe(paths.length);
  for (const { id, country, types, currency } of ALL) {
    expect(id).toMatch(/^[a-z0-9_]+$/);
    expect(country).toMatch(/^[A-Z]{3}$/);
    expect(currency).toMatch(/^[A-Z]{3}$/);
    expect(types.length).toBeGreaterThan(0);
    for (const type of types) expect(type).toMatch(/^[a-z0-9-]+$/);
  }
});

test("docs/official.md has every table with each of its types", () => {
  const text = readFileSync(join(import.meta.dir, "../../../docs/official.md"), "utf8");
  for (const { id, country, types } of ALL) {
    expect(text).toContain(`\`${id}\``);
    for (const type of types) expect(text).toContain(`\`${country}/${type}\``);
  }
});

test("each states its publisher, its terms, and the zone of its days", () => {
  expect(() => dayInZone("Europe/Nowhere", 0)).toThrow(RangeError);
  for (const adapter of ALL) {
    expect(adapter.terms.length).toBeGreaterThan(40);
    expect(adapter.homepage).toStartWith("https://");
    expect(adapter.title.length).toBeGreaterThan(10);
    expect(() => dayInZone(adapter.zone, 0)).not.toThrow();
    const version = { publication: "p", version: 1, validFrom: 0, validTo: null, retrievedAt: 0 };
    expect(officialEvent(adapter, version)?.id).toBe(`evt_${adapter.id}_p_v1`);
  }
});

/** Authorities whose service has no TLS, each a known weakness. */
const WITHOUT_TLS = new Set(["hun_official"]);

test("every window is requested by bounded https requests without credentials in the address", () => {
  for (const adapter of ALL) {
    for (const window of WINDOWS) {
      const routes = adapter.routes(window);
      expect(routes.length).toBeGreaterThan(0);
      for (const request of routes.flatMap(({ requests }) => requests)) {
        const { url, maxBytes, timeoutSeconds, withoutTls = false } = request;
        expect(withoutTls).toBe(WITHOUT_TLS.has(adapter.id));
        expect(url).toStartWith(withoutTls ? "http://" : "https://");
        if (withoutTls) expect([request.secretQuery, request.secretHeaders]).toEqual([undefined, undefined]);
        expect(url).not.toContain(TOKEN);
        expect(maxBytes).toBeLessThanOrEqual(8 * 1024 * 1024);
        // A year of rates is nearly a megabyte.
        if (window.reach === "history") expect(maxBytes).toBeGreaterThanOrEqual(4 * 1024 * 1024);
        expect(timeoutSeconds).toBeLessThanOrEqual(60);
      }
    }
  }
});

test("no route of a short window asks more than two dozen times", () => {
  for (const window of [WINDOWS[0] as Window, windowOf("recent", "2026-03-14", "2026-04-14")])
    for (const { requests } of ALL.flatMap((adapter) => adapter.routes(window)))
      expect(requests.length).toBeLessThanOrEqual(24);
});

test("documents may be absent of tables with one a day or a month; elsewhere they are missing, and the state says so", () => {
  const isGappy = (adapter: (typeof ALL)[number]) =>
    adapter.routes(WINDOWS[0] as Window).some(({ mayBeAbsent }) => mayBeAbsent === true);
  expect(ids(ALL.filter(isGappy)).toSorted()).toEqual(["che_daily", "gbr_monthly", "tur_indicative"]);
});

test("a start reads the whole history of tables that one document or a few have", () => {
  expect(ids(ALL.filter(({ historyAtStart }) => historyAtStart))).toEqual(["usa_treasury", "eue_customs"]);
});

test("nothing is requested before any table began", () => {
  const before = windowOf("recent", "1950-01-01", "1950-12-31");
  expect(ALL.flatMap((adapter) => adapter.routes(before))).toEqual([]);
});

test("whatever a document holds, a parser reads it or refuses it as broken", () => {
  const documents = [
    ...["", " ", "\u0000\u0001"],
    ...words('null [] {} [null] {"rates":null} {"error":[]} {"bmx":{"series":{}}} <a/>'),
    "<DataSet><Body><Cube/></Body></DataSet>",
    ...["a|b|c\n", ...["x", "[", "<a>"].map((part) => part.repeat(10_000))],
    new Uint8Array([0xff, 0xfe, 0x00]),
  ];
  for (const adapter of ALL) {
    for (const route of WINDOWS.flatMap((window) => adapter.routes(window))) {
      for (const content of documents) {
        try {
          route.parse(arrivedAt("2026-04-14T12:00:00Z", content), WINDOWS[0] as never);
        } catch (error) {
          expect(error).toBeInstanceOf(BrokenDocument);
        }
      }
    }
  }
});

test.each([
  ["4.10E-05", "0.0000410"],
  ["1E-8", "0.00000001"],
  ["1.5e0", "1.5"],
  ["3.605e-1", "0.3605"],
  ["1.234e2", "123.4"],
  ["1.2e+3", "1200"],
  ["12e-1", "1.2"],
  ["3.6050", "3.6050"],
  ["1e999", "1e999"],
  ["NaN", "NaN"],
])("%s without its exponent is %s", (digits, plain) => expect(withoutExponent(digits)).toBe(plain));

// What authorities answer with a status other than 200, over real HTTP: nothing published, a refused token, a used-up limit.
const WINDOW = windowOf("latest", "2026-04-01", "2026-04-14");
const [FIX] = banxicoAdapters(TOKEN) as [OfficialAdapter, ...OfficialAdapter[]];

/** Asks an authority that answers so, and reads its answer. */
async function read(adapter: OfficialAdapter, status: number, body: string, type: string) {
  const { base } = serve(({ headers }) =>
    headers.has("if-none-match")
      ? new Response(null, { status: 304 })
      : new Response(body, { status, headers: { "Content-Type": type, ETag: '"1"' } }),
  );
  const [route] = adapter.routes(WINDOW);
  const [request] = route?.requests ?? [];
  if (route === undefined || request === undefined) throw new Error("nothing is requested");
  const { upstream } = client(base);
  const document = await upstream.get(request);
  if (document === "unchanged") throw new Error("nothing was read before");
  upstream.remember(document);
  // A remembered validator would make the server's next answer a 304 to nothing.
  expect(await upstream.get(request)).not.toBe("unchanged");
  return route.parse(document, WINDOW);
}

const fault = (answer: Promise<unknown>) =>
  answer.then(
    () => Promise.reject(new Error("it was read")),
    (e) => e,
  );

describe("NBP", () => {
  test("states with 404 and its own text that nothing was published", async () => {
    const parsed = await read(POL_A, 404, "404 NotFound - Not Found - Brak danych", "text/plain");
    expect(parsed.outcome).toBe("empty");
  });
  test("another 404 is a broken document, not an empty window", async () => {
    const page = "<!DOCTYPE html><html><body>404</body></html>";
    expect(await fault(read(POL_A, 404, page, "text/html"))).toBeInstanceOf(BrokenDocument);
  });
});

test.each([
  ["that the token is refused", { mensaje: "Token inválido" }, "refused_credentials", null],
  ["how long the limit is used up", { mensaje: "Límite superado.", secondsToReset: 60 }, "rate_limited", 60],
  ["the same as text", { mensaje: "Token: demasiadas consultas", secondsToReset: "60" }, "rate_limited", 60],
  ["that the limit is used up, not for how long", { mensaje: "Límite superado." }, "rate_limited", null],
  ["what it makes of anything else", { mensaje: "Serie no encontrada" }, "status", null],
])("Banxico states with 400 %s", async (_, error, kind, retryAfterSeconds) => {
  const answer = await fault(read(FIX, 400, JSON.stringify({ error }), "application/json"));
  expect(answer).toBeInstanceOf(UpstreamFault);
  expect(answer).toMatchObject({ kind, retryAfterSeconds });
  expect(answer.message).not.toContain(TOKEN);
});
