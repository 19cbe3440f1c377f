/** What tests of official tables share: answers as they come, routes by position, rows as lines. */

import { readFileSync } from "node:fs";
import type { OfficialReading } from "#domain/official/publication.ts";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { day, documentOf } from "#test/sources/documents.ts";
import { sharedDocument } from "#test/support/shared-data.ts";

/** A document that came at noon UTC on a day. */
export function answer(content: string | Uint8Array, url: string, came: string): UpstreamDocument {
  return { ...documentOf(content, url), retrievedAt: (day(came) + 0.5) * MILLISECONDS_PER_DAY };
}

export function routeOf(adapter: OfficialAdapter, window: OfficialWindow, at = 0): OfficialRoute {
  const route = adapter.routes(window)[at];
  if (route === undefined) throw new Error(`${adapter.id} has no route ${at}`);
  return route;
}

export function urlsOf(adapter: OfficialAdapter, window: OfficialWindow, at = 0): string[] {
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

/** `100 JPY = 0.53271 CHF sell`, in the reading's order. */
export function rowsOf({ rows }: Pick<OfficialReading, "rows">): string[] {
  return rows.map(({ base, quote, rate, unit, kind }) => `${unit} ${base} = ${rate} ${quote} ${kind}`);
}

/** The text of a real document of `official/`, for cases of `testOn`, which run only where it is there. */
export function realText(name: string): string {
  return readFileSync(sharedDocument(`official/${name}`) as string, "utf8");
}
