/** What tests of official tables share: documents with a time of arrival, routes, readings and rows as lines, and faults of parsers. */

import { readFileSync } from "node:fs";
import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import type { Route, UpstreamDocument } from "#ports/upstream.ts";
import { day, documentOf } from "#test/sources/documents.ts";
import { sharedDocument } from "#test/support/shared-data.ts";

/** A document that came at noon UTC on a day. */
export function answer(content: string | Uint8Array, url: string, came: string): UpstreamDocument {
  return { ...documentOf(content, url), retrievedAt: (day(came) + 0.5) * MILLISECONDS_PER_DAY };
}

/** A document as it came at an instant. */
export function arrivedAt(at: string, content: string | Uint8Array): UpstreamDocument {
  return { ...documentOf(content), retrievedAt: Date.parse(at) };
}

/** A route by its position or name. */
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

export function urlsOf(adapter: OfficialAdapter, window: Window, at = 0): string[] {
  return routeOf(adapter, window, at).requests.map(({ url }) => url);
}

export function publicationsOf(parsed: OfficialParsed): readonly OfficialReading[] {
  if (parsed.outcome === "publications") return parsed.publications;
  throw new Error(`no publications but: ${parsed.reason}`);
}

/** `2026-06 2026-06-01…2026-06-30`; a validity without an end ends in `…`. */
export function namesOf(parsed: OfficialParsed): string[] {
  return publicationsOf(parsed).map(({ publication, validFrom, validTo }) => {
    return `${publication} ${formatDay(validFrom)}…${validTo === null ? "" : formatDay(validTo)}`;
  });
}

/** Every publication on a line: name, validity, and its rows as `HUF/CZK 6.304 for 100`. */
export function textsOf(parsed: OfficialParsed): string[] {
  return publicationsOf(parsed).map(({ publication, validFrom, validTo, rows }) => {
    const validity = `${formatDay(validFrom)}..${validTo === null ? "" : formatDay(validTo)}`;
    const figures = rows.map(({ base, quote, rate, unit }) => `${base}/${quote} ${rate} for ${unit}`);
    return `${publication} ${validity} ${figures.join(", ")}`;
  });
}

/** `100 JPY = 0.53271 CHF sell`, in the reading's order. */
export function rowsOf({ rows }: Pick<OfficialReading, "rows">): string[] {
  return rows.map(({ base, quote, rate, unit, kind }) => `${unit} ${base} = ${rate} ${quote} ${kind}`);
}

/** The text of a real document of `official/`, for cases of `testOn`, which run only where it is there. */
export function realText(name: string): string {
  return readFileSync(sharedDocument(`official/${name}`) as string, "utf8");
}

/** The authority's own error that a parser throws. */
export function faultOf(parse: () => unknown): UpstreamFault {
  try {
    parse();
  } catch (error) {
    if (error instanceof UpstreamFault) return error;
    throw error;
  }
  throw new Error("the document was read");
}
