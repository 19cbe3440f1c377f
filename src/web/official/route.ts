/** GET /official, /official/{country}/{type}, and one publication of it: pages of official publications. */

import { Elysia } from "elysia";
import { formOf } from "#api/request/query.ts";
import { pathOf } from "#api/response/failures.ts";
import { Failure } from "#domain/faults/errors.ts";
import { withEnds } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { officialFeed } from "#official/changes.ts";
import {
  fromLedger,
  heldDays,
  heldNote,
  type OfferedTable,
  type OfficialDeps,
  unreadNote,
} from "#official/deps.ts";
import { nextBegins, officialPublications, officialRevisions } from "#official/publications.ts";
import { findTable, officialOverview } from "#official/tables.ts";
import type { Clock } from "#ports.ts";
import type { PageParts } from "#web/page-data.ts";
import { openConverter } from "./converter.tsx";
import { overviewPage } from "./overview.tsx";
import { publicationPage } from "./publication.tsx";
import { inForceOn, tablePage } from "./table.tsx";
import { publicationPath, tablePath } from "./words.tsx";

interface OfficialPageDeps extends PageParts {
  readonly clock: Clock;
  /** Null where official tables are switched off. */
  readonly official: OfficialDeps | null;
}

const CHANGES_SHOWN = 50;
const PUBLICATIONS_SHOWN = 30;
const VERSIONS_SHOWN = 20;

export const officialPages = ({ official, clock, frame, admit }: OfficialPageDeps) => {
  const offeredTable = (request: Request, { country, type }: Record<"country" | "type", string>) => {
    if (official === null) throw new Failure("not_found", { path: pathOf(request.url) });
    const offered = findTable(official, country, type);
    return { official, offered, path: tablePath(offered.table) };
  };
  return new Elysia({ name: "official pages" })
    .get("/official", async ({ request }) => {
      admit(request);
      const site = await frame.site(request);
      const [tables, changes] = official === null ? [null, []] : await overviewOf(official);
      return frame.page(request, overviewPage({ site, now: clock.now(), tables, changes }));
    })
    .get("/official/:country/:type", async ({ request, params }) => {
      admit(request);
      const { official, offered, path } = offeredTable(request, params);
      if (pathOf(request.url) !== path) return frame.moved(request, path);
      const form = formOf(request);
      const cursor = form("cursor") ?? null;
      const page = await pageOf(official, offered, cursor);
      const isFirst = cursor === null;
      const today = dayInZone(offered.table.zone, clock.now());
      const inForce = isFirst
        ? (inForceOn(offered.table, page.publications, today) ?? page.publications[0])
        : undefined;
      const converter =
        inForce === undefined ? null : await openConverter(official, offered, inForce.rows, form);
      const { missing, table } = offered;
      const unread = await fromLedger(async () => {
        const held = isFirst ? await heldNote(official, table.id, page.publications[0] ?? null) : null;
        return held ?? (await unreadNote(official, table, today, inForce?.validTo));
      });
      const site = await frame.site(request);
      return frame.page(
        request,
        tablePage({ ...page, site, missing, unread, isFirst, today, inForce, converter }),
      );
    })
    .get("/official/:country/:type/:publication", async ({ request, params }) => {
      admit(request);
      const { official, offered } = offeredTable(request, params);
      const { publication } = params;
      const { revisions, omitted } = await officialRevisions(official, offered, publication, VERSIONS_SHOWN);
      const path = publicationPath(offered.table, publication);
      if (pathOf(request.url) !== path) return frame.moved(request, path);
      const { table } = offered;
      const newest = revisions[0]?.version;
      const ends = newest === undefined ? null : await nextBegins(official, table, newest.validFrom);
      const site = await frame.site(request);
      const held = await fromLedger(() => heldDays(official, table.id));
      const shown = { site, table, revisions, omitted, nextBegins: ends, held };
      return frame.page(request, publicationPage(shown));
    });
};

async function overviewOf(official: OfficialDeps) {
  const filter = { country: null, type: null, limit: CHANGES_SHOWN, cursor: null };
  return await Promise.all([
    officialOverview(official),
    officialFeed(official, filter)().then(({ entries }) => entries),
  ]);
}

/** A table that is not collected has a page that says so. */
async function pageOf(official: OfficialDeps, { table, missing }: OfferedTable, cursor: string | null) {
  const [type = ""] = table.types;
  const query = { country: table.country, type, from: null, to: null, limit: PUBLICATIONS_SHOWN, cursor };
  const read = officialPublications(official, query);
  try {
    const page = await read();
    const held = await fromLedger(() => heldDays(official, table.id));
    return { ...page, publications: withEnds(table, page.publications, page.after?.validFrom ?? null, held) };
  } catch (thrown) {
    const isAbsent = thrown instanceof Failure && thrown.code === "source_unavailable" && missing !== null;
    if (!isAbsent) throw thrown;
    return { table, publications: [], nextCursor: null };
  }
}
