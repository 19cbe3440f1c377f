/** The site: the list of its pages, with the data that they load. */

import { type AnyElysia, Elysia } from "elysia";
import { openStreams, type StreamDeps, streamQuery } from "#api/stream/stream.ts";
import { firstCollection } from "#rates/status.ts";
import { crawlers } from "./crawlers.ts";
import { dashboardPages } from "./dashboard/pages.ts";
import { guidePages } from "./docs/route.ts";
import { llmsTexts } from "./docs/texts.ts";
import { type FrameDeps, openFrame } from "./frame.ts";
import { landing } from "./landing/page.tsx";
import { officialPages } from "./official/route.ts";
import { OWN_PAGES, openVisitors, type PageDataDeps } from "./page-data.ts";
import { pair } from "./pair/route.ts";
import { provenance } from "./provenance/provenance.tsx";
import { refusalPages } from "./refusals.tsx";
import { searchPages } from "./search/page.tsx";
import { statusPages } from "./status/route.ts";

type Site = Parameters<typeof landing>[0] &
  Parameters<typeof pair>[0] &
  Parameters<typeof officialPages>[0] &
  Parameters<typeof statusPages>[0] &
  Parameters<typeof crawlers>[0] &
  Parameters<typeof guidePages>[0] &
  Parameters<typeof searchPages>[0] &
  Parameters<typeof dashboardPages>[0];

export type SiteDeps = Omit<Site, "frame" | "admit"> & FrameDeps & PageDataDeps & StreamDeps;

/** Opens the site over the parts of the application. `refusalPage` is null where the refusal is for a program. */
export function openSite(given: SiteDeps): {
  readonly pages: AnyElysia;
  readonly refusalPage: ReturnType<typeof refusalPages>;
} {
  const frame = openFrame(given);
  const admit = openVisitors(given);
  const deps = { ...given, frame, admit };
  const streams = openStreams(given);
  /** Live rates are as late as for callers without a key. */
  const reader = { caller: null, delayMinutes: given.pageDelayMinutes, holds: () => true };
  const pages = new Elysia({ name: "pages" })
    .use(given.house)
    .use(landing(deps))
    .use(pair(deps))
    .use(provenance(deps))
    .use(officialPages(deps))
    .use(statusPages(deps))
    .use(crawlers(deps))
    .use(guidePages(deps))
    .use(searchPages(deps))
    .use(llmsTexts(deps))
    .guard(OWN_PAGES, (own) => own.use(dashboardPages(deps)))
    .get(
      "/site/stream",
      async ({ request, query }) => {
        admit(request);
        return streams(request, query, reader);
      },
      { wire: { isEndless: true, isCrossOrigin: false }, query: streamQuery },
    )
    .get("/site/:file", async ({ request, params: { file } }) => await frame.asset(request, file));
  return { pages, refusalPage: refusalPages(frame, () => firstCollection(given)) };
}
