/** Honest mistakes of the simulated authorities: once a year a table goes out with two digits swapped, and is replaced. */

import { hash } from "#demo/random.ts";
import { type Day, dayOf, type Instant, yearOf } from "#domain/time/day.ts";
import type { SimulatedTable } from "./table.ts";

export interface OfficialMisprint {
  /** The table's own day, by which it is published. */
  readonly day: Day;
  readonly currency: string;
  /** When it goes out, and when it is replaced. */
  readonly publishedAt: Instant;
  readonly correctedAt: Instant;
}

const STREAM = 300;
const known = new Map<string, OfficialMisprint>();

/** The one misprint of a table in a year: from February on, and for every table on another day. */
export function officialMisprintOf(seed: number, table: SimulatedTable, year: number): OfficialMisprint {
  const key = `${seed} ${table.id} ${year}`;
  let misprint = known.get(key);
  if (misprint === undefined) {
    const chance = hash(seed, STREAM + lettersOf(table.id), year);
    let day = (dayOf(year, 2, 1) as Day) + (chance % 290);
    while (!table.isDay(day)) day++;
    const currency = table.lines[(chance >>> 12) % table.lines.length]?.code ?? "";
    misprint = { day, currency, publishedAt: table.publishedAt(day), correctedAt: table.correctedAt(day) };
    known.set(key, misprint);
  }
  return misprint;
}

/** True when a day's first figure of a currency was the year's misprint. */
export function isOfficialMisprint(seed: number, table: SimulatedTable, day: Day, currency: string): boolean {
  const misprint = officialMisprintOf(seed, table, yearOf(day));
  return misprint.day === day && misprint.currency === currency;
}

function lettersOf(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_000, 0);
}
