/** What tests of official tables share: readings as lines, refusals as a table, and the contract that every table keeps. */

import { describe, expect, test } from "bun:test";
import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import type { Route, UpstreamDocument } from "#ports/upstream.ts";
import { documentOf, reasonOf, windowOf } from "#test/sources/documents.ts";

type Content = string | Uint8Array;

/** How a document comes: for which window, by which route, under which address, and when: an instant, or noon of a day. */
interface Arrival {
  readonly window: Window;
  readonly at: string;
  /** Its name or position; the first unless given. */
  readonly route?: number | string;
  readonly url?: string;
}

/** Reads documents of a table, which come as `usual` unless a case says otherwise. */
export function testsOf(adapter: OfficialAdapter, usual: Arrival) {
  const parse = (content: Content, other: Partial<Arrival> = {}): OfficialParsed => {
    const { window, at, route = 0, url } = { ...usual, ...other };
    return routeOf(adapter, window, route).parse(arrivedAt(at, content, url), window);
  };
  const refusal = (content: Content, other?: Partial<Arrival>) => reasonOf(() => parse(content, other));
  const routes = (reach: Window["reach"], from: string, to: string) =>
    adapter
      .routes(windowOf(reach, from, to))
      .map(({ name, requests }) => [name, ...requests.map(({ url }) => url)]);
  return {
    parse,
    refusal,
    lines: (content: Content, other?: Partial<Arrival>) => linesOf(parse(content, other)),
    routes,
    urls: (reach: Window["reach"], from: string, to: string) => routes(reach, from, to)[0]?.slice(1) ?? [],
    refuses: (
      cases: readonly (readonly [why: string, content: Content, reason: string, other?: Partial<Arrival>])[],
    ) => {
      for (const [why, content, reason, other] of cases)
        test(`${why} is refused`, () => expect(refusal(content, other)).toContain(reason));
    },
    /** `good` is a whole document with the printed `rate` in it. */
    keepsContract: (good: string, rate: string) =>
      describe("as every table", () => {
        test("a document that is cut off anywhere, or goes on after its end, is broken", () => {
          for (let part = 0; part < 50; part++)
            expect(() => parse(good.slice(0, (part * good.length) / 50))).toThrow(BrokenDocument);
          expect(() => parse(`${good}x`)).toThrow(BrokenDocument);
        });
        test("a document of the future is broken", () => {
          const at = new Date((usual.window.from - 400) * MILLISECONDS_PER_DAY).toISOString();
          expect(refusal(good, { at })).toContain("in the future");
        });
        test.each(NO_RATES)("a document with %p for a rate is broken", (wrong) => {
          expect(good).toContain(rate);
          expect(() => parse(good.replace(rate, wrong))).toThrow(BrokenDocument);
        });
      }),
  };
}

const NO_RATES = ["NaN", "Infinity", "0", "0.00", "-1", "+1", "1.", ".5", "٣", "1".repeat(25)];

/** A document as it came at an instant, or at noon UTC of a day. */
export function arrivedAt(at: string, content: Content, url?: string): UpstreamDocument {
  return { ...documentOf(content, url), retrievedAt: Date.parse(at.length > 10 ? at : `${at}T12:00:00Z`) };
}

export function routeOf(
  adapter: OfficialAdapter,
  window: Window,
  which: number | string = 0,
): Route<OfficialParsed> {
  const routes = adapter.routes(window);
  const route = routes.find(({ name }, at) => which === name || which === at);
  if (route === undefined) throw new Error(`no route ${which} in ${routes.map(({ name }) => name)}`);
  return route;
}

export function publicationsOf(parsed: OfficialParsed): readonly OfficialReading[] {
  if (parsed.outcome === "publications") return parsed.publications;
  throw new Error(`no publications but: ${parsed.reason}`);
}

/** `2026-06 2026-06-01…2026-06-30: 1 GBP = 1.34 USD mid, …`; a validity without an end ends in `…`. */
export function linesOf(parsed: OfficialParsed): string[] {
  return publicationsOf(parsed).map(
    ({ publication, validFrom, validTo, rows }) =>
      `${publication} ${formatDay(validFrom)}…${validTo === null ? "" : formatDay(validTo)}: ${rowsOf({ rows }).join(", ")}`,
  );
}

/** `100 JPY = 0.53271 CHF sell`, in the reading's order. */
export function rowsOf({ rows }: Pick<OfficialReading, "rows">): string[] {
  return rows.map(({ base, quote, rate, unit, kind }) => `${unit} ${base} = ${rate} ${quote} ${kind}`);
}

export function faultOf(parse: () => unknown): UpstreamFault {
  try {
    parse();
  } catch (error) {
    if (error instanceof UpstreamFault) return error;
    throw error;
  }
  throw new Error("the document was read");
}
