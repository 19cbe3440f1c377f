/** GET /v1/official/changes.atom: publications and corrections as an Atom feed (RFC 4287), with pages (RFC 5005). */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { query } from "#api/parameters.ts";
import { respondText } from "#api/response/respond.ts";
import { words } from "#api/words.ts";
import type { ChangeFeed } from "#domain/official/answers.ts";
import { element, escapeXml } from "#domain/text/xml.ts";
import { formatInstant } from "#domain/time/day.ts";
import { MOST_ENTRIES, officialFeed, planFeed } from "#official/changes.ts";
import { EXAMPLE_EVENT, type OfficialEventModel } from "./changes.ts";
import {
  countryFilter,
  cursor,
  FIX_TABLE,
  limit,
  metered,
  type OfficialRouteDeps,
  officialNotice,
  REVALIDATED,
  typeFilter,
} from "./model.ts";

const PATH = "/v1/official/changes.atom";
const ATOM = "application/atom+xml";
const SENT = { mime: `${ATOM}; charset=utf-8`, cacheControl: REVALIDATED };

/** The date of a feed without entries, which must have one. */
const NEVER = "1970-01-01T00:00:00Z";

/** The document. `publicUrl` is the origin under which people reach the server: readers store links as they are. */
function changesFeed(feed: ChangeFeed, publicUrl: string): string {
  const { country, type, entries, cursor, nextCursor, simulated } = feed;
  const filter = [country, type].filter((part) => part !== null).join(" ");
  const title = `Official exchange rates${filter === "" ? "" : ` (${filter})`}: publications and corrections`;
  const updated = Math.max(...entries.map(({ event }) => event.createdAt));
  const pageAt = (from: string | null) => `${publicUrl}${PATH}${queryOf({ country, type, cursor: from })}`;
  const members = [
    element("id", {}, idOf(`feed ${country ?? "-"} ${type ?? "-"}`)),
    element("title", {}, escapeXml(`${simulated ? "SIMULATED: " : ""}${title}`)),
    element("subtitle", {}, escapeXml(officialNotice(simulated))),
    element("updated", {}, entries.length === 0 ? NEVER : formatInstant(updated)),
    element("author", {}, element("name", {}, "Crossrate")),
    element("generator", {}, "Crossrate"),
    element("link", { rel: "self", type: ATOM, href: pageAt(cursor) }),
    ...(cursor === null ? [] : [element("link", { rel: "first", type: ATOM, href: pageAt(null) })]),
    ...(nextCursor === null ? [] : [element("link", { rel: "next", type: ATOM, href: pageAt(nextCursor) })]),
    ...entries.map((entry) => entryOf(entry, publicUrl)),
  ];
  const root = element("feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": "en" }, lines(members));
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
}

type Entry = ChangeFeed["entries"][number];

function entryOf({ event, table }: Entry, publicUrl: string): string {
  const { type, created_at, data } = JSON.parse(event.body) as Static<typeof OfficialEventModel>;
  const { country, types, publication, version } = data;
  const isNew = type === "official.published";
  const named = `${country} ${types[0] ?? ""} ${publication}`;
  const until = data.valid_to === null ? "until the next publication" : `to ${data.valid_to}`;
  const address = `/v1/official/${country}/${types[0] ?? ""}/publications/${publication}?version=${version}`;
  const what = table === null ? named : `${table.authority}: ${table.title}`;
  const summary = `${what}. Publication ${publication}, version ${version}, valid from ${data.valid_from} ${until}.`;
  return element(
    "entry",
    {},
    lines([
      element("id", {}, idOf(event.id)),
      element("title", {}, escapeXml(`${named} ${isNew ? "published" : `corrected, version ${version}`}`)),
      element("updated", {}, created_at),
      ...(table === null ? [] : [element("author", {}, element("name", {}, escapeXml(table.authority)))]),
      element("link", { rel: "alternate", type: "application/json", href: `${publicUrl}${address}` }),
      element("category", { term: type }),
      element("category", { term: `${country}/${types[0] ?? ""}` }),
      element("summary", {}, escapeXml(summary)),
    ]),
  );
}

/** The namespace of this product's names. It never changes. */
const NAMESPACE = "5d0d7a8e-6f3c-4b0b-9c53-b1f4c06f2ad7";

/** A UUID of a name (RFC 9562, version 5): an event has the same id on every server and after every restart. */
function idOf(name: string): string {
  return `urn:uuid:${Bun.randomUUIDv5(name, NAMESPACE)}`;
}

function queryOf(parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

function lines(members: readonly string[]): string {
  return `\n${members.join("\n")}\n`;
}

const { collected: _, newest: __, ...TABLE } = FIX_TABLE;

const EXAMPLE = changesFeed(
  {
    country: "MEX",
    type: null,
    entries: [
      {
        event: {
          id: EXAMPLE_EVENT.id,
          type: "official.published",
          createdAt: Date.parse(EXAMPLE_EVENT.created_at),
          body: JSON.stringify(EXAMPLE_EVENT),
        },
        table: { ...TABLE, cadence: "daily" },
      },
    ],
    cursor: null,
    nextCursor: null,
    simulated: false,
  },
  "http://localhost",
);

const parameters = {
  country: countryFilter,
  type: typeFilter,
  cursor,
  limit: limit(MOST_ENTRIES, MOST_ENTRIES),
};

export const feed = ({ house, tables, publicUrl, ...deps }: OfficialRouteDeps) =>
  new Elysia({ name: "official-feed" })
    .use(house)
    .guard({ query: query(parameters) })
    .resolve(async ({ query }) => ({ planned: planFeed(tables(), query) }))
    .get(
      PATH,
      async ({ request, planned }) =>
        await deps.turns.slot(deps.callerOf(request), async () => {
          const text = changesFeed(await officialFeed(tables(), planned), publicUrl);
          return respondText(request, deps, SENT, text);
        }),
      {
        metered,
        detail: words({
          id: "getOfficialFeed",
          tag: "Official",
          summary: "What was published and corrected, as an Atom feed",
          description:
            'The same events for feed readers, spreadsheets and chat tools: the newest first, at most 100. Ids of entries never change. `rel="next"` leads to older ones (RFC 5005). Programs that must miss nothing read `/v1/official/changes`.',
          ok: {
            description: "The feed.",
            mime: ATOM,
            schema: Type.String({ description: "An Atom document (RFC 4287).", examples: [EXAMPLE] }),
            example: EXAMPLE,
            conditional: true,
          },
          errors: ["invalid_request", "source_unavailable", "service_unavailable"],
        }),
      },
    );
