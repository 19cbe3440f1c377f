/** GET /v1/official/…: tables of authorities, their publications in every version, and what has changed. */

import { Failure } from "#domain/faults/errors.ts";
import { type Meter, ONE_CALL } from "#http/request/metering.ts";
import { dateOf, integerOf, type Query, queryOf } from "#http/request/query.ts";
import type { Params, Route } from "#http/request/route.ts";
import type { ComputeTurns } from "#http/response/compute-turns.ts";
import { pathOf } from "#http/response/failures.ts";
import { changesQuestion, DEFAULT_CHANGES, MOST_CHANGES, officialChanges } from "#official/changes.ts";
import { findTable } from "#official/find-table.ts";
import type { OfficialDeps } from "#official/official-deps.ts";
import { officialPublication, type PublicationQuestion } from "#official/publication.ts";
import {
  DEFAULT_PUBLICATIONS,
  MOST_PUBLICATIONS,
  officialPublications,
  publicationsQuestion,
} from "#official/publications.ts";
import { officialTables } from "#official/tables.ts";
import { parseInstant } from "#rates/as-of.ts";
import { ALWAYS_ASKED, type AnswerDeps, sendTagged } from "./answer.ts";

export interface OfficialRouteDeps extends AnswerDeps {
  readonly meter: Meter;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
  /** Null where official tables are switched off. */
  readonly official: OfficialDeps | null;
}

/** What a request asks, once its syntax is right. */
type Read = (official: OfficialDeps, query: Query, params: Params, path: string) => () => Promise<object>;

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
      // The history of plans is that of rates: docs/contract.md says why publications have no limit of age.
      return deps.meter.run(request, ONE_CALL, () =>
        deps.turns.slot(deps.callerOf(request), async () =>
          sendTagged(request, deps, await answer(), ALWAYS_ASKED),
        ),
      );
    },
  });
  return [
    route("/v1/official", (tables) => () => officialTables(tables)),
    route("/v1/official/changes", readChanges),
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
  const question = changesQuestion(official, {
    since: since === undefined ? null : parseInstant("since", since),
    country: query("country") ?? null,
    type: query("type") ?? null,
    limit: integerOf(query, "limit", 1, MOST_CHANGES, DEFAULT_CHANGES),
    cursor: query("cursor") ?? null,
  });
  return () => officialChanges(official, question);
};

const readPublications: Read = (official, query, params) => {
  const [from, to] = [query("from"), query("to")];
  const question = publicationsQuestion(official, {
    ...tableOf(params),
    from: from === undefined ? null : dateOf(from),
    to: to === undefined ? null : dateOf(to),
    limit: integerOf(query, "limit", 1, MOST_PUBLICATIONS, DEFAULT_PUBLICATIONS),
    cursor: query("cursor") ?? null,
  });
  return () => officialPublications(official, question);
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

function readOne(official: OfficialDeps, params: Params, wanted: PublicationQuestion["wanted"]) {
  const { country, type } = tableOf(params);
  const offered = findTable(official, country, type);
  return () => officialPublication(official, { offered, type, wanted });
}

function tableOf(params: Params): { readonly country: string; readonly type: string } {
  return { country: params["country"] ?? "", type: params["type"] ?? "" };
}

/** Null: the newest. Failure `invalid_request`. */
function versionOf(query: Query): number | null {
  const most = 999_999;
  return query("version") === undefined ? null : integerOf(query, "version", 1, most, 1);
}
