/** What stops when a plan changes to a smaller one. */

import type { Plan } from "#domain/billing/plan.ts";
import { counted, grouped } from "#web/dashboard/words.ts";

/** In sentences; `endpoints` is how many webhook endpoints there are. */
export function lossesOf(from: Plan, to: Plan, endpoints: number): readonly string[] {
  const losses = [`Calls beyond ${grouped(to.month)} a month or ${grouped(to.minute)} a minute are refused.`];
  if (to.history_days !== from.history_days)
    losses.push(`Rates older than ${historyText(to.history_days)} are refused.`);
  if (to.live_delay_minutes > from.live_delay_minutes)
    losses.push(`Live rates are ${counted(to.live_delay_minutes, "minute")} late.`);
  if (to.webhooks < from.webhooks) {
    const stopped = Math.max(0, endpoints - to.webhooks);
    const room =
      to.webhooks === 0
        ? "It has no webhook endpoints"
        : `It has room for ${counted(to.webhooks, "webhook endpoint")}`;
    const which = stopped === endpoints ? "yours" : `${stopped} of your ${endpoints}`;
    losses.push(stopped === 0 ? `${room}.` : `${room}: nothing is sent to ${which} any more.`);
  }
  return losses;
}

/** How far back a plan shows rates. */
export function historyText(days: number | null): string {
  return days === null ? "since 1999" : `${grouped(days)} days`;
}
