/** GET /v1/official/…: tables of authorities, their publications in every version, and what has changed. */

import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { pathOf } from "#api/response/failures.ts";
import { type JsonDeps, respondTagged } from "#api/response/json.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { respondText } from "#api/response/respond.ts";
import { changesBody } from "#contract/official/changes.ts";
import { ATOM, changesFeed } from "#contract/official/feed.ts";
import { tablesBody } from "#contract/official/official.ts";
import { publicationBody, publicationsBody } from "#contract/official/publications.ts";
import { Failure } from "#domain/faults/errors.ts";
import {
  DEFAULT_CHANGES,
  MOST_CHANGES,
  MOST_ENTRIES,
  officialChanges,
  officialFeed,
  planChanges,
  planFeed,
} from "#official/changes.ts";
import type { OfficialDeps } from "#official/deps.ts";
import {
  DEFAULT_PUBLICATIONS,
  MOST_PUBLICATIONS,
  officialPublication,
  officialPublications,
  type PublicationLookup,
  planPublications,
} from "#official/publications.ts";
import { findTable, officialTables } from "#official/tables.ts";
import { dateOf, integerOf, parseInstant, type Query, textOf } from "#rates/parameters.ts";

export interface OfficialRouteDeps extends JsonDeps {
  readonly large: LargeBodies;
  readonly meter: Meter;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
  /** Origin of the links in the feed. */
  readonly publicUrl: string;
  /** Null where official tables are switched off. */
  readonly official: OfficialDeps | null;
}

/** Reads the query of a request; what it returns makes the body: an object for JSON, the text of a feed. */
type Read = (
  official: OfficialDeps,
  query: Query,
  params: Params,
  path: string,
) => () => Promise<object | string>;

/** A webhook may just have announced what is requested: no cache may answer with its copy unconfirmed. */
const REVALIDATED = "public, no-cache";
const FEED = { mime: `${ATOM}; charset=utf-8`, cacheControl: REVALIDATED };

const TABLE = "/v1/official/:country/:type/publications";

export function officialRoutes(deps: OfficialRouteDeps): Route[] {
  const { official } = deps;
  const route = (path: string, read: Read): Route => ({
    method: "GET",
    path,
    isMetered: true,
    handle: (request, params) => {
      if (official === null) throw switchedOff();
      const answer = read(official, queryOf(request), params, pathOf(request.url));
      // The history of plans is that of rates: docs/contract.md has the reason why publications have no limit of age.
      return deps.meter.run(request, ONE_CALL, () =>
        deps.turns.slot(deps.callerOf(request), async () => {
          const body = await answer();
          return typeof body === "string"
            ? respondText(request, deps, FEED, body)
            : respondTagged(request, deps, REVALIDATED, body);
        }),
      );
    },
  });
  return [
    route("/v1/official", (tables) => async () => tablesBody(await officialTables(tables))),
    route("/v1/official/changes", readChanges),
    route("/v1/official/changes.atom", readFeed(deps.publicUrl)),
    route(TABLE, readPublications),
    route(`${TABLE}/latest`, readLatest),
    route(`${TABLE}/:publication_id`, readPublication),
  ];
}

function switchedOff(): Failure {
  return new Failure("source_unavailable", {
    reason: "this server collects no official publications: its operator can set OFFICIAL_TABLES",
  });
}

const readChanges: Read = (official, query) => {
  const since = query("since");
  const planned = planChanges(official, {
    since: since === undefined ? null : parseInstant("since", since),
    country: textOf(query, "country"),
    type: textOf(query, "type"),
    limit: integerOf(query, "limit", 1, MOST_CHANGES, DEFAULT_CHANGES),
    cursor: textOf(query, "cursor"),
  });
  return async () => changesBody(await officialChanges(official, planned));
};

function readFeed(publicUrl: string): Read {
  return (official, query) => {
    const planned = planFeed(official, {
      country: textOf(query, "country"),
      type: textOf(query, "type"),
      limit: integerOf(query, "limit", 1, MOST_ENTRIES, MOST_ENTRIES),
      cursor: textOf(query, "cursor"),
    });
    return async () => changesFeed(await officialFeed(official, planned), publicUrl);
  };
}

const readPublications: Read = (official, query, params) => {
  const [from, to] = [query("from"), query("to")];
  const planned = planPublications(official, {
    ...tableOf(params),
    from: from === undefined ? null : dateOf(from),
    to: to === undefined ? null : dateOf(to),
    limit: integerOf(query, "limit", 1, MOST_PUBLICATIONS, DEFAULT_PUBLICATIONS),
    cursor: textOf(query, "cursor"),
  });
  return async () => publicationsBody(await officialPublications(official, planned));
};

const readLatest: Read = (official, query, params) => {
  const validOn = query("valid_on");
  const wanted =
    validOn === undefined ? ({ by: "newest" } as const) : ({ by: "day", day: dateOf(validOn) } as const);
  return readOne(official, params, wanted);
};

/** As `publicationId` makes them. */
const PUBLICATION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const readPublication: Read = (official, query, params, path) => {
  const publication = params["publication_id"] ?? "";
  if (!PUBLICATION.test(publication)) throw new Failure("not_found", { path });
  return readOne(official, params, { by: "name", publication, version: versionOf(query) });
};

function readOne(official: OfficialDeps, params: Params, wanted: PublicationLookup["wanted"]) {
  const { country, type } = tableOf(params);
  const offered = findTable(official, country, type);
  return async () => publicationBody(await officialPublication(official, { offered, type, wanted }));
}

function tableOf(params: Params): { readonly country: string; readonly type: string } {
  return { country: params["country"] ?? "", type: params["type"] ?? "" };
}

/** Null: the newest. Failure `invalid_request`. */
function versionOf(query: Query): number | null {
  const most = 999_999;
  return query("version") === undefined ? null : integerOf(query, "version", 1, most, 1);
}
