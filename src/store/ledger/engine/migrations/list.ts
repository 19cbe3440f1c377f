/** The migrations of this release, in order; a file that was released is never edited again. */

import accounts from "./0001-accounts.sql" with { type: "text" };
import officialAndWebhooks from "./0002-official-and-webhooks.sql" with { type: "text" };
import publicationDigests from "./0003-publication-digests.sql" with { type: "text" };
import deliveryWorkers from "./0004-delivery-workers.sql" with { type: "text" };
import carriedUsage from "./0005-carried-usage.sql" with { type: "text" };
import overPlan from "./0006-over-plan.sql" with { type: "text" };
import dashboard from "./0007-dashboard.sql" with { type: "text" };

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "0001-accounts", text: accounts },
  { number: 2, name: "0002-official-and-webhooks", text: officialAndWebhooks },
  { number: 3, name: "0003-publication-digests", text: publicationDigests },
  { number: 4, name: "0004-delivery-workers", text: deliveryWorkers },
  { number: 5, name: "0005-carried-usage", text: carriedUsage },
  { number: 6, name: "0006-over-plan", text: overPlan },
  { number: 7, name: "0007-dashboard", text: dashboard },
];
