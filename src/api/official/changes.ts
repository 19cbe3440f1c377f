/**
 * GET /v1/official/changes and …/changes.atom: the events that webhooks carry, as JSON and as an Atom feed (RFC 4287) with
 * pages (RFC 5005).
 */

import { type Static, Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { instant } from "#api/parameters.ts";
import type { Body } from "#api/print.ts";
import { respondText } from "#api/response/respond.ts";
import { officialNotice, simulatedMark } from "#domain/dataset/dataset.ts";
import { element, escapeXml } from "#domain/text/xml.ts";
import { formatInstant } from "#domain/time/day.ts";
import { CHOSEN_TYPES, type ChosenType } from "#domain/webhook/endpoint.ts";
import {
  type ChangeFeed,
  type ChangePage,
  DEFAULT_CHANGES,
  MOST_CHANGES,
  MOST_ENTRIES,
  officialChanges,
  officialFeed,
} from "#official/changes.ts";
import * as official from "./model.ts";

export const OfficialEventModel = form.named("OfficialEvent", "A publication, or a correction of one.", {
  id: form.text(
    "Unique id, `evt_<table>_<publication>_v<version>`: the same in a webhook.",
    "evt_mex_fix_2026-04-13_v1",
    { pattern: "^evt_[A-Za-z0-9._-]+$" },
  ),
  type: form.oneOf<ChosenType>(
    CHOSEN_TYPES,
    "`official.published` for version 1, `official.corrected` for those after it.",
  ),
  created_at: form.instant("When this version was retrieved, UTC.", "2026-04-13T18:05:11Z"),
  data: form.closed("What it is about. Rates are fetched by these names.", {
    country: official.country,
    types: official.types,
    publication: official.publication,
    version: official.version,
    valid_from: official.validFrom,
    valid_to: official.validTo,
  }),
});

export const OfficialChangesResponse = field.answer("OfficialChangesResponse", "A page of changes.", {
  changes: form.list(OfficialEventModel, "In the order in which they were committed, the oldest first."),
  has_more: official.hasMore,
  next_cursor: official.nextCursor,
  resume_cursor: form.text(
    "Leads to what comes after this page, now or later: keep it, and send it as `cursor` with everything else unchanged to receive every further change exactly once.",
    "NyAxNzc2MTAzNTExMDAw.0XfmcbsmKojzbb-PGRwx4g",
  ),
});

function changesBody({ events, hasMore, resumeCursor }: ChangePage) {
  return {
    result: "success",
    changes: events.map((event) => JSON.parse(event) as Static<typeof OfficialEventModel>),
    has_more: hasMore,
    next_cursor: hasMore ? resumeCursor : null,
    resume_cursor: resumeCursor,
  } satisfies Body<typeof OfficialChangesResponse>;
}

export const EXAMPLE_EVENT = form.exampleOf(OfficialEventModel, "answer");

const since = instant({
  description:
    "Begin with the first change created at this UTC instant or later: it, and everything committed after it.",
  example: "2026-04-13T00:00:00Z",
});

// ── The feed ─────────────────────────────────────────────────────────────────────────────────────

const PATH = "/v1/official/changes.atom";
const ATOM = "application/atom+xml";
const SENT = { mime: `${ATOM}; charset=utf-8`, cacheControl: official.REVALIDATED };

/** Feeds must have a date, also without entries. */
const NEVER = "1970-01-01T00:00:00Z";

/** Makes the feed. `publicUrl` is the server's public origin: readers store links as they are. */
function changesFeed(feed: ChangeFeed, publicUrl: string): string {
  const { country, type, entries, cursor, nextCursor, simulated } = feed;
  const filter = [country, type].filter((part) => part !== null).join(" ");
  const title = `Official exchange rates${filter === "" ? "" : ` (${filter})`}: publications and corrections`;
  const updated = Math.max(...entries.map(({ event }) => event.createdAt));
  const pageAt = (from: string | null) => `${publicUrl}${PATH}${queryOf({ country, type, cursor: from })}`;
  const members = [
    element("id", {}, idOf(`feed ${country ?? "-"} ${type ?? "-"}`)),
    element("title", {}, escapeXml(`${simulatedMark(simulated)}${title}`)),
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

/** Makes a UUID of a name (RFC 9562, version 5): an event has the same id on every server and after every restart. */
function idOf(name: string): string {
  return `urn:uuid:${Bun.randomUUIDv5(name, NAMESPACE)}`;
}

function queryOf(parameters: Readonly<Record<string, string | null>>): string {
  const stated = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return stated.length === 0 ? "" : `?${new URLSearchParams(stated)}`;
}

function lines(members: readonly string[]): string {
  return `\n${members.join("\n")}\n`;
}

const EXAMPLE = changesFeed(
  {
    country: "MEX",
    type: null,
    entries: [
      {
        event: {
          position: 1,
          id: EXAMPLE_EVENT.id,
          type: "official.published",
          createdAt: Date.parse(EXAMPLE_EVENT.created_at),
          body: JSON.stringify(EXAMPLE_EVENT),
        },
        table: form.exampleOf(official.OfficialTableModel, "answer"),
      },
    ],
    cursor: null,
    nextCursor: null,
    simulated: false,
  },
  "http://localhost",
);

const { countryFilter: country, typeFilter: type, cursor, limit } = official;

export const changes = (deps: official.OfficialRouteDeps) =>
  official.route(
    deps,
    "/v1/official/changes",
    (_, query) => {
      const read = officialChanges(deps.tables(), query);
      return async () => changesBody(await read());
    },
    {
      query: { since, country, type, limit: limit(MOST_CHANGES, DEFAULT_CHANGES), cursor },
      id: "listOfficialChanges",
      summary: "What was published and corrected",
      description:
        "The same events as webhooks carry, in the order of their commits; missed ones are read again here. Instants are approximate, because a clock may have been wrong: `resume_cursor` misses nothing. Compare by `id` and `created_at`: `since` is inclusive. A history that is loaded at once makes no events.",
      ok: OfficialChangesResponse,
    },
  );

export const feed = (deps: official.OfficialRouteDeps) =>
  official.route(
    deps,
    PATH,
    (_, query, request) => {
      const read = officialFeed(deps.tables(), query);
      return async () => respondText(request, deps, SENT, changesFeed(await read(), deps.publicUrl));
    },
    {
      query: { country, type, cursor, limit: limit(MOST_ENTRIES, MOST_ENTRIES) },
      id: "getOfficialFeed",
      summary: "What was published and corrected, as an Atom feed",
      description:
        'The same events for feed readers, spreadsheets and chat tools: the newest first, at most 100. Ids of entries never change. `rel="next"` leads to older ones (RFC 5005). Programs that must miss nothing read `/v1/official/changes`.',
      ok: {
        description: "The feed.",
        mime: ATOM,
        schema: Type.String({ description: "An Atom document (RFC 4287).", examples: [EXAMPLE] }),
      },
    },
  );
