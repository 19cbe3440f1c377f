/** What the tests of official tables share: documents with an arrival time, readings in one line each, and the fault of a parser. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import { formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { day } from "#test/sources/documents.ts";

/** A document as it came at an instant. */
export function arrivedAt(at: string, content: string | Uint8Array): UpstreamDocument {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const url = "https://example.org/document";
  return { url, bytes, sha256: "0".repeat(64), retrievedAt: Date.parse(at), contentType: "" };
}

export function officialWindow(reach: OfficialWindow["reach"], from: string, to: string): OfficialWindow {
  return { reach, from: day(from), to: day(to) };
}

/** The route of that name; an error with the names that there are. */
export function routeOf(adapter: OfficialAdapter, window: OfficialWindow, name: string) {
  const routes = adapter.routes(window);
  const route = routes.find((one) => one.name === name);
  if (route === undefined) throw new Error(`no route ${name} in ${routes.map((one) => one.name)}`);
  return route;
}

/** The publications of what was read; an error with the outcome where there are none. */
export function publicationsOf(parsed: OfficialParsed) {
  if (parsed.outcome === "publications") return parsed.publications;
  throw new Error(`no publications but ${parsed.reason}`);
}

/** Every publication on a line: name, validity, and its rows as `HUF/CZK 6.304 for 100`. */
export function textsOf(parsed: OfficialParsed): string[] {
  return publicationsOf(parsed).map(({ publication, validFrom, validTo, rows }) => {
    const validity = `${formatDay(validFrom)}..${validTo === null ? "" : formatDay(validTo)}`;
    const figures = rows.map(({ base, quote, rate, unit }) => `${base}/${quote} ${rate} for ${unit}`);
    return `${publication} ${validity} ${figures.join(", ")}`;
  });
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
