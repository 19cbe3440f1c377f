/** The history of every figure in the lake, followed from outside: what may change it, and what must be there in the end. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { type Day, formatDay, type Instant } from "#domain/time/day.ts";
import type { LakeRecord } from "#ports.ts";
import { type Authorities, SERIES } from "./authorities.ts";
import type { Delivered } from "./upstreams.ts";

/** Believed values by `source currency day`. */
export type Believed = ReadonlyMap<string, number>;

export function believedIn({ observations }: Pick<LakeRecord, "observations">): Believed {
  const { count, source, base, quote, date, units, scale } = observations;
  const found = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    const from = DAILY_SOURCES[source[row] as number] as string;
    const pivot = from === "ecb_daily" ? "EUR" : "USD";
    const [left, right] = [CURRENCY_CODES[base[row] as number], CURRENCY_CODES[quote[row] as number]];
    const value = Number(`${units[row]}e-${scale[row]}`);
    found.set(`${from} ${left === pivot ? right : left} ${date[row]}`, value);
  }
  return found;
}

/** Largest believable move, and the one after more than 14 days: docs/contract.md, "Which figures are believed". */
const NEAR = 1.3;
const FAR = 5;
const NEAR_DAYS = 14;

/** Follows statements by route, and holds every change of the lake against them. */
export interface Follower {
  /** After a collection: its documents, in order, and what the lake believes now. */
  after(documents: readonly Delivered[], believed: Believed): void;
}

export function newFollower(): Follower {
  /** By `route source currency day`: every value that the route has stated, the newest last; null: it was there and is gone. */
  const stated = new Map<string, (number | null)[]>();
  /** By `source currency day value`: the routes that have ever stated it. */
  const sayers = new Map<string, Set<string>>();
  let before: Believed = new Map();

  const note = ({ source, route, statements }: Delivered) => {
    const now = new Map<string, (number | null)[]>();
    for (const { currency, day, printed } of statements) {
      const figure = `${source} ${currency} ${day}`;
      const value = printed === null ? null : Number(printed);
      now.set(figure, [...(now.get(figure) ?? []), value]);
      if (value === null) continue;
      const key = `${figure} ${value}`;
      sayers.set(key, (sayers.get(key) ?? new Set()).add(route));
    }
    return now;
  };

  return {
    after(documents, believed) {
      const previous = new Map(stated);
      const fresh = documents.map((document) => ({ document, now: note(document) }));
      for (const [figure, value] of believed) {
        const old = before.get(figure);
        if (old === value) continue;
        const routes = fresh.filter(({ now }) => now.get(figure)?.includes(value));
        if (routes.length === 0)
          throw new Error(`${readable(figure)}: ${value} was in no document of this collection`);
        if (old === undefined) continue;
        // A correction needs a route that changed what it says.
        const changed = routes.some(({ document, now }) => {
          const last = previous.get(`${document.route} ${figure}`)?.at(-1);
          return last !== value || (now.get(figure)?.length ?? 0) > 1;
        });
        if (!changed)
          throw new Error(`${readable(figure)}: ${old} → ${value}, although no route changed what it says`);
      }
      for (const [figure, old] of before) {
        if (believed.has(figure)) continue;
        const [source, currency, day] = figure.split(" ") as [string, string, string];
        const withdrawn = fresh.some(({ document, now }) => {
          if (document.source !== source) return false;
          if (now.get(figure)?.at(-1) === null) return true;
          if (now.has(figure)) return false;
          const days = document.statements.filter((one) => one.currency === currency).map((one) => one.day);
          const had = previous.get(`${document.route} ${figure}`)?.at(-1) ?? null;
          return had !== null && Math.min(...days) < Number(day) && Number(day) < Math.max(...days);
        });
        if (!withdrawn)
          throw new Error(`${readable(figure)}: ${old} vanished, although no document took it back`);
      }
      for (const { document, now } of fresh) {
        for (const [figure, values] of now) stated.set(`${document.route} ${figure}`, values);
        for (const [key, values] of stated) {
          const [route, source, currency, day] = key.split(" ") as [string, string, string, string];
          if (route !== document.route || source !== document.source || values.at(-1) === null) continue;
          if (now.has(`${source} ${currency} ${day}`)) continue;
          const days = document.statements.filter((one) => one.currency === currency).map((one) => one.day);
          if (days.length > 0 && Math.min(...days) < Number(day) && Number(day) < Math.max(...days)) {
            stated.set(key, [...values, null]);
          }
        }
      }
      expectPlausible(believed, sayers);
      before = new Map(believed);
    },
  };
}

/** A move beyond the bound is believed only where two routes stated it. */
function expectPlausible(believed: Believed, sayers: ReadonlyMap<string, ReadonlySet<string>>): void {
  const series = new Map<string, { day: Day; value: number }[]>();
  for (const [figure, value] of believed) {
    const [source, currency, day] = figure.split(" ") as [string, string, string];
    const key = `${source} ${currency}`;
    series.set(key, [...(series.get(key) ?? []), { day: Number(day), value }]);
  }
  for (const [key, values] of series) {
    values.sort((a, b) => a.day - b.day);
    for (let at = 1; at < values.length; at++) {
      const [a, b] = [values[at - 1] as (typeof values)[0], values[at] as (typeof values)[0]];
      const factor = Math.max(a.value / b.value, b.value / a.value);
      if (factor <= (b.day - a.day > NEAR_DAYS ? FAR : NEAR)) continue;
      const confirmed = [a, b].some(
        ({ day, value }) => (sayers.get(`${key} ${day} ${value}`)?.size ?? 0) > 1,
      );
      if (!confirmed) {
        throw new Error(
          `${key}: ${a.value} of ${formatDay(a.day)} and ${b.value} of ${formatDay(b.day)}, each stated by one route`,
        );
      }
    }
  }
}

function readable(figure: string): string {
  const [source, currency, day] = figure.split(" ") as [string, string, string];
  return `${source} ${currency} of ${formatDay(Number(day))}`;
}

/** Figures that the lake has otherwise than the authorities say in the end, as readable lines; those in `held` apart. */
export function differences(
  believed: Believed,
  held: ReadonlySet<string>,
  authorities: Authorities,
  now: Instant,
): string[] {
  const lines: string[] = [];
  for (const series of SERIES) {
    for (const day of authorities.days(series.source)) {
      const last = authorities.publishedBy(series, day, now).at(-1);
      const expected = last === undefined || last.printed === null ? undefined : Number(last.printed);
      const key = `${series.source} ${series.currency} ${day}`;
      if (held.has(key)) continue;
      const has = believed.get(key);
      if (has !== expected) {
        lines.push(`${readable(key)}: ${has ?? "nothing"} instead of ${expected ?? "nothing"}`);
      }
    }
  }
  return lines;
}
