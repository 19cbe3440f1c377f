/** GET /official, /official/{country}/{type}, and one publication of it: pages of official publications. */

import type { Static } from "@sinclair/typebox";
import type { OfficialEventModel } from "#api/official/changes.ts";
import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { formOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ChangeFeed } from "#domain/official/answers.ts";
import { officialFeed, planFeed } from "#official/changes.ts";
import type { OfferedTable, OfficialDeps } from "#official/deps.ts";
import { officialPublications, officialRevisions, planPublications } from "#official/publications.ts";
import { findTable, officialOverview } from "#official/tables.ts";
import type { Clock } from "#ports.ts";
import { type Change, overviewPage } from "#web/official/overview.tsx";
import { publicationPage } from "#web/official/publication.tsx";
import { tablePage } from "#web/official/table.tsx";
import { publicationPath, tablePath } from "#web/official/words.tsx";
import type { Frame } from "./frame.ts";

export interface OfficialPageDeps {
  readonly clock: Clock;
  /** Null where official tables are switched off. */
  readonly official: OfficialDeps | null;
}

const CHANGES_SHOWN = 50;
const PUBLICATIONS_SHOWN = 30;
const VERSIONS_SHOWN = 20;

export function officialPages({ official, clock }: OfficialPageDeps, frame: Frame, meter: Meter): Route[] {
  const overview = async (request: Request) => {
    const site = await frame.site(request);
    const [tables, changes] = official === null ? [null, []] : await overviewOf(official);
    return frame.page(request, overviewPage({ site, now: clock.now(), tables, changes }));
  };
  const found = (request: Request, { country = "", type = "" }: Params) => {
    if (official === null) throw new Failure("not_found", { path: pathOf(request.url) });
    const offered = findTable(official, country, type);
    return { official, offered, path: tablePath(offered.table) };
  };
  const table = async (request: Request, params: Params) => {
    const { official, offered, path } = found(request, params);
    if (pathOf(request.url) !== path) return frame.moved(request, path);
    const cursor = formOf(request)("cursor") ?? null;
    const page = await pageOf(official, offered, cursor);
    return frame.page(
      request,
      tablePage({
        ...page,
        site: await frame.site(request),
        missing: offered.missing,
        isFirst: cursor === null,
      }),
    );
  };
  const publication = async (request: Request, params: Params) => {
    const { official, offered } = found(request, params);
    const { publication: name = "" } = params;
    const { revisions, omitted } = await officialRevisions(official, offered, name, VERSIONS_SHOWN);
    const own = publicationPath(offered.table, name);
    if (pathOf(request.url) !== own) return frame.moved(request, own);
    const site = await frame.site(request);
    return frame.page(request, publicationPage({ site, table: offered.table, revisions, omitted }));
  };
  const metered = (path: string, handle: (request: Request, params: Params) => Promise<Response>): Route => ({
    method: "GET",
    path,
    handle: (request, params) => meter.run(request, ONE_CALL, () => handle(request, params)),
  });
  return [
    metered("/official", overview),
    metered("/official/:country/:type", table),
    metered("/official/:country/:type/:publication", publication),
  ];
}

async function overviewOf(official: OfficialDeps) {
  const wanted = { country: null, type: null, limit: CHANGES_SHOWN, cursor: null };
  const [tables, feed] = await Promise.all([
    officialOverview(official),
    officialFeed(official, planFeed(official, wanted)),
  ]);
  return [tables, feed.entries.map(changeOf)] as const;
}

function changeOf({ event, table }: ChangeFeed["entries"][number]): Change {
  const { data } = JSON.parse(event.body) as Static<typeof OfficialEventModel>;
  return { at: event.createdAt, publication: data.publication, version: data.version, table };
}

/** A table that is not collected has a page that says so. */
async function pageOf(official: OfficialDeps, { table, missing }: OfferedTable, cursor: string | null) {
  const [type = ""] = table.types;
  const query = { country: table.country, type, from: null, to: null, limit: PUBLICATIONS_SHOWN, cursor };
  const planned = planPublications(official, query);
  try {
    return await officialPublications(official, planned);
  } catch (thrown) {
    const isAbsent = thrown instanceof Failure && thrown.code === "source_unavailable" && missing !== null;
    if (!isAbsent) throw thrown;
    return { table, publications: [], nextCursor: null };
  }
}
