/** Random publications of every table, and what the documentation says that tables of a day, series and conversions of them are. */

import { expect, test } from "bun:test";
import type { OfficialKind, OfficialRow, OfficialTable } from "#domain/official/publication.ts";
import { officialAdapters } from "#sources/catalogue.ts";
import { openTestApp } from "#test/api/harness.ts";
import { rounded } from "#test/live/exact.ts";
import { collected, collectedForEach, NOW } from "#test/official/collected.ts";
import { day } from "#test/sources/documents.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const world = collectedForEach();

interface Body {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
}

const TABLES: readonly OfficialTable[] = officialAdapters({ banxicoToken: "0".repeat(64) });
const STEPS = { daily: 1, weekly: 7, monthly: 30, quarterly: 90 };
const LONGEST_DAYS = { daily: 14, weekly: 28, monthly: 70, quarterly: 200 };
const CODES = ["USD", "JPY", "KWD", "ISK", "HRK"];
const KINDS: readonly OfficialKind[] = ["mid", "buy", "sell", "average"];
const DAY = 86_400_000;
const next = seededRandom(20_261_128);
const random = (below: number) => Math.floor(next() * below);
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
const textOf = (of: number) => new Date(of * DAY).toISOString().slice(0, 10);
const todayIn = (zone: string, at: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(at);

interface Version {
  readonly name: string;
  readonly version: number;
  readonly from: string;
  readonly to: string | null;
  readonly at: number;
  readonly rows: readonly OfficialRow[];
}

/** Versions of a table in the order of their publications. */
async function publishSome(table: OfficialTable): Promise<readonly Version[]> {
  const step = STEPS[table.cadence];
  const isStated = random(2) === 0;
  const all: Version[] = [];
  for (let from = day("2026-04-20") - 30 * step; from <= day("2026-04-20"); from += step * (1 + random(3)))
    for (const version of pick([[1], [1], [1, 2], [1, 2, 3]])) {
      // A correction may move the first day, also beyond those of its neighbours.
      const moved = from + (random(5) - 2) * step + random(5) - 2;
      const first = version > 1 ? Math.min(moved, day("2026-04-20")) : from;
      if (all.some((other) => other.name !== textOf(from) && other.from === textOf(first))) continue;
      const at = (from + version) * DAY - random(DAY) - DAY * random(step);
      const own = table.currency;
      const rows = CODES.filter((code) => code !== own && random(5) > 0).flatMap((code): OfficialRow[] => {
        const [base, quote] = random(2) === 0 ? [code, own] : [own, code];
        const kinds = pick([[pick(KINDS)], ["mid"], ["mid", "average"], ["buy", "sell"]] as const);
        return kinds.map((kind) => {
          const rate = `${random(10 ** random(6))}.${String(random(99_999) + 1).padStart(5 + random(4), "0")}`;
          return { base, quote, rate, unit: pick([1, 100]), kind };
        });
      });
      const before = all.at(-1);
      const isNext = version === (before?.name === textOf(from) ? before.version : 0) + 1;
      if (at > NOW || rows.length === 0 || !isNext || (version > 1 && (before?.at ?? at) >= at)) continue;
      const to = isStated ? textOf(first + step - 1) : null;
      const one = { name: textOf(from), version, from: textOf(first), to, at, rows };
      all.push(one);
      const days = { validFrom: one.from, validTo: to };
      await world.publish(table, one.name, { ...days, version, rows, retrievedAt: at });
    }
  return all;
}

const known = (all: readonly Version[], asOf: number) => all.filter(({ at }) => at <= asOf);

const newest = (all: readonly Version[], asOf: number) =>
  known(all, asOf).filter((one, index, list) => list[index + 1]?.name !== one.name);

function inForce(table: OfficialTable, all: readonly Version[], on: string, asOf: number): Version | null {
  const begun = newest(all, asOf).filter(({ from }) => from <= on);
  const last = begun.toSorted((a, b) => a.from.localeCompare(b.from)).at(-1);
  if (last === undefined) return null;
  if (last.to !== null) return on <= last.to ? last : null;
  if (day(on) - day(last.from) > LONGEST_DAYS[table.cadence]) return null;
  return on <= todayIn(table.zone, asOf) || last.from === on ? last : null;
}

/** The version that a conversion is by: a publication that is corrected stays that of its first day. */
function chosen(table: OfficialTable, all: readonly Version[], on: number, rule: string, asOf: number) {
  if (rule !== "published_on") return inForce(table, all, textOf(rule === "in_force" ? on : on - 1), asOf);
  const first = all.find(({ version, from }) => version === 1 && from === textOf(on));
  return newest(all, asOf).find(({ name }) => name === first?.name) ?? null;
}

/** A fraction, directly or through the table's own currency. */
function fraction(rows: readonly OfficialRow[], own: string, from: string, to: string) {
  const inOwn = (code: string): [bigint, bigint] | null => {
    if (code === own) return [1n, 1n];
    const found = rows.find((one) => one.base === code || one.quote === code);
    if (found === undefined) return null;
    const units = BigInt(found.rate.replace(".", ""));
    const scale = 10n ** BigInt(found.rate.split(".")[1]?.length ?? 0) * BigInt(found.unit);
    return found.base === code ? [units, scale] : [scale, units];
  };
  const [a, b] = [inOwn(from), inOwn(to)];
  return a === null || b === null ? null : ([a[0] * b[1], a[1] * b[0]] as const);
}

const linesFor = (versions: readonly Version[], symbols: readonly string[] | null) =>
  versions.flatMap(({ name, version, from, to, rows }) =>
    rows
      .filter(
        ({ base, quote }) => symbols === null || symbols.some((code) => code === base || code === quote),
      )
      .map(({ base, quote, rate, unit, kind }) =>
        [base, quote, Number(rate), unit, kind, name, version, from, to ?? ""].join(),
      ),
  );
const linesIn = ({ rows }: Body) => rows.map((one) => Object.values(one).slice(0, 9).join());
const linesInCsv = (text: string) =>
  text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(",").slice(0, 9))
    .map(([base, quote, rate, ...rest]) => [base, quote, Number(rate), ...rest].join());

test("120 tables of a day and series, and 150 conversions", async () => {
  const worlds = new Map<OfficialTable, readonly Version[]>();
  for (const table of TABLES) worlds.set(table, await publishSome(table));
  const app = openTestApp({ now: NOW, official: world.deps(collected(...TABLES)) });
  let [answered, refused, nth] = [0, 0, 0];
  while (answered < 120) {
    nth += 1;
    const table = TABLES[nth % TABLES.length] as OfficialTable;
    const all = worlds.get(table) ?? [];
    const reach = 32 * STEPS[table.cadence];
    const [on, more] = [day("2026-04-22") - random(reach), random(reach)];
    const asOf = random(3) === 0 ? Math.min(NOW, on * DAY + random(3 * DAY)) : NOW;
    const symbols = random(2) === 0 ? [pick(CODES), pick(CODES)] : null;
    const shared = `${asOf === NOW ? "" : `&as_of=${new Date(asOf).toISOString()}`}${symbols === null ? "" : `&symbols=${symbols}`}`;
    const path = `/v1/official/${table.country}/${table.types[0]}`;
    const valid = inForce(table, all, textOf(on), asOf);
    if (random(2) === 0) {
      const url = `${path}/in-force?on=${textOf(on)}${shared}`;
      const lines = valid === null ? [] : linesFor([valid], symbols);
      if (lines.length === 0) {
        refused += 1;
        await app.refused(url, "not_found");
        continue;
      }
      expect([url, linesIn(await app.get(url)).sort()]).toEqual([url, lines.sort()]);
    } else {
      const [versions, limit] = [pick(["newest", "all"]), 1 + random(20)];
      const url = `${path}/rates?start_date=${textOf(on)}&end_date=${textOf(on + more)}&versions=${versions}&limit=${limit}${shared}`;
      const isIn = ({ from }: Version) => from >= textOf(on) && from <= textOf(on + more);
      const chosen = versions === "all" ? known(all, asOf) : newest(all, asOf);
      const first = valid !== null && valid.from < textOf(on) ? valid.name : null;
      const before = chosen.filter(({ name, from }) => name === first && from < textOf(on));
      const lines = linesFor([...chosen.filter(isIn), ...before], symbols).sort();
      if (lines.length === 0) {
        refused += 1;
        await app.refused(url, "not_found");
        continue;
      }
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const page: Body = await app.get(`${url}${cursor}`);
        found.push(...linesIn(page));
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect([url, found.sort()]).toEqual([url, lines]);
      const csv = await (await app.ask(`${url}&format=csv`)).text();
      expect([url, linesInCsv(csv).sort()]).toEqual([url, lines]);
    }
    answered += 1;
  }
  expect(refused).toBeGreaterThan(8);

  [answered, refused] = [0, 0];
  while (answered < 150) {
    nth += 1;
    const table = TABLES[nth % TABLES.length] as OfficialTable;
    const all = worlds.get(table) ?? [];
    const rule = pick(["in_force", "previous_business_day", "published_on"]);
    const one = pick(all);
    const on = random(3) === 0 ? day("2026-04-22") - random(32 * STEPS[table.cadence]) : day(one.from);
    const asOf = pick([NOW, NOW, one.at, Math.min(NOW, on * DAY + random(3 * DAY))]);
    const [from, to] = [pick([table.currency, ...CODES]), pick([table.currency, ...CODES])];
    if (from === to) continue;
    const instant = asOf === NOW ? "" : `&as_of=${new Date(asOf).toISOString()}`;
    const path = `/v1/official/${table.country}/${table.types[0]}/convert/${from}/${to}/7.25`;
    const url = `${path}?on=${textOf(on)}&rule=${rule}&kind=mid${instant}`;
    const publication = chosen(table, all, on, rule, asOf);
    const mid = publication?.rows.filter(({ kind }) => kind === "mid") ?? [];
    const rate = fraction(mid, table.currency, from, to);
    if (rate === null) {
      refused += 1;
      await app.refused(url, "not_found");
      continue;
    }
    answered += 1;
    const body = await app.get(url);
    expect([url, body.publication, body.version, body.converted]).toEqual([
      ...[
        url,
        publication?.name,
        publication?.version,
        Number(rounded({ top: rate[0] * 725n, bottom: rate[1] * 100n }, 15)),
      ],
    ]);
  }
  expect(refused).toBeGreaterThan(30);
}, 120_000);
