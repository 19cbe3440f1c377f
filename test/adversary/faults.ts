/** Faults of whole documents: what one route says for a while instead of what its authority published. */

import type { DailySource } from "#domain/currency/source.ts";
import { isTargetDay, isUsFederalDay } from "#domain/time/calendar.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY, weekdayOf } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { CURRENCIES, HOUR, type RouteName, YEAR_START } from "./truth.ts";

/** A cell of a route's table; null is an empty one. */
export type Cell = (currency: string, day: Day) => string | null;

export interface Fault {
  readonly source: DailySource;
  readonly kind: string;
  readonly route: RouteName;
  readonly from: Instant;
  readonly until: Instant;
  /** This route does not answer meanwhile: otherwise the faulty one would not be read. */
  readonly down: RouteName | null;
  /** SDMX gives a wrong value a new version instant. */
  readonly isDated: boolean;
  /** The state of the authority that the document shows; `nth` counts the documents of the fault. */
  shownAt(now: Instant, nth: number): Instant;
  distort(honest: Cell): Cell;
  /** The document claims to be a week old, and answers every condition with 304. */
  readonly isOldByHeader: boolean;
}

type Distortion = Pick<Fault, "distort"> & Partial<Pick<Fault, "shownAt" | "isOldByHeader">>;

interface Circumstances {
  readonly source: DailySource;
  readonly route: RouteName;
  readonly from: Instant;
  /** A recent day of publication; for the daily document the one that it shows or will show. */
  readonly day: Day;
  readonly before: (day: Day) => Day;
  readonly after: (day: Day) => Day;
  readonly one: string;
  readonly other: string;
  readonly random: () => number;
}

const unchanged = (honest: Cell): Cell => honest;
const ago = (days: number): Distortion => ({
  distort: unchanged,
  shownAt: (now) => now - days * MILLISECONDS_PER_DAY,
});

const KINDS: Readonly<Record<string, (circumstances: Circumstances) => Distortion>> = {
  "rows a day late": ({ before }) => ({
    distort: (honest) => (currency, day) => honest(currency, before(day)),
  }),
  "rows a day early": ({ after }) => ({
    distort: (honest) => (currency, day) => honest(currency, after(day)),
  }),
  "dates a calendar day early": () => ({ distort: (honest) => (currency, day) => honest(currency, day + 1) }),
  "columns exchanged": ({ one, other }) => ({
    distort: (honest) => (currency, day) =>
      honest(currency === one ? other : currency === other ? one : currency, day),
  }),
  "a currency under another name": ({ one, other }) => ({
    distort: (honest) => (currency, day) => honest(currency === one ? other : currency, day),
  }),
  "yesterday's copy": () => ago(1),
  "last week's copy": () => ago(7),
  "two edges in turn": () => ({
    distort: unchanged,
    shownAt: (now, nth) => (nth % 2 === 0 ? now - 2 * MILLISECONDS_PER_DAY : now),
  }),
  "two days mixed": ({ source, day: since, before }) => ({
    distort: (honest) => (currency, day) =>
      honest(currency, day >= since && CURRENCIES[source].indexOf(currency) % 2 === 0 ? before(day) : day),
  }),
  "a column off by a row": ({ one, day: since, before }) => ({
    distort: (honest) => (currency, day) =>
      honest(currency, currency === one && day >= since ? before(day) : day),
  }),
  "one cell wrong": ({ one, day: wrong, random }) => {
    const factor = 1.05 + random() * 0.2;
    const by = random() < 0.5 ? factor : 1 / factor;
    return {
      distort: (honest) => (currency, day) =>
        currency === one && day === wrong ? times(honest(currency, day), by) : honest(currency, day),
    };
  },
  "a column × 10": ({ one }) => ({
    distort: (honest) => (currency, day) =>
      currency === one ? times(honest(currency, day), 10) : honest(currency, day),
  }),
  "cut off": ({ day: cut, random }) => {
    const shape = Math.floor(random() * 3);
    const isGone = [
      (day: Day) => day < cut,
      (day: Day) => day > cut,
      (day: Day) => day > cut - 20 && day < cut,
    ][shape] as (day: Day) => boolean;
    return { distort: (honest) => (currency, day) => (isGone(day) ? null : honest(currency, day)) };
  },
  "two cells blank": ({ one, day: gone, before }) => ({
    distort: (honest) => (currency, day) =>
      currency === one && (day === before(gone) || day === before(before(gone)))
        ? null
        : honest(currency, day),
  }),
  "an old Last-Modified": ({ from }) => ({ distort: unchanged, shownAt: () => from, isOldByHeader: true }),
};

const FAULT_KINDS = Object.keys(KINDS);
const FIRST_KINDS = [
  "rows a day late",
  "rows a day early",
  "columns exchanged",
  "a column off by a row",
] as const;

function times(printed: string | null, factor: number): string | null {
  return printed === null
    ? null
    : (Number(printed) * factor).toFixed(printed.length - printed.indexOf(".") - 1);
}

interface Plan {
  readonly seed: number;
  readonly lastDay: Day;
  readonly hasFredKey: boolean;
  /** Sources of which the very first document is wrong. */
  readonly wrongFirst: readonly DailySource[];
  /** "route: kind" of the only fault. */
  readonly only?: string | undefined;
}

/** One fault at a time and source, with at least nine healthy days between two. */
export function planFaults({ seed, lastDay, hasFredKey, wrongFirst, only }: Plan): Fault[] {
  const [onlyRoute, onlyKind] = only?.split(": ") ?? [];
  const random = seededRandom(seed * 104_729);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const faults: Fault[] = [];
  for (const source of ["ecb_daily", "fred_daily"] as const) {
    const fredRoutes: RouteName[] = hasFredKey ? ["api", "api", "csv"] : ["csv"];
    const all: RouteName[] = source === "ecb_daily" ? ["zip", "xml90", "daily", "sdmx"] : fredRoutes;
    const routes = all.filter((route) => onlyRoute === undefined || route === onlyRoute);
    if (routes.length === 0) continue;
    if (wrongFirst.includes(source) && only === undefined) {
      const from = YEAR_START * MILLISECONDS_PER_DAY;
      const route = routes[0] as RouteName;
      faults.push(
        makeFault({
          source,
          kind: pick(FIRST_KINDS),
          route,
          from,
          until: from + 5 * HOUR,
          random,
          hasFredKey,
        }),
      );
    }
    let deck: string[] = [];
    for (let day = YEAR_START + 10; day < lastDay - 12; ) {
      if (deck.length === 0) deck = shuffled(FAULT_KINDS, random);
      const kind = onlyKind ?? (deck.pop() as string);
      const route = pick(routes);
      // The zip is read on Sundays alone.
      const start = route === "zip" ? day + 6 - weekdayOf(day) : day;
      const from = (start + random()) * MILLISECONDS_PER_DAY;
      const hours = route === "zip" ? 48 + random() * 170 : 2 + random() * 70;
      const fault = makeFault({ source, kind, route, from, until: from + hours * HOUR, random, hasFredKey });
      faults.push(fault);
      day = dayAt(fault.until) + 9 + Math.floor(random() * 5);
    }
  }
  return faults.sort((a, b) => a.from - b.from);
}

interface FaultPlan extends Pick<Fault, "source" | "kind" | "route" | "from" | "until"> {
  readonly random: () => number;
  readonly hasFredKey: boolean;
}

function makeFault({ source, kind, route, from, until, random, hasFredKey }: FaultPlan): Fault {
  const isOpen = source === "ecb_daily" ? isTargetDay : isUsFederalDay;
  const step = (by: number) => (day: Day) => {
    let near = day + by;
    while (!isOpen(near)) near += by;
    return near;
  };
  // H.10 is ten days old before the next one; the week before it contradicts what is wrong.
  const back = (route === "daily" ? 0 : 1 + Math.floor(random() * 5)) + (source === "fred_daily" ? 17 : 0);
  const at = Math.floor(random() * CURRENCIES[source].length);
  const [one, other] = [0, 1].map((by) => CURRENCIES[source][(at + by) % CURRENCIES[source].length]) as [
    string,
    string,
  ];
  const day = step(-1)(dayAt(from) - back + 1);
  const circumstances = { source, route, from, day, before: step(-1), after: step(1), one, other, random };
  const distortion = (KINDS[kind] as (typeof KINDS)[string])(circumstances);
  const isFallback = route === "xml90" || (route === "csv" && hasFredKey && random() < 0.5);
  return {
    ...{ source, kind, route, from, until },
    down: isFallback ? (route === "xml90" ? "sdmx" : "api") : null,
    isDated: random() < 0.5,
    shownAt: (now) => now,
    isOldByHeader: false,
    ...distortion,
    // A row on a day without publication would break the document as a whole.
    distort: (honest) => {
      const distorted = distortion.distort(honest);
      return (currency, day) => (isOpen(day) ? distorted(currency, day) : null);
    },
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
