/** The operator's page of held figures and refused quotes. Each decision is in the audit log before it takes effect. */

import { type AdminTools, byOperator } from "#admin/request.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/rules.ts";
import type { AuditDetail } from "#domain/account/audit.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import { figuresPage } from "#web/operator/figures.tsx";
import { seenAs } from "#web/operator/publications.tsx";
import { document, seeOther } from "./respond.ts";

const DONE: Readonly<Record<string, string>> = {
  released: "Released: it is served within seconds.",
  discarded: "Discarded.",
  publications: "Noted: the next reading of the table follows it.",
  quote: "The quotes near this price are accepted until the next daily reference.",
};

export interface FiguresShown {
  readonly done?: string | null;
  readonly refusal?: string | null;
  readonly status?: number;
}

export async function showFigures(
  figures: FigureReview,
  { done = null, refusal = null, status }: FiguresShown,
): Promise<Response> {
  const publications = (await (await figures.publications())?.list()) ?? [];
  const page = figuresPage({
    held: figures.held(),
    publications: Map.groupBy(publications, ({ table }) => table),
    refused: figures.refused(),
    releases: figures.releases(),
    notice: done === null ? null : (DONE[done] ?? null),
    refusal,
  });
  return document(page, status);
}

type Form = (tools: AdminTools, figures: FigureReview, fields: URLSearchParams) => Promise<Response>;

/** By what follows /operator/figures. */
export const FIGURE_FORMS: Readonly<Record<string, Form>> = {
  release: (...all) => decide("release", ...all),
  discard: (...all) => decide("discard", ...all),
  "release-publications": (...all) => decidePublications("release", ...all),
  "discard-publications": (...all) => decidePublications("discard", ...all),
  "release-quote": async (tools, figures, fields) => {
    const feed = FEEDS.find((known) => known === fields.get("feed"));
    const currency = CURRENCY_CODES.find((known) => known === fields.get("currency"));
    const price = fields.get("price");
    const isRefused = figures
      .refused()
      ?.refused.some((quote) => quote.feed === feed && quote.currency === currency && quote.price === price);
    if (feed === undefined || currency === undefined || price === null || isRefused !== true)
      throw noLonger();
    await note(tools, `quote:${feed}/${currency}`, { decision: "release", price });
    figures.release(feed, currency, price);
    return seeOther("/operator/figures?done=quote");
  },
};

/** Failures `conflict`: another figure is held by now, or the rule cannot be overruled. */
async function decide(
  verdict: "release" | "discard",
  tools: AdminTools,
  figures: FigureReview,
  fields: URLSearchParams,
) {
  const source = DAILY_SOURCES.find((known) => known === fields.get("source"));
  const date = parseDay(fields.get("date") ?? "");
  const found = figures.held().find(
    ({ held, currency }) =>
      held.source === source &&
      held.date === date &&
      currency === fields.get("currency") &&
      // What the operator has seen; another collection may have brought another value since.
      held.printed === fields.get("printed"),
  );
  if (found === undefined) throw noLonger();
  const { held, currency } = found;
  if (verdict === "release" && !RELEASABLE_RULES.has(held.rule)) {
    throw new Failure("conflict", { reason: `a figure held by ${held.rule} can only be discarded` });
  }
  const day = formatDay(held.date);
  await note(tools, `figure:${held.source}/${day}/${currency}`, { decision: verdict, printed: held.printed });
  const { source: from, date: of } = held;
  if (!(await figures.decide({ source: from, date: of, currency }, verdict))) throw noLonger();
  return seeOther(`/operator/figures?done=${verdict}${verdict === "release" ? "d" : "ed"}`);
}

/** One publication of a table, or all that are held of it. Failure `conflict`: others, or other rates, are held by now. */
async function decidePublications(
  verdict: "release" | "discard",
  tools: AdminTools,
  figures: FigureReview,
  fields: URLSearchParams,
) {
  const review = await figures.publications();
  const [table, publication] = [fields.get("table"), fields.get("publication")];
  const readings = ((await review?.list()) ?? []).filter(
    (held) => held.table === table && (publication === null || held.publication === publication),
  );
  if (review === null || readings.length === 0 || seenAs(readings) !== fields.get("seen")) throw noLonger();
  const subject = `publication:${table}/${publication ?? "all"}`;
  await note(tools, subject, { decision: verdict, publications: readings.length });
  await review.decide(readings, verdict);
  return seeOther("/operator/figures?done=publications");
}

function noLonger(): Failure {
  return new Failure("conflict", { reason: "the figure is no longer held, or its value has changed" });
}

async function note(tools: AdminTools, subject: string, detail: AuditDetail): Promise<void> {
  await tools.ledger.audit.append({ action: "operator.note", subject, detail }, byOperator(tools));
}
