/** An authority over real HTTP, in a format of its own; its adapter; and collecting from it into a real ledger. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Window } from "#domain/intake/reading.ts";
import { orderedRows } from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { type Day, formatDay, parseDay, yearOf } from "#domain/time/day.ts";
import { createOfficialCollector } from "#ingest/official/collect.ts";
import type { OfficialIngestDeps } from "#ingest/official/gather.ts";
import { readNote } from "#ingest/official/notes.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import type { Route, UpstreamDocument } from "#ports/upstream.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { newId } from "#test/store/ledger/ledgers.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** A Friday, noon in Prague. */
export const FRIDAY = Date.parse("2026-11-20T11:00:00Z");
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const day = (text: string) => parseDay(text) as Day;

export const TABLE: OfficialTable = {
  id: "tst_daily",
  country: "CZE",
  types: ["daily"],
  title: "Rates of the tests",
  authority: "An authority",
  homepage: "https://authority.example/",
  terms: "Source: an authority, reproduced as published.",
  cadence: "daily",
  zone: "Europe/Prague",
  currency: "CZK",
};

/** Rates by currency, of publications by their day. */
export type Published = Record<string, Readonly<Record<string, string>>>;

export interface Authority {
  published: Published;
  /** What a route answers instead of its document; by the route's name. */
  faults: Partial<Record<"list" | "second" | "by day", () => Response>>;
  /** Put between and around the lines of a document. */
  space: string;
  /** Paths requested, with the status that was answered. */
  readonly requests: string[];
  readonly base: string;
}

function openAuthority(published: Published): Authority {
  const { url: base } = listen((request) => answer(authority, request));
  const authority: Authority = { published: { ...published }, faults: {}, space: "", requests: [], base };
  return authority;
}

function answer(authority: Authority, request: Request): Response {
  const { pathname } = new URL(request.url);
  const [, , route = "", which = ""] = decodeURIComponent(pathname).split("/");
  const say = (response: Response) => {
    authority.requests.push(`${route}/${which} ${response.status}`);
    return response;
  };
  const fault = authority.faults[route as "list"];
  if (fault !== undefined) return say(fault());
  const isYear = route === "by year";
  const all = Object.keys(authority.published);
  const days = which === "" ? all : isYear ? all.filter((name) => name.startsWith(which)) : [which];
  const lines = days.flatMap((name) => {
    const rates = authority.published[name];
    return rates === undefined ? [] : [`${name};${Object.entries(rates).join("|")}`];
  });
  if (which !== "" && lines.length === 0) return say(new Response("no such day", { status: 404 }));
  const text = `AUTHORITY${authority.space}\n${lines.join(`\n${authority.space}`)}`;
  const etag = `"${Bun.hash(text)}"`;
  if (request.headers.get("if-none-match") === etag) return say(new Response(null, { status: 304 }));
  return say(new Response(text, { headers: { etag } }));
}

/** Lines `2026-11-20;EUR,24.100|USD,20.9`, after a first one that says whose they are. */
function parse(document: UpstreamDocument, { from, to }: Window) {
  const [head, ...lines] = new TextDecoder().decode(document.bytes).split("\n");
  if (head?.trim() !== "AUTHORITY") throw new BrokenDocument("not of the authority");
  const publications = lines
    .filter((line) => line.trim() !== "")
    .map((line): OfficialReading => {
      const [name = "", rates = ""] = line.trim().split(";");
      const rows = rates.split("|").map((rate) => {
        const [base = "", digits = ""] = rate.split(",");
        return { base, quote: "CZK", rate: digits, unit: 1, kind: "mid" as const };
      });
      return {
        publication: name,
        validFrom: day(name),
        validTo: null,
        publishedAt: null,
        rows: orderedRows(rows),
      };
    })
    .filter(({ validFrom }) => validFrom >= from && validFrom <= to);
  if (publications.length > 0) return { outcome: "publications", publications } as const;
  return { outcome: "empty", reason: "nothing was published" } as const;
}

const requestOf = (path: string) => ({
  url: `https://authority.example/${path}`,
  accept: "text/plain",
  maxBytes: 1024 * 1024,
  timeoutSeconds: 5,
});

/** Two routes to one list. */
export const LISTS: OfficialAdapter = {
  ...TABLE,
  routes: () => [
    { name: "list", requests: [requestOf("list")], parse },
    { name: "second", requests: [requestOf("second")], parse },
  ],
};

/** One route, as most authorities have. */
export const ALONE: OfficialAdapter = {
  ...TABLE,
  routes: () => [{ name: "list", requests: [requestOf("list")], parse }],
};

/** A document for every working day. */
export const BY_DAY: OfficialAdapter = {
  ...TABLE,
  routes: ({ from, to, reach }) => {
    const began = Math.max(from, day("2024-06-03"));
    const length = Math.max(0, to - began + 1);
    const days = Array.from({ length }, (_, nth) => began + nth);
    const requests = days.map((one) => requestOf(`by day/${formatDay(one)}`));
    const dated: Route<OfficialParsed> = { name: "by day", requests, mayBeAbsent: true, parse };
    return reach === "latest" ? [{ name: "list", requests: [requestOf("list")], parse }, dated] : [dated];
  },
};

/** A document for every year, from 2020 on. */
export const BY_YEAR: OfficialAdapter = {
  ...TABLE,
  routes: ({ from, to }) => {
    const [first, last] = [Math.max(yearOf(from), 2020), yearOf(to)];
    const years = Array.from({ length: Math.max(0, last - first + 1) }, (_, nth) => first + nth);
    return [{ name: "years", requests: years.map((year) => requestOf(`by year/${year}`)), parse }];
  },
};

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** `base`: another server to query than the authority's. */
export async function openBench(
  published: Published,
  table: OfficialAdapter = LISTS,
  base: string | null = null,
) {
  const emitted: TelemetryEvent[] = [];
  let now = FRIDAY;
  const clock = { now: () => now };
  const emit = (event: TelemetryEvent) => void emitted.push(event);
  const ledger = await openLedger({ directory: temporaryDirectory() }, { emit, newId, clock });
  atEnd(() => ledger.close());
  const authority = openAuthority(published);
  const bench = {
    ledger,
    authority,
    emitted,
    get now() {
      return now;
    },
    set now(instant) {
      now = instant;
    },
    /** A process of its own on the same ledger: it remembers nothing. */
    process: (more: Partial<OfficialIngestDeps> = {}) => {
      const clients = new Map<string, ReturnType<typeof openUpstream>>();
      const open = () =>
        openUpstream({ clock, base: base ?? authority.base, userAgent: "test", attempts: 1 });
      return createOfficialCollector({
        tables: [table],
        upstreamFor: (reach) => {
          const client = clients.get(reach) ?? open();
          clients.set(reach, client);
          return client;
        },
        forget: () => clients.clear(),
        publications: ledger.publications,
        outbox: ledger.outbox,
        notes: ledger.installation,
        clock,
        emit,
        pause: async () => {},
        closing: new AbortController().signal,
        ...more,
      });
    },
    /** `evt_… type` of every event, in the order of commits. */
    events: async () => {
      const changes = await ledger.outbox.changes({ after: null, since: null, tables: null, limit: 1000 });
      return changes.map(({ id, type }) => `${id} ${type}`);
    },
    /** The newest version of a publication, as `v2 EUR 24.100, USD 20.9`. */
    newest: async (publication: string) => {
      const found = await ledger.publications.find(table.id, publication, null);
      if (found === null) return null;
      return `v${found.version} ${found.rows.map(({ base, rate }) => `${base} ${rate}`).join(", ")}`;
    },
    /** Collects an hour later; resolves with what is held, by which rules, and with the events that were made. */
    again: async (reach: "recent" | "history" = "recent") => {
      const before = (await bench.events()).length;
      now += HOUR;
      const { held } = await bench.process().collect(table.id, reach);
      const note = await readNote({ notes: ledger.installation }, table.id);
      const rules = new Set<string | undefined>(held.map((publication) => note.held[publication]?.rule));
      return { held, rules: [...rules], events: (await bench.events()).slice(before) };
    },
  };
  return bench;
}
