/** One union of everything worth telling an operator; a sink turns it into log lines (and, later, metrics). */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { redact } from "#domain/net/redact.ts";
import type { OfficialDoubtRule } from "#domain/official/doubts.ts";
import type { Instant } from "#domain/time/day.ts";

export type Happening =
  | { readonly kind: "server_started"; readonly url: string; readonly mode: string; readonly version: string }
  | { readonly kind: "server_stopping"; readonly signal: string }
  | {
      readonly kind: "history_built";
      readonly version: string;
      readonly observations: number;
      readonly milliseconds: number;
    }
  | {
      readonly kind: "collected";
      readonly source: DailySource;
      readonly route: string;
      readonly accepted: number;
      readonly revised: number;
      readonly held: number;
      readonly withdrawn: number;
      readonly milliseconds: number;
    }
  | { readonly kind: "nothing_new"; readonly source: DailySource; readonly outcome: string }
  | {
      readonly kind: "route_failed";
      readonly source: DailySource;
      readonly route: string;
      readonly fault: string;
      readonly detail: string;
    }
  | { readonly kind: "source_failed"; readonly source: DailySource; readonly detail: string }
  | {
      readonly kind: "figure_held";
      readonly source: DailySource;
      readonly figure: string;
      readonly rule: string;
      readonly reason: string;
    }
  | {
      readonly kind: "figure_released";
      readonly source: DailySource;
      readonly figure: string;
      readonly by: string;
    }
  | { readonly kind: "lake_repaired"; readonly detail: string }
  /** A file of the lake is not what its log says. */
  | { readonly kind: "lake_damaged"; readonly detail: string }
  | {
      readonly kind: "request_failed";
      readonly requestId: string;
      readonly path: string;
      readonly error: string;
    }
  | {
      readonly kind: "quotes_collected";
      readonly feed: FeedId;
      readonly shown: number;
      readonly refused: number;
    }
  | { readonly kind: "feed_failed"; readonly feed: FeedId; readonly fault: string; readonly detail: string }
  | {
      readonly kind: "feed_switched";
      readonly currency: CurrencyCode;
      readonly from: FeedId | null;
      readonly to: FeedId;
      readonly reason: string;
    }
  | {
      readonly kind: "quote_held";
      readonly feed: FeedId;
      readonly pair: string;
      readonly rule: string;
      readonly reason: string;
    }
  | {
      /** An operator has released a live quote; reported by each server when it notices. */
      readonly kind: "quote_released";
      readonly feed: FeedId;
      readonly currency: CurrencyCode;
      readonly price: string;
    }
  | {
      readonly kind: "official_collected";
      /** Id of an official table. */
      readonly table: string;
      readonly published: number;
      readonly corrected: number;
      readonly milliseconds: number;
    }
  | { readonly kind: "official_nothing_new"; readonly table: string; readonly outcome: string }
  | {
      readonly kind: "official_route_failed";
      readonly table: string;
      readonly route: string;
      readonly fault: string;
      readonly detail: string;
    }
  | { readonly kind: "official_failed"; readonly table: string; readonly detail: string }
  | {
      readonly kind: "official_held" | "official_doubted";
      readonly table: string;
      readonly publication: string;
      readonly rule: OfficialDoubtRule;
      readonly reason: string;
    }
  | { readonly kind: "official_released"; readonly table: string; readonly publication: string }
  | {
      /** A ledger was made beside a lake that has data, or because --new-ledger asked for it (`asked`). */
      readonly kind: "ledger_begun";
      readonly ledger: string;
      readonly asked: boolean;
    }
  | { readonly kind: "ledger_damaged"; readonly detail: string }
  | {
      readonly kind: "publication_damaged";
      /** Id of an official table. */
      readonly table: string;
      readonly publication: string;
      readonly version: number;
      readonly detail: string;
    }
  | { readonly kind: "export_failed"; readonly identity: string; readonly error: string }
  | { readonly kind: "job_failed"; readonly job: string; readonly error: string }
  | { readonly kind: "notice"; readonly text: string };

export type Tell = (happening: Happening) => void;

const LOUD = new Set<Happening["kind"]>([
  "route_failed",
  "source_failed",
  "figure_held",
  "lake_repaired",
  "lake_damaged",
  "ledger_begun",
  "ledger_damaged",
  "publication_damaged",
  "request_failed",
  "export_failed",
  "feed_failed",
  "feed_switched",
  "quote_held",
  "official_route_failed",
  "official_failed",
  "official_held",
  "official_doubted",
  "job_failed",
]);

/** One JSON object a line, with the time and a level, without secrets; `write` gets the line without its end. */
export function jsonLines(now: () => Instant, write: (line: string) => void): Tell {
  return (happening) => {
    const level = isLoud(happening) ? "warn" : "info";
    const { kind, ...facts } = happening;
    // Whoever tells something may have been told a secret.
    const safe = (_: string, fact: unknown) => (typeof fact === "string" ? redact(fact) : fact);
    write(JSON.stringify({ time: new Date(now()).toISOString(), level, event: kind, ...facts }, safe));
  };
}

function isLoud(happening: Happening): boolean {
  // At a start every currency gets its feed: that is no change.
  if (happening.kind === "feed_switched") return happening.reason !== "first";
  return LOUD.has(happening.kind);
}
