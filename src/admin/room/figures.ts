/** The operator's page of held figures and refused quotes. Each decision is in the audit log before it takes effect. */

import type { AdminTools } from "#admin/request.ts";
import { currencyOfHeld } from "#domain/acceptance/evidence.ts";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/rules.ts";
import { countBy, newestFirst } from "#domain/acceptance/unsettled.ts";
import type { AuditDetail } from "#domain/account/audit.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import { type FiguresProps, figuresPage } from "#web/operator/figures.tsx";
import { seenAs } from "#web/operator/publications.tsx";
import { document, seeOther } from "./respond.ts";

const DONE: Readonly<Record<string, string>> = {
  released: "Released: it is served within seconds.",
  "document-released":
    "Released: what only missed a witness is served within seconds. What stays in the list is to be decided on one by one.",
  "document-discarded": "Discarded: every held figure of the document.",
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
    held: heldShown(figures),
    contradictions: figures.contradictions(),
    publications: Map.groupBy(publications, ({ table }) => table),
    refused: figures.refused(),
    releases: figures.releases(),
    notice: done === null ? null : (DONE[done] ?? null),
    refusal,
  });
  return document(page, status);
}

/** A wrong whole history is tens of thousands of held figures. */
const MOST_SHOWN = 200;

function heldShown(figures: FigureReview): FiguresProps["held"] {
  const all = newestFirst(figures.held());
  const count = countBy(all, ({ documentSha256 }) => documentSha256);
  const documents = [...count].map(([sha256, ofDocument]) => {
    const { document, source } = all.find((held) => held.documentSha256 === sha256) as HeldFigure;
    return { sha256, document, source, count: ofDocument };
  });
  return {
    count: all.length,
    shown: all.slice(0, MOST_SHOWN).map(figures.evidence),
    documents: documents.filter((document) => document.count > 1).slice(0, MOST_DOCUMENTS),
  };
}

const MOST_DOCUMENTS = 50;

type Form = (tools: AdminTools, figures: FigureReview, fields: URLSearchParams) => Promise<Response>;

/** By what follows /operator/figures. */
export const FIGURE_FORMS: Readonly<Record<string, Form>> = {
  release: (...all) => decide("release", ...all),
  discard: (...all) => decide("discard", ...all),
  "release-document": (...all) => decideDocument("release", ...all),
  "discard-document": (...all) => decideDocument("discard", ...all),
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

/** Failure `conflict`: nothing of the document is held any more. */
async function decideDocument(
  verdict: Verdict,
  tools: AdminTools,
  figures: FigureReview,
  fields: URLSearchParams,
) {
  const sha256 = fields.get("document") ?? "";
  const held = figures.held().filter(({ documentSha256 }) => documentSha256 === sha256);
  const [first] = held;
  if (first === undefined) throw noLonger();
  const { source, document } = first;
  const detail = { decision: verdict, figures: held.length, address: document };
  await note(tools, `document:${source}/${sha256}`, detail);
  if ((await figures.decideDocument(sha256, verdict)) === null) throw noLonger();
  return seeOther(`/operator/figures?done=document-${verdict}${verdict === "release" ? "d" : "ed"}`);
}

/** Failures `conflict`: another figure is held by now, or the rule cannot be overruled. */
async function decide(verdict: Verdict, tools: AdminTools, figures: FigureReview, fields: URLSearchParams) {
  const source = DAILY_SOURCES.find((known) => known === fields.get("source"));
  const date = parseDay(fields.get("date") ?? "");
  const held = figures.held().find(
    (figure) =>
      figure.source === source &&
      figure.date === date &&
      currencyOfHeld(figure) === fields.get("currency") &&
      // What the operator has seen; another collection may have brought another value since.
      figure.printed === fields.get("printed"),
  );
  if (held === undefined) throw noLonger();
  const currency = currencyOfHeld(held);
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
  await tools.ledger.audit.append({ action: "operator.note", subject, detail }, tools.by());
}
