/** The figures of an explained rate, as published or delivered: document, times, and earlier values. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { RateLeg } from "#domain/explain/explanation.ts";
import { FEEDS, type FeedId } from "#domain/live/live-quote.ts";
import { type ExactNumber, exactNumber } from "#domain/net/exact-json.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";

const DOCUMENT_EXAMPLE = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml";
const SHA256 = "^[0-9a-f]{64}$";

const ExplainedRevision = form.named("ExplainedRevision", "A value that a figure had before.", {
  revision: form.count("Number of the revision; the one in force has a higher one.", 1, 1),
  value: Type.Number({ description: "What it was, with the digits as published.", examples: [1.1671] }),
  published_at: form.instantOrNull(
    "When the authority published it, UTC; null where no document says.",
    null,
  ),
  retrieved_at: form.instant("When this server retrieved it, UTC.", "2026-04-10T14:01:00Z"),
  superseded_at: form.instant("When the document that ended it was retrieved, UTC.", "2026-04-13T14:01:00Z"),
  why: form.oneOf(["revised", "withdrawn"], "How it ended."),
  document: form.text("Address of the document that it was read from.", DOCUMENT_EXAMPLE, { format: "uri" }),
  document_sha256: form.text("SHA-256 of that document, in hex.", "3f".repeat(32), { pattern: SHA256 }),
});

export const ExplainedLeg = form.named("ExplainedLeg", "A figure that a rate is made of.", {
  operation: form.oneOf<"multiply" | "divide">(
    ["multiply", "divide"],
    "What the figure does in the computation.",
    "divide",
  ),
  base: form.meaning(field.CurrencyCodeModel, "1 unit of this currency …", "EUR"),
  quote: form.meaning(field.CurrencyCodeModel, "… is `value` units of this one.", "USD"),
  value: Type.Number({
    minimum: 0,
    description: "The figure with the digits as published, in the direction as published.",
    examples: [1.1671],
  }),
  error: Type.Number({
    minimum: 0,
    description:
      "By how much the figure may be off, in units of `quote`: half a unit of its last digit that counts, or half its spread. `derivation_bps_max` is made of these.",
    examples: [0.00005],
  }),
  source: field.source,
  simulated: Type.Optional(
    Type.Literal(true, { description: "Only in the demo: the figure is made up. Absent where it is real." }),
  ),
  authority: form.text("Who publishes it, or delivers the quote.", "European Central Bank"),
  terms: form.text(
    "Attribution and terms; to be passed on with the figure.",
    "Source: European Central Bank, euro foreign exchange reference rates.",
  ),
  date: form.dayOrNull("Day of the observation; null for a quote.", "2026-04-10"),
  observed_at: form.instant("Instant that the figure describes, UTC.", "2026-04-10T12:15:00Z"),
  published_at: form.instantOrNull(
    "When the authority published it, UTC; null where no document says, and for a quote.",
    null,
  ),
  retrieved_at: form.instant("When this server retrieved it, UTC.", "2026-04-10T14:01:00Z"),
  document: form.textOrNull(
    "Address of the document that it was read from; null for a quote, and while the file of the lake that names it is damaged.",
    DOCUMENT_EXAMPLE,
  ),
  document_sha256: form.textOrNull("SHA-256 of that document, in hex.", "3f".repeat(32)),
  revision: form.nullable<number>("integer", {
    minimum: 1,
    description: "1 for the first value of the figure, one more for each change; null for a quote.",
    examples: [1],
  }),
  revisions: form.list(
    ExplainedRevision,
    "The values that the figure had before, the oldest first; empty where it was never corrected.",
    [],
  ),
  feed: form.oneOfOrNull<FeedId>(
    "ExplainedFeed",
    FEEDS,
    "Who delivered the quote; null for a daily figure.",
    "coinbase",
  ),
  bid: form.nullable<number>("number", {
    minimum: 0,
    description: "Bid of the quote; null where the feed has one price only, and for a daily figure.",
    examples: [0.85581],
  }),
  ask: form.nullable<number>("number", {
    minimum: 0,
    description: "The same for the ask.",
    examples: [0.85589],
  }),
});

export function legBody(leg: RateLeg) {
  const { base, quote, printed, error, source, authority, terms, multiplies } = leg;
  const daily = leg.kind === "daily" ? leg : null;
  const live = leg.kind === "live" ? leg : null;
  return {
    operation: multiplies ? ("multiply" as const) : ("divide" as const),
    base,
    quote,
    value: exactNumber(printed),
    error,
    source,
    ...(leg.simulated ? { simulated: true as const } : {}),
    authority,
    terms,
    date: daily === null ? null : formatDay(daily.date),
    observed_at: formatInstant(leg.observedAt),
    published_at: instantOrNull(daily?.publishedAt ?? null),
    retrieved_at: formatInstant(leg.retrievedAt),
    document: daily?.document?.document ?? null,
    document_sha256: daily?.document?.documentSha256 ?? null,
    revision: daily?.revision ?? null,
    revisions: (daily?.earlier ?? []).map((old) => ({
      revision: old.revision,
      value: exactNumber(old.printed),
      published_at: instantOrNull(old.publishedAt),
      retrieved_at: formatInstant(old.retrievedAt),
      superseded_at: formatInstant(old.supersededAt),
      why: old.why,
      document: old.document,
      document_sha256: old.documentSha256,
    })),
    feed: live?.feed ?? null,
    bid: digitsOrNull(live?.bid ?? null),
    ask: digitsOrNull(live?.ask ?? null),
  } satisfies Body<typeof ExplainedLeg>;
}

function instantOrNull(instant: number | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

function digitsOrNull(text: string | null): ExactNumber | null {
  return text === null ? null : exactNumber(text);
}
