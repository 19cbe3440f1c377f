/** What answers must say by the documents that the simulator has sent: its XML, CSV and prices, read without the product's parsers. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { type Day, dayAt, formatDay, parseDay } from "#domain/time/day.ts";
import { FRED_SERIES } from "#sources/fred/fred.ts";
import { ecb, fred, type PlainObservation } from "#test/domain/history/columns.ts";
import { type Oracle, oracleOf } from "#test/domain/history/one-date-oracle.ts";
import type { Site } from "#test/failover/site.ts";
import { type Fraction, isPrintOf, ONE, over } from "#test/live/exact.ts";
import { newLedger, READERS } from "#test/live/ledger.ts";
import { withDigits } from "#test/live/look.ts";

/** A price that its feed dates ahead of the collector's clock gets the time of its arrival: the clock of a process begins late, or is wrong. */
const AHEAD_MILLISECONDS = { late: 10_000, wrong: 300_000 };
/** Days before today about which answers are checked. */
export const DAYS = 25;

interface Rates {
  readonly base: CurrencyCode;
  readonly rates: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly effective_at: Readonly<Record<string, string>>;
}

export type FedDocuments = Awaited<ReturnType<typeof startOracle>>;

/** Listens to the prices that the simulator sends, and reads its daily documents at the start and whenever an answer differs. */
export async function startOracle(site: Site) {
  const prices = newLedger();
  /** The instants of these prices. */
  let times: readonly number[] = [];
  site.simulator.misbehave("/api.massive.com", async (intact) => {
    const answer = intact();
    const text = await answer.clone().text();
    READERS.massive(prices, text, () => 1);
    times = [...new Set([...times, ...[...text.matchAll(/"t":(\d+)/g)].map(([, time]) => Number(time))])];
    return answer;
  });
  const texts = new Set<string>();
  /** One for each set of documents there was: an answer may be of the one before until the new one is collected. */
  const published: { readonly oracle: Oracle; readonly memory: Map<string, string | null> }[] = [];
  const verified = new Set<number | bigint>();

  const read = async () => {
    const { base } = site.simulator;
    const ids = FRED_SERIES.map(({ id }) => id).join(",");
    const from = formatDay(dayAt(site.now()) - 120);
    const [xml, csv] = await Promise.all(
      [
        `${base}/www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml`,
        `${base}/fred.stlouisfed.org/graph/fredgraph.csv?id=${ids}&cosd=${from}`,
      ].map(async (url) => await (await fetch(url)).text()),
    );
    if (texts.has(`${xml}${csv}`)) return;
    texts.add(`${xml}${csv}`);
    const figures = [...figuresOfXml(xml ?? ""), ...figuresOfCsv(csv ?? "")];
    published.push({ oracle: oracleOf(figures), memory: new Map() });
  };
  await read();

  const daily = (kind: "daily" | "latest", day: Day, from: CurrencyCode, to: CurrencyCode) =>
    published.map(({ oracle, memory }) => {
      const key = `${kind} ${day} ${from} ${to}`;
      const text = memory.get(key) ?? oracle[kind](day, from, to)?.text ?? null;
      memory.set(key, text);
      return text;
    });
  /** A rate of a day as printed; null where it is left out. */
  const isOfDay = (day: Day, from: CurrencyCode, to: CurrencyCode, rate: string | null): boolean =>
    daily("daily", day, from, to).some((text) =>
      text === null ? rate === null : rate !== null && Number(text) === Number(rate),
    );

  /** Units per dollar that the feed sent with this time, or so much later. */
  const perDollar = (code: CurrencyCode, at: number, isSkewed: boolean): readonly Fraction[] => {
    if (code === "USD") return [ONE];
    const most = AHEAD_MILLISECONDS[isSkewed ? "wrong" : "late"];
    const sent = times.filter((time) => time >= at && time <= at + most);
    return sent.flatMap((time) => prices.of(code, time)).map((one) => one.perDollar);
  };
  const isLatest = (body: Rates, code: CurrencyCode, isSkewed: boolean): boolean => {
    const { base, rates, sources, effective_at: at } = body;
    const rate = rates[code] as string;
    const isLive = (one: CurrencyCode) => one === "USD" || sources[one] === "live";
    if (isLive(base) && isLive(code) && (base !== "USD" || sources[code] === "live")) {
      const times = [base, code].map((one) => Date.parse(at[one] ?? ""));
      const [bottoms, tops] = [base, code].map((one, place) => perDollar(one, times[place] ?? 0, isSkewed));
      return (tops ?? []).some((top) => (bottoms ?? []).some((bottom) => isPrintOf(rate, over(top, bottom))));
    }
    // A live and a daily leg are checked with the dollar for a base, each by itself.
    if (sources[code] === "live" || (base !== "USD" && sources[base] === "live")) return true;
    const days = [dayAt(site.now()), dayAt(site.now()) - 1];
    return days.some((day) => daily("latest", day, base, code).some((text) => Number(text) === Number(rate)));
  };

  /** Faults of an answer by the documents that there are now. */
  const faultsOf = (path: string, text: string, isSkewed: boolean): readonly string[] => {
    const url = new URL(path, "http://localhost");
    const body = withDigits(text) as Rates & { readonly rate?: string; readonly data?: readonly RangeRow[] };
    const wrong = (what: string) => `${path}: ${what}`;
    if (url.pathname === "/v1/latest")
      return (Object.keys(body.rates) as CurrencyCode[])
        .filter((code) => !isLatest(body, code, isSkewed))
        .map((code) =>
          wrong(`${code} ${body.rates[code]}, ${body.sources[code]} of ${body.effective_at[code]}`),
        );
    if (url.pathname.startsWith("/v1/convert/")) {
      const [, , , from, to] = url.pathname.split("/") as CurrencyCode[];
      const day = parseDay(url.searchParams.get("date") ?? "") as Day;
      const isRight = isOfDay(day, from as CurrencyCode, to as CurrencyCode, body.rate ?? null);
      return isRight ? [] : [wrong(`rate ${body.rate}`)];
    }
    const base = url.searchParams.get("base") as CurrencyCode;
    const rows = body.data ?? [{ date: url.pathname.slice("/v1/".length), rates: body.rates }];
    const codes = (url.searchParams.get("symbols")?.split(",") ?? CURRENCY_CODES) as readonly CurrencyCode[];
    return rows.flatMap(({ date, rates }) =>
      codes
        .filter((code) => code !== base && !isOfDay(parseDay(date) as Day, base, code, rates[code] ?? null))
        .map((code) => wrong(`${date} ${code} ${rates[code]}`)),
    );
  };

  return {
    /** Faults of a 200 of one of the paths that the load asks. `isSkewed`: a collector's clock was wrong before. */
    check: async (path: string, text: string, isSkewed: boolean): Promise<readonly string[]> => {
      const name = Bun.hash(path + text.replace(/"timestamp":"[^"]+"/, ""));
      if (verified.has(name)) return [];
      if (verified.size > 20_000) verified.clear();
      let faults = faultsOf(path, text, isSkewed);
      if (faults.length > 0) {
        await read();
        faults = faultsOf(path, text, isSkewed);
      }
      if (faults.length === 0) verified.add(name);
      return faults;
    },
    /** Currencies that had a figure on the first day that is asked for. */
    codes: CURRENCY_CODES.filter(
      (code) => code === "EUR" || daily("daily", dayAt(site.now()) - DAYS - 1, "EUR", code)[0] !== null,
    ),
    /** Live prices that were sent. */
    prices: () => prices.size(),
  };
}

interface RangeRow {
  readonly date: string;
  readonly rates: Readonly<Record<string, string>>;
}

function figuresOfXml(text: string): readonly PlainObservation[] {
  return [...text.matchAll(/<Cube time=["']([\d-]+)["']>(.*?)<\/Cube>/gs)]
    .flatMap(([, date = "", cubes = ""]) =>
      [...cubes.matchAll(/currency=["']([A-Z]{3})["'] rate=["']([\d.]+)["']/g)].map(([, code, rate = ""]) =>
        ecb(date, code as CurrencyCode, rate),
      ),
    )
    .filter(({ quote }) => CURRENCY_CODES.includes(quote));
}

function figuresOfCsv(text: string): readonly PlainObservation[] {
  const [header = "", ...lines] = text.trim().split("\n");
  const columns = header.split(",").map((id) => FRED_SERIES.find((series) => series.id === id));
  return lines.flatMap((line) => {
    const [date = "", ...cells] = line.split(",");
    return cells.flatMap((printed, nth): readonly PlainObservation[] => {
      const series = columns[nth + 1];
      if (series === undefined || printed === "" || printed === ".") return [];
      const { currency, direction } = series;
      const figure = fred(date, currency, printed);
      return [direction === "per_usd" ? figure : { ...figure, base: currency, quote: "USD" }];
    });
  });
}
