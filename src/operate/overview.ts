/** The operator's first page: traffic, failing deliveries, and collections with a button to start each. */

import { Elysia } from "elysia";
import { Failure } from "#domain/faults/errors.ts";
import { dayAt } from "#domain/time/day.ts";
import type { CollectionReview } from "#ports.ts";
import type { Said } from "#web/operator/frame.tsx";
import { overviewPage } from "#web/operator/overview.tsx";
import type { OperatorTools } from "./accounts.ts";
import { pageWithForms, seeOther } from "./respond.ts";

const DAYS = 7;
const MOST_FAILING = 50;
const DONE = { started: "The collection has started. Reload the page to see its result." };

interface Deps {
  readonly tools: OperatorTools;
  readonly collections: CollectionReview;
}

export const overview = (deps: Deps) => {
  const { tools, collections } = deps;
  const { view, form } = pageWithForms((said) => overviewOf(deps, said), DONE);
  const collect = form(async (fields) => {
    const id = fields.get("source") ?? "";
    if (!(await collections.list()).some((report) => report.id === id))
      throw new Failure("not_found", { wording: "there is no source {id}", id });
    if (!collections.start(id))
      throw new Failure("conflict", { reason: "this process does not collect; ask the one that does" });
    await tools.ledger.audit.append(
      { action: "operator.note", subject: `source:${id}`, detail: { decision: "collect" } },
      tools.by(),
    );
    return seeOther("/operator/overview?done=started");
  });
  return new Elysia({ name: "overview", prefix: "/operator/overview" })
    .get("", view)
    .post("/collect", collect);
};

async function overviewOf({ tools, collections }: Deps, said: Said): Promise<string> {
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
  return overviewPage({ today, shown: DAYS, days, failing, reports, ...said });
}
