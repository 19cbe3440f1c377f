/** The authorities' documents over HTTP, in their real wire formats; every document that goes out is kept for the oracle. */

import { zipOf } from "#demo/ecb.ts";
import { frankfurtText } from "#demo/publication.ts";
import { withoutTrailingZeros } from "#demo/request.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { COVERAGE_START, type Day, formatDay, type Instant, parseDay } from "#domain/time/day.ts";
import { ECB_CURRENCIES } from "#sources/ecb/documents.ts";
import { type Authorities, type RouteName, SERIES, type Series } from "./authorities.ts";

/** One statement of a document; `printed` null where the document says that there is none (SDMX only). */
export interface Statement {
  readonly day: Day;
  readonly currency: string;
  readonly printed: string | null;
  /** Where the document says it. */
  readonly publishedAt: Instant | null;
}

/** A document that was delivered whole. */
export interface Delivered {
  readonly source: DailySource;
  readonly route: RouteName;
  readonly at: Instant;
  readonly statements: readonly Statement[];
}

export interface Upstreams {
  /** For UPSTREAM_BASE. */
  readonly base: string;
  /** Every document since the last call, in order. */
  takeDelivered(): readonly Delivered[];
  stop(): Promise<void>;
}

const FRED_IDS: Readonly<Record<string, string>> = { DEXTAUS: "TWD", DEXMXUS: "MXN" };

export function startUpstreams(authorities: Authorities, now: () => Instant): Upstreams {
  let delivered: Delivered[] = [];
  const deliver = (source: DailySource, route: RouteName, statements: readonly Statement[]) => {
    delivered.push({ source, route, at: now(), statements });
  };
  const ecb = SERIES.filter(({ source }) => source === "ecb_daily");
  const printedBy = (route: RouteName, series: Series, day: Day) =>
    authorities.isTorn(route, series, day, now()) ? null : authorities.printed(route, series, day, now());
  const ecbDays = (from: Day) =>
    authorities
      .days("ecb_daily")
      .filter(
        (day) =>
          day >= from && ecb.some((one) => authorities.versions(one, day).some(({ at }) => at <= now())),
      );

  const table = (route: RouteName, days: readonly Day[]) => {
    const statements: Statement[] = [];
    const cells = new Map<string, string>();
    for (const day of days) {
      for (const series of ecb) {
        const printed = printedBy(route, series, day);
        if (printed === null) continue;
        statements.push({ day, currency: series.currency, printed, publishedAt: null });
        cells.set(`${day} ${series.currency}`, printed);
      }
    }
    deliver("ecb_daily", route, statements);
    // A day of which nothing is left is no row.
    return { cells, days: days.filter((day) => statements.some((one) => one.day === day)) };
  };

  const xml = (route: RouteName, days: readonly Day[]) => {
    const { cells, days: rows } = table(route, days);
    const cubes = rows.map((day) => {
      const rates = ecb.flatMap(({ currency }) => {
        const printed = cells.get(`${day} ${currency}`);
        return printed === undefined ? [] : [`<Cube currency="${currency}" rate="${printed}"/>`];
      });
      return `<Cube time="${formatDay(day)}">${rates.join("")}</Cube>`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>${cubes.join("")}</Cube></gesmes:Envelope>`;
  };

  const zip = () => {
    const { cells, days } = table("zip", ecbDays(COVERAGE_START));
    const lines = [...days].reverse().map((day) => {
      const row = ECB_CURRENCIES.map((code) => withoutTrailingZeros(cells.get(`${day} ${code}`) ?? "N/A"));
      return `${formatDay(day)},${row.join(",")},\n`;
    });
    return zipOf("eurofxref-hist.csv", `Date,${ECB_CURRENCIES.join(",")},\n${lines.join("")}`);
  };

  const sdmx = (from: Day, to: Day) => {
    const statements: Statement[] = [];
    const rows: string[] = [];
    for (const series of ecb) {
      for (const day of authorities.days("ecb_daily")) {
        if (day < from || day > to) continue;
        const start = `EXR.D.${series.currency}.EUR.SP00.A,D,${series.currency},EUR,SP00,A,${formatDay(day)},`;
        for (const { printed, at } of authorities.publishedBy(series, day, now())) {
          rows.push(
            printed === null
              ? `${start},Delete,,${frankfurtText(at)}\n`
              : `${start}${withoutTrailingZeros(printed)},Replace,${frankfurtText(at)},\n`,
          );
          statements.push({ day, currency: series.currency, printed, publishedAt: at });
        }
      }
    }
    if (rows.length === 0) return null;
    deliver("ecb_daily", "sdmx", statements);
    return `KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,ACTION,VALID_FROM,VALID_TO\n${rows.join("")}`;
  };

  const fred = (ids: readonly string[], from: Day) => {
    const statements: Statement[] = [];
    const released = authorities
      .days("fred_daily")
      .filter(
        (day) =>
          day >= from &&
          SERIES.some(
            (one) =>
              one.source === "fred_daily" && authorities.versions(one, day).some(({ at }) => at <= now()),
          ),
      );
    const lines = released.map((day) => {
      const cells = ids.map((id) => {
        const series = SERIES.find((one) => one.source === "fred_daily" && one.currency === FRED_IDS[id]);
        const printed = series === undefined ? null : printedBy("csv", series, day);
        if (printed === null || series === undefined) return "";
        statements.push({ day, currency: series.currency, printed, publishedAt: null });
        return withoutTrailingZeros(printed);
      });
      return `${formatDay(day)},${cells.join(",")}\n`;
    });
    deliver("fred_daily", "csv", statements);
    return `observation_date,${ids.join(",")}\n${lines.join("")}`;
  };

  const answer = (
    url: URL,
  ): { route: RouteName; body: () => string | Uint8Array<ArrayBuffer> | null } | null => {
    const of = (name: string) => parseDay(url.searchParams.get(name) ?? "") ?? COVERAGE_START;
    if (url.pathname.endsWith("/eurofxref-hist.zip")) return { route: "zip", body: zip };
    if (url.pathname.endsWith("/eurofxref-hist-90d.xml")) {
      return { route: "xml90", body: () => xml("xml90", ecbDays(Math.floor(now() / 86_400_000) - 89)) };
    }
    if (url.pathname.endsWith("/eurofxref-daily.xml")) {
      return { route: "xmlDaily", body: () => xml("xmlDaily", ecbDays(COVERAGE_START).slice(-1)) };
    }
    if (url.pathname.includes("/service/data/EXR/")) {
      return { route: "sdmx", body: () => sdmx(of("startPeriod"), of("endPeriod")) };
    }
    if (url.pathname.endsWith("/graph/fredgraph.csv")) {
      const ids = (url.searchParams.get("id") ?? "").split(",");
      return { route: "csv", body: () => fred(ids, of("cosd")) };
    }
    return null;
  };

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const found = answer(new URL(request.url));
      if (found === null) return new Response("not found", { status: 404 });
      if (authorities.isDown(found.route, now())) return new Response("out of order", { status: 503 });
      const body = found.body();
      return body === null
        ? new Response("No results found", { status: 404 })
        : new Response(body, {
            headers: { "content-type": typeof body === "string" ? "text/xml" : "application/zip" },
          });
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
