/** The operator's first page: traffic, failing deliveries, and collections with a button to start each. */

import { Elysia } from "elysia";
import { Failure } from "#domain/faults/errors.ts";
import { dayAt } from "#domain/time/day.ts";
import type { CollectionReview } from "#ports.ts";
import { type OverviewProps, overviewPage } from "#web/operator/overview.tsx";
import type { OperatorTools } from "./accounts.ts";
import { document, refusalOf, seeOther } from "./respond.ts";

const DAYS = 7;
const MOST_FAILING = 50;
const STARTED = "The collection has started. Reload the page to see its result.";

interface Deps {
  readonly tools: OperatorTools;
  readonly collections: CollectionReview;
}

export const overview = (deps: Deps) => {
  const { tools, collections } = deps;
  return new Elysia({ name: "overview", prefix: "/operator/overview" })
    .get("", async ({ query: { done } }) => await show(deps, { notice: done === "started" ? STARTED : null }))
    .post("/collect", async ({ body }) => {
      const id = (body as URLSearchParams).get("source") ?? "";
      try {
        if (!(await collections.list()).some((report) => report.id === id))
          throw new Failure("not_found", { wording: "there is no source {id}", id });
        if (!collections.start(id))
          throw new Failure("conflict", { reason: "this process does not collect; ask the one that does" });
        await tools.ledger.audit.append(
          { action: "operator.note", subject: `source:${id}`, detail: { decision: "collect" } },
          tools.by(),
        );
        return seeOther("/operator/overview?done=started");
      } catch (thrown) {
        return await show(deps, refusalOf(thrown));
      }
    });
};

type Shown = Partial<Pick<OverviewProps, "notice" | "refusal">> & { readonly status?: number };

async function show(
  { tools, collections }: Deps,
  { notice = null, refusal = null, status = 200 }: Shown,
): Promise<Response> {
  const { ledger, clock } = tools;
  const today = dayAt(clock.now());
  const [days, endpoints, reports] = await Promise.all([
    ledger.usage.totals(today - DAYS + 1, today),
    ledger.outbox.failing(MOST_FAILING),
    collections.list(),
  ]);
  const failing = await Promise.all(
    endpoints.map(async (endpoint) => ({
      ...endpoint,
      owner: (await ledger.identities.byId(endpoint.ownerId))?.email ?? endpoint.ownerId,
    })),
  );
  return document(overviewPage({ today, shown: DAYS, days, failing, reports, notice, refusal }), status);
}
