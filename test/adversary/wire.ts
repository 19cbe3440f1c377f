/** The routes over HTTP, in the wire formats of their authorities. What each readable document stated is kept for the oracle. */

import { ecbPublishedAt, frankfurtText, zipOf } from "#demo/ecb.ts";
import { withoutTrailingZeros } from "#demo/request.ts";
import type { DailySource } from "#domain/currency/source.ts";
import {
  type Day,
  dayAt,
  formatDay,
  type Instant,
  MILLISECONDS_PER_DAY,
  parseDay,
  weekdayOf,
} from "#domain/time/day.ts";
import { ECB_CURRENCIES } from "#sources/ecb/documents.ts";
import { FRED_SERIES } from "#sources/fred/fred.ts";
import type { Cell, Fault } from "./faults.ts";
import { CURRENCIES, FIRST_DAY, KIND, type Kind, type RouteName, type Truth, type Version } from "./truth.ts";

/** One document that went out: by `source currency day` its value, null inside a series where it has no value. */
export interface Delivered {
  readonly source: DailySource;
  readonly kind: Kind;
  readonly fault: Fault | null;
  readonly statements: ReadonlyMap<string, number | null>;
}

export interface Wire {
  readonly base: string;
  takeDelivered(): readonly Delivered[];
  stop(): Promise<void>;
}

interface Table {
  readonly cell: Cell;
  readonly days: readonly Day[];
  readonly fault: Fault | null;
  readonly at: Instant;
}

export function startWire(truth: Truth, faults: readonly Fault[], now: () => Instant): Wire {
  let delivered: Delivered[] = [];
  const counts = new Map<Fault, number>();
  const faultOf = (route: RouteName) =>
    faults.find((fault) => fault.route === route && fault.from <= now() && now() < fault.until) ?? null;

  /** What the route's document says of the days, with its fault; days without a figure are left out. */
  const tableOf = (source: DailySource, route: RouteName, from: Day, to: Day): Table => {
    const fault = faultOf(route);
    const nth = fault === null ? 0 : (counts.get(fault) ?? 0);
    if (fault !== null) counts.set(fault, nth + 1);
    const at = fault?.shownAt(now(), nth) ?? now();
    const series = new Map(
      CURRENCIES[source].map((currency) => [currency, truth.seriesOf(source, currency)]),
    );
    const honest: Cell = (currency, day) => {
      const versions = series.get(currency)?.get(day) ?? [];
      return versions.findLast((version) => version.carriedAt[route] <= at)?.printed ?? null;
    };
    const cell = fault?.distort(honest) ?? honest;
    const days: Day[] = [];
    for (let day = Math.max(from, FIRST_DAY); day <= to; day++)
      if (CURRENCIES[source].some((currency) => cell(currency, day) !== null)) days.push(day);
    return { cell, days, fault, at };
  };

  const note = (
    source: DailySource,
    route: RouteName,
    { cell, days, fault }: Table,
    only = CURRENCIES[source],
  ) => {
    // Such a document is broken as a whole: nothing is read of it.
    if (days.some((day) => weekdayOf(day) % 6 === 0)) return;
    const statements = new Map<string, number | null>();
    for (const currency of only) {
      const filled = days.filter((day) => cell(currency, day) !== null);
      for (let day = filled[0] ?? 0; day <= (filled.at(-1) ?? -1); day++) {
        const printed = cell(currency, day);
        statements.set(`${source} ${currency} ${day}`, printed === null ? null : Number(printed));
      }
    }
    delivered.push({ source, kind: KIND[route], fault, statements });
  };

  const xml = (route: RouteName, from: Day) => {
    const all = tableOf("ecb_daily", route, from, dayAt(now()));
    const table = route === "daily" ? { ...all, days: all.days.slice(-1) } : all;
    note("ecb_daily", route, table);
    const cubes = table.days.map((day) => {
      const rates = CURRENCIES.ecb_daily.flatMap((currency) => {
        const printed = table.cell(currency, day);
        return printed === null ? [] : [`<Cube currency="${currency}" rate="${printed}"/>`];
      });
      return `<Cube time="${formatDay(day)}">${rates.join("")}</Cube>`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><Cube>${cubes.join("")}</Cube></gesmes:Envelope>`;
  };

  const zip = () => {
    const table = tableOf("ecb_daily", "zip", FIRST_DAY, dayAt(now()));
    note("ecb_daily", "zip", table);
    const lines = table.days.toReversed().map((day) => {
      const cells = ECB_CURRENCIES.map((code) => table.cell(code, day) ?? "N/A");
      return `${formatDay(day)},${cells.map(withoutTrailingZeros).join(",")},\n`;
    });
    return zipOf("eurofxref-hist.csv", `Date,${ECB_CURRENCIES.join(",")},\n${lines.join("")}`);
  };

  const sdmx = (from: Day, to: Day) => {
    const table = tableOf("ecb_daily", "sdmx", from, to);
    note("ecb_daily", "sdmx", table);
    const rows: string[] = [];
    for (const currency of CURRENCIES.ecb_daily) {
      const series = truth.seriesOf("ecb_daily", currency);
      for (let day = Math.max(from, FIRST_DAY); day <= to; day++) {
        const versions: Pick<Version, "at" | "printed">[] = (series.get(day) ?? []).filter(
          ({ carriedAt }) => carriedAt.sdmx <= table.at,
        );
        const printed = table.cell(currency, day);
        if (printed !== (versions.at(-1)?.printed ?? null)) {
          if (printed === null) continue;
          const { fault } = table;
          if (fault?.isDated && versions.length > 0) versions.push({ at: fault.from, printed });
          else versions.push({ at: versions.pop()?.at ?? ecbPublishedAt(day), printed });
        }
        const start = `EXR.D.${currency}.EUR.SP00.A,D,${currency},EUR,SP00,A,${formatDay(day)},`;
        for (const version of versions) {
          const at = frankfurtText(version.at);
          rows.push(
            version.printed === null
              ? `${start},Delete,,${at}\n`
              : `${start}${withoutTrailingZeros(version.printed)},Replace,${at},\n`,
          );
        }
      }
    }
    const header =
      "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,ACTION,VALID_FROM,VALID_TO";
    return rows.length === 0 ? null : `${header}\n${rows.join("")}`;
  };

  const fredCell = ({ cell }: Table, id: string, day: Day) => {
    const printed = cell(currencyOf(id), day);
    return printed === null ? null : withoutTrailingZeros(printed);
  };

  const fredCsv = (ids: readonly string[], from: Day) => {
    const table = tableOf("fred_daily", "csv", from, dayAt(now()));
    note(
      "fred_daily",
      "csv",
      table,
      ids.map(currencyOf).filter((code) => CURRENCIES.fred_daily.includes(code)),
    );
    const lines = table.days.map(
      (day) => `${formatDay(day)},${ids.map((id) => fredCell(table, id, day) ?? "").join(",")}\n`,
    );
    return `observation_date,${ids.join(",")}\n${lines.join("")}`;
  };

  const fredApi = (id: string, from: Day) => {
    const isPublished = CURRENCIES.fred_daily.includes(currencyOf(id));
    const table = isPublished ? tableOf("fred_daily", "api", from, dayAt(now())) : null;
    if (table !== null) note("fred_daily", "api", table, [currencyOf(id)]);
    const observations = (table?.days ?? []).map((day) => ({
      date: formatDay(day),
      value: fredCell(table as Table, id, day) ?? ".",
    }));
    return JSON.stringify({ units: "lin", count: observations.length, observations });
  };

  const answerTo = (url: URL): readonly [RouteName, () => string | Uint8Array<ArrayBuffer> | null] => {
    const of = (name: string) => url.searchParams.get(name) ?? "";
    const dayOf = (name: string) => parseDay(of(name)) ?? FIRST_DAY;
    if (url.pathname.endsWith("-hist.zip")) return ["zip", zip];
    if (url.pathname.endsWith("-hist-90d.xml")) return ["xml90", () => xml("xml90", dayAt(now()) - 89)];
    if (url.pathname.endsWith("-daily.xml")) return ["daily", () => xml("daily", dayAt(now()) - 14)];
    if (url.pathname.includes("/EXR/")) return ["sdmx", () => sdmx(dayOf("startPeriod"), dayOf("endPeriod"))];
    return url.pathname.endsWith("fredgraph.csv")
      ? ["csv", () => fredCsv(of("id").split(","), dayOf("cosd"))]
      : ["api", () => fredApi(of("series_id"), dayOf("observation_start"))];
  };

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const [route, make] = answerTo(new URL(request.url));
      if (faults.some(({ down, from, until }) => down === route && from <= now() && now() < until))
        return new Response("out of order", { status: 503 });
      const isOld = faultOf(route)?.isOldByHeader === true;
      if (isOld && request.headers.has("if-modified-since")) return new Response(null, { status: 304 });
      const before = delivered.length;
      const body = make();
      if (body === null) return new Response("No results found", { status: 404 });
      const week = 7 * MILLISECONDS_PER_DAY;
      if (isOld)
        return new Response(body, { headers: { "last-modified": new Date(now() - week).toUTCString() } });
      const etag = `"${Bun.hash(body)}"`;
      if (KIND[route] !== "files") return new Response(body);
      if (request.headers.get("if-none-match") === etag) {
        delivered.length = before;
        return new Response(null, { status: 304 });
      }
      return new Response(body, { headers: { etag } });
    },
  });
  return {
    base: `http://127.0.0.1:${server.port}`,
    takeDelivered() {
      const taken = delivered;
      delivered = [];
      return taken;
    },
    stop: () => server.stop(true),
  };
}

const CURRENCY_OF = new Map<string, string>(FRED_SERIES.map(({ id, currency }) => [id, currency]));
const currencyOf = (id: string) => CURRENCY_OF.get(id) ?? "";
