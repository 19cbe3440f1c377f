/** Banxico's series become publications; its errors become faults that name the remedy; the rest is refused with a reason. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { banxicoAdapters } from "#sources/official/mexico.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { arrivedAt, faultOf, publicationsOf, routeOf, textsOf } from "./tables.ts";

const TOKEN = "0123456789abcdef";
const [FIX, SETTLEMENT] = banxicoAdapters(TOKEN);
if (FIX === undefined || SETTLEMENT === undefined) throw new Error("two tables are missing");

const WINDOW = windowOf("latest", "2026-04-01", "2026-04-14");
const AT = "2026-04-14T20:00:00Z";
const parse = (text: string, adapter = FIX, at = AT) =>
  routeOf(adapter, WINDOW, "SIE").parse(arrivedAt(at, text), WINDOW);

const series = (id: string, ...values: [string, string][]) => ({
  idSerie: id,
  titulo: "Tipo de cambio          Pesos por dólar E.U.A.",
  datos: values.map(([fecha, dato]) => ({ fecha, dato })),
});
const answer = (...list: object[]) => JSON.stringify({ bmx: { series: list } });
const TWO_DAYS = series("SF43718", ["09/04/2026", "17.6770"], ["10/04/2026", "17.7962"]);

describe("the FIX", () => {
  test("is a publication a day of determination, digits and zeros as printed", () => {
    expect(textsOf(parse(answer(TWO_DAYS)))).toEqual([
      "2026-04-09 2026-04-09.. USD/MXN 17.6770 for 1",
      "2026-04-10 2026-04-10.. USD/MXN 17.7962 for 1",
    ]);
  });

  test("is found by its name among other series, in any order", () => {
    const other = series("SF46406", ["09/04/2026", "0.1105"]);
    for (const list of [
      [other, TWO_DAYS],
      [TWO_DAYS, other],
    ]) {
      expect(publicationsOf(parse(answer(...list)))).toHaveLength(2);
    }
  });

  test("days without a value have no publication; a series without values is an empty window", () => {
    expect(textsOf(parse(answer(series("SF43718", ["02/04/2026", "N/E"], ["06/04/2026", "17.5"]))))).toEqual([
      "2026-04-06 2026-04-06.. USD/MXN 17.5 for 1",
    ]);
    const without = { idSerie: "SF43718", titulo: "" };
    expect(parse(answer(without)).outcome).toBe("empty");
    expect(parse(answer(series("SF43718"))).outcome).toBe("empty");
  });

  test("thousands come with commas and go without", () => {
    expect(textsOf(parse(answer(series("SF43718", ["09/04/2026", "1,017.6770"]))))[0]).toContain("1017.6770");
    expect(reasonOf(() => parse(answer(series("SF43718", ["09/04/2026", "17,67"]))))).toContain("not a rate");
  });
});

describe("the settlement rate", () => {
  const ahead = answer(series("SF60653", ["14/04/2026", "17.68"], ["16/04/2026", "17.79"]));

  test("is published ahead of its day, by at most ten days", () => {
    expect(textsOf(parse(ahead, SETTLEMENT))).toEqual([
      "2026-04-14 2026-04-14.. USD/MXN 17.68 for 1",
      "2026-04-16 2026-04-16.. USD/MXN 17.79 for 1",
    ]);
    expect(reasonOf(() => parse(ahead.replace("16/04", "27/04"), SETTLEMENT))).toContain("in the future");
  });

  test("the FIX is not", () => {
    const future = answer(series("SF43718", ["15/04/2026", "17.68"]));
    expect(reasonOf(() => parse(future))).toContain("2026-04-15 is in the future, later than 2026-04-14");
    // Already Wednesday in UTC, still Tuesday in Mexico.
    expect(reasonOf(() => parse(future, FIX, "2026-04-15T05:59:59Z"))).toContain("in the future");
  });
});

describe("what is refused", () => {
  const good = answer(TWO_DAYS);
  test.each([
    ["cut off", good.slice(0, -30), "Banxico SIE:"],
    ["another series alone", answer(series("SF46406", ["09/04/2026", "0.11"])), "SF43718 is there 0 times"],
    ["the series twice", answer(TWO_DAYS, TWO_DAYS), "SF43718 is there 2 times"],
    [
      "a day twice with two values",
      good.replace("10/04", "09/04"),
      'two publications "2026-04-09" that differ',
    ],
    ["NaN", good.replace("17.6770", "NaN"), 'is not a rate: "NaN"'],
    ["a day that does not exist", good.replace("09/04/2026", "31/04/2026"), 'not a date: "31/04/2026"'],
    ["a weekend, as months and days exchanged make it", good.replace("09/04", "11/04"), "a weekend"],
    ["no list", '{"bmx":{}}', 'no list of objects "series"'],
  ])("%s", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));
});

describe("Banxico's own errors", () => {
  const error = (mensaje: string, more: object = {}) => JSON.stringify({ error: { mensaje, ...more } });

  test("a used-up limit states how long to wait", () => {
    const fault = faultOf(() => parse(error("Límite de consultas superado.", { secondsToReset: 60 })));
    expect([fault.kind, fault.retryAfterSeconds]).toEqual(["rate_limited", 60]);
    const otherText = faultOf(() => parse(error("Token: demasiadas consultas", { secondsToReset: "30" })));
    expect([otherText.kind, otherText.retryAfterSeconds]).toEqual(["rate_limited", 30]);
  });

  test("a refused token is a matter of credentials, anything else is not", () => {
    expect(faultOf(() => parse(error("Token inválido"))).kind).toBe("refused_credentials");
    expect(faultOf(() => parse(error("Serie no encontrada"))).kind).toBe("status");
  });
});

describe("requests", () => {
  const addresses = (from: string, to: string, reach: "latest" | "history" = "history", adapter = FIX) =>
    adapter.routes(windowOf(reach, from, to)).flatMap(({ requests }) => requests);

  test("carry the token as a header and not in the address", () => {
    const [request] = addresses("2026-04-01", "2026-04-14");
    expect(request?.url).toBe(
      "https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-01/2026-04-14",
    );
    expect(request?.secretHeaders).toEqual({ "Bmx-Token": TOKEN });
  });

  test("are bounded stretches of the whole history, from its first day on and without a gap", () => {
    const spans = addresses("1900-01-01", "2026-04-14").map(({ url }) => url.split("/").slice(-2));
    expect(spans[0]?.[0]).toBe("1991-11-12");
    expect(spans.at(-1)?.[1]).toBe("2026-04-14");
    expect(spans).toHaveLength(4);
    expect(addresses("1980-01-01", "1990-12-31")).toEqual([]);
  });

  test("of the newest look back over any holiday; those of the settlement ahead", () => {
    expect(addresses("2026-04-14", "2026-04-14", "latest")[0]?.url).toEndWith("/2026-03-31/2026-04-14");
    expect(addresses("2026-04-14", "2026-04-14", "latest", SETTLEMENT)[0]?.url).toEndWith(
      "/SF60653/datos/2026-03-31/2026-04-24",
    );
  });
});

describe("real documents", () => {
  testOn("banxico/series.json")("the first fortnight of March 2026: ten determinations", () => {
    const path = sharedDocument("banxico/series.json") as string;
    const window = windowOf("history", "2026-01-01", "2026-03-15");
    const parsed = routeOf(FIX, window, "SIE").parse(
      arrivedAt("2026-03-31T12:00:00Z", readFileSync(path)),
      window,
    );
    const found = publicationsOf(parsed);
    expect(found).toHaveLength(10);
    expect(textsOf(parsed).slice(0, 2)).toEqual([
      "2026-03-02 2026-03-02.. USD/MXN 17.3485 for 1",
      "2026-03-03 2026-03-03.. USD/MXN 17.7228 for 1",
    ]);
    expect(found.find(({ publication }) => publication === "2026-03-05")?.rows[0]?.rate).toBe("17.6770");
  });

  testOn("banxico/SF60653_range.real.json")(
    "the settlement of November 2020 is the FIX two bank days before",
    () => {
      const path = sharedDocument("banxico/SF60653_range.real.json") as string;
      const window = windowOf("history", "2020-11-01", "2020-11-30");
      const parsed = routeOf(SETTLEMENT, window, "SIE").parse(
        arrivedAt("2020-11-25T20:00:00Z", readFileSync(path)),
        window,
      );
      expect(textsOf(parsed)).toEqual([
        "2020-11-26 2020-11-26.. USD/MXN 20.0577 for 1",
        "2020-11-27 2020-11-27.. USD/MXN 20.0465 for 1",
      ]);
    },
  );

  testOn("banxico/SF43718-fix-1991-11-12_2025-11-25.csv")(
    "8,556 determinations since 1991, each a bank day, none of them refused",
    () => {
      const path = sharedDocument("banxico/SF43718-fix-1991-11-12_2025-11-25.csv") as string;
      const lines = readFileSync(path, "utf8").trim().split("\n").slice(1);
      const values = lines.map((line): [string, string] => {
        const [date = "", rate = ""] = line.trim().split(",");
        return [date.split("-").reverse().join("/"), rate];
      });
      const window = windowOf("history", "1991-01-01", "2026-01-01");
      const document = arrivedAt("2025-11-26T12:00:00Z", answer(series("SF43718", ...values)));
      const [fix] = banxicoAdapters("token");
      const found = publicationsOf(routeOf(fix as OfficialAdapter, window, "SIE").parse(document, window));
      expect(found).toHaveLength(8556);
      expect(
        [found[0], found.at(-1)].map((one) => `${formatDay(one?.validFrom ?? 0)} ${one?.rows[0]?.rate}`),
      ).toEqual(["1991-11-12 3.0735", "2025-11-25 18.4308"]);
    },
  );

  for (const [path, kind] of [
    ["banxico/error_token.real.json", "refused_credentials"],
    ["banxico/error_limit.documented.json", "rate_limited"],
  ] as const) {
    testOn(path)(`${path} is ${kind}`, () => {
      const text = readFileSync(sharedDocument(path) as string, "utf8");
      expect(faultOf(() => parse(text)).kind).toBe(kind);
    });
  }
});
