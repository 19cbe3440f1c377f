/** Conversion by official tables over HTTP: rules of the day, kinds, as_of, citations; and 150 random ones against an oracle. */

import { describe, expect, test } from "bun:test";
import type { OfficialKind, OfficialRow } from "#domain/official/publication.ts";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { day } from "#test/sources/documents.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const world = collectedForEach();
const open = () =>
  openTestApp({ clock: { now: () => NOW }, official: world.deps(collected(FIX, DOF, CUSTOMS)) });
const row = (
  base: string,
  quote: string,
  rate: string,
  unit = 1,
  kind: OfficialKind = "mid",
): OfficialRow => ({
  ...{ base, quote, rate, unit, kind },
});
const FIX_PATH = "/v1/official/mex/fix/convert";

describe("an amount", () => {
  test("is in the query or in the path, and 1 without either", async () => {
    await world.publish(FIX, "2026-04-13", { rate: "17.34" });
    const app = open();
    for (const [rest, converted] of [
      ["", 17.34],
      ["?amount=2.5", 43.35],
      ["/-2.5", -43.35],
    ] as const)
      expect((await app.get(`${FIX_PATH}/USD/MXN${rest}`)).converted).toBe(converted);
  });

  test("of a currency outside the catalog has no minor units to round to", async () => {
    await world.publish(FIX, "2026-04-13", { rows: [row("KWD", "MXN", "56.1234")] });
    const body = await open().get(`${FIX_PATH}/MXN/KWD/100`);
    expect([body.rounded, body.converted]).toEqual([null, 1.78178798861081]);
  });
});

describe("the day", () => {
  test("of a publication is the authority's, where its document states it", async () => {
    const rows = [row("GBP", "USD", "1.2937")];
    const publishedAt = Date.parse("2026-03-19T09:00:00Z");
    await world.publish(CUSTOMS, "2026-04", {
      validFrom: "2026-04-01",
      validTo: "2026-04-30",
      publishedAt,
      rows,
    });
    const app = open();
    const on = (query: string) => `/v1/official/GBR/customs/convert/USD/GBP/1000?${query}`;
    expect(await app.get(on("on=2026-03-19&rule=published_on"))).toMatchObject({
      ...{ publication: "2026-04", rate: 0.7729767334, rounded: 772.98, valid_to: "2026-04-30" },
    });
    await app.refused(on("on=2026-04-01&rule=published_on"), "not_found");
    await app.refused(on("on=2026-03-31"), "not_found");
  });
});

describe("refused is", () => {
  test("a choice between buying and selling rates that the caller has to make", async () => {
    const rows = [row("USD", "MXN", "17.10", 1, "buy"), row("USD", "MXN", "17.60", 1, "sell")];
    await world.publish(DOF, "2026-04-13", { rows });
    const app = open();
    const path = "/v1/official/MEX/dof/convert/USD/MXN";
    expect(await app.reason(path, "invalid_request")).toBe(
      "publication 2026-04-13 has rates of the kinds buy, sell: choose one with kind",
    );
    expect((await app.get(`${path}?kind=sell`)).rate).toBe(17.6);
    await app.refused(`${path}?kind=mid`, "not_found");
  });

  test("a day of which the publication is missing here: the last one before it is in force for a step of the table, and no longer", async () => {
    await world.publish(FIX, "2026-03-12");
    await world.publish(FIX, "2026-03-30");
    const app = open();
    const reason = async (rest: string) => await app.reason(`${FIX_PATH}/USD/MXN?${rest}`, "not_found");
    for (const day of ["2026-03-26", "2026-03-30", "2026-04-13"])
      await app.get(`${FIX_PATH}/USD/MXN?on=${day}`);
    const nearest = (day: string) => `known to be valid on ${day}; the one before it is 2026-03-12`;
    expect(await reason("on=2026-03-27")).toEndWith(nearest("2026-03-27"));
    expect(await reason("on=2026-03-27&as_of=2026-04-13T00:00:00Z")).toEndWith(nearest("2026-03-27"));
    await app.refused("/v1/official/MEX/fix/in-force?on=2026-03-29", "not_found");
    world.at("2026-04-14T20:30:00Z");
    expect(await reason("")).toEndWith("valid on 2026-04-14; the one before it is 2026-03-30");
    // Before the first, and beyond the last day of the calendar.
    expect(await reason("on=2025-12-31")).toEndWith(
      "; the first one here is 2026-03-12, valid from 2026-03-12",
    );
    for (const rest of ["", "&as_of=2026-04-14T00:00:00Z", "&rule=published_on"])
      expect(await reason(`on=9999-12-31${rest}`)).toEndWith("; the one before it is 2026-03-30");
  });
});

/** A random world, and what the documentation says that each conversion of it is. */
describe("150 random conversions", () => {
  const next = seededRandom(20_261_127);
  const random = (below: number) => Math.floor(next() * below);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  interface Stored {
    readonly name: string;
    readonly from: number;
    readonly to: number | null;
    readonly versions: { readonly at: number; readonly rows: readonly OfficialRow[] }[];
  }
  const CODES = ["USD", "JPY", "KWD", "ISK", "CHF"];
  const DAY = 86_400_000;
  const textOf = (of: number) => new Date(of * DAY).toISOString().slice(0, 10);

  async function publishAll(): Promise<Map<string, Stored[]>> {
    const all = new Map<string, Stored[]>();
    for (const [table, own, step] of [
      [FIX, "MXN", 1],
      [CUSTOMS, "GBP", 30],
    ] as const) {
      const stored: Stored[] = [];
      for (let from = day("2025-06-01"); from <= day("2026-04-13"); from += step * (1 + random(3))) {
        const name = textOf(from);
        const to = step === 1 ? null : from + step - 1;
        const versions = Array.from({ length: 1 + (random(4) === 0 ? 1 : 0) }, (_, index) => ({
          at: (from + index) * DAY + 43_200_000,
          rows: CODES.filter(() => random(6) > 0).map((code) => {
            const digits = `${random(300)}.${String(random(99_999) + 1).padStart(5, "0")}`;
            const unit = pick([1, 1, 100, 1000]);
            return random(2) === 0 ? row(code, own, digits, unit) : row(own, code, digits);
          }),
        })).filter(({ at, rows }) => at <= NOW && rows.length > 0);
        for (const [index, { at, rows }] of versions.entries())
          await world.publish(table, name, {
            ...{
              validFrom: name,
              validTo: to === null ? null : textOf(to),
              version: index + 1,
              rows,
              retrievedAt: at,
            },
          });
        if (versions.length > 0) stored.push({ name, from, to, versions });
      }
      all.set(table.id, stored);
    }
    return all;
  }

  /** The rows of the publication that the documentation names; null where it says 404. */
  function chosen(stored: Stored[], on: number, rule: string, asOf: number | null) {
    const seen = (one: Stored) => one.versions.findLast(({ at }) => asOf === null || at <= asOf);
    if (rule === "published_on") {
      const exact = stored.find(({ from }) => from === on);
      return exact === undefined ? null : { name: exact.name, rows: seen(exact)?.rows ?? null };
    }
    const wanted = rule === "previous_business_day" ? on - 1 : on;
    const last = stored.findLast((one) => one.from <= wanted && seen(one) !== undefined);
    if (last === undefined || (last.to !== null && wanted > last.to)) return null;
    // A table that is valid until the next one is not known to be valid on a day to come. Mexico City has no summer time.
    const today = Math.floor(((asOf ?? NOW) - 6 * 3_600_000) / DAY);
    if (last.to === null && wanted > today && wanted !== last.from) return null;
    return { name: last.name, rows: seen(last)?.rows ?? null };
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

  /** Half-even to 15 significant digits, by long division. */
  function digitsOf(top: bigint, bottom: bigint): number {
    let scale = 0;
    while ((top * 10n ** BigInt(scale)) / bottom < 10n ** 14n) scale += 1;
    const [quotient, rest] = [(top * 10n ** BigInt(scale)) / bottom, (top * 10n ** BigInt(scale)) % bottom];
    const up = rest * 2n > bottom || (rest * 2n === bottom && quotient % 2n === 1n);
    return Number(`${quotient + (up ? 1n : 0n)}e-${scale}`);
  }

  test("equal the oracle", async () => {
    const all = await publishAll();
    const app = open();
    let [answered, refused] = [0, 0];
    while (answered < 150) {
      const [id, path, own] = pick([
        ["mex_fix", "MEX/fix", "MXN"],
        ["gbr_customs", "GBR/customs", "GBP"],
      ] as const);
      const stored = all.get(id) ?? [];
      const on = random(8) === 0 ? day("2025-05-25") + random(10) : day("2025-06-01") + random(316);
      const rule = pick(["in_force", "previous_business_day", "published_on"]);
      const asOf = random(3) === 0 ? on * DAY + random(3 * DAY) : null;
      const [from, to] = [pick([own, ...CODES]), pick([own, ...CODES])];
      if (from === to || (asOf !== null && asOf > NOW)) continue;
      const url = `/v1/official/${path}/convert/${from}/${to}/7.25?on=${textOf(on)}&rule=${rule}${
        asOf === null ? "" : `&as_of=${new Date(asOf).toISOString()}`
      }`;
      const publication = chosen(stored, on, rule, asOf);
      const rate = publication?.rows == null ? null : fraction(publication.rows, own, from, to);
      if (rate === null) {
        refused += 1;
        await app.refused(url, "not_found");
        continue;
      }
      answered += 1;
      const body = await app.get(url);
      expect([url, body.publication, body.converted]).toEqual([
        ...[url, publication?.name, digitsOf(rate[0] * 725n, rate[1] * 100n)],
      ]);
    }
    expect(refused).toBeGreaterThan(30);
  }, 60_000);
});
