/** The operator's page of held figures and refused quotes. Each decision is in the audit log before it takes effect. */

import { Elysia } from "elysia";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/printed.ts";
import { currencyOf } from "#domain/acceptance/statements.ts";
import { countBy, newestFirst } from "#domain/acceptance/unsettled.ts";
import type { AuditDetail } from "#domain/account/ledger.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import type { FigureReview } from "#ports.ts";
import { type FiguresProps, figuresPage, seenAs } from "#web/operator/figures.tsx";
import type { Said } from "#web/operator/frame.tsx";
import type { OperatorTools } from "./accounts.ts";
import { pageWithForms, seeOther } from "./respond.ts";

/** The result of a form, by its name in the address after it. */
const DONE = {
  released: "Released: it is served within seconds.",
  "document-released":
    "Released: what only missed a witness is served within seconds. What stays in the list is to be decided on one by one.",
  "document-discarded": "Discarded: every held figure of the document.",
  discarded: "Discarded.",
  publications: "Noted: the next reading of the table follows it.",
  quote: "The quotes near this price are accepted until the next daily reference.",
};

const DECIDED: Readonly<Record<Verdict, string>> = { release: "released", discard: "discarded" };

interface Deps {
  readonly tools: OperatorTools;
  readonly figures: FigureReview;
}

/** Resolves with the name in `DONE` of the result. */
type Act = (deps: Deps, fields: URLSearchParams, verdict: Verdict) => Promise<string>;

export const figurePages = (deps: Deps) => {
  const page = pageWithForms((said) => figuresShown(deps.figures, said), DONE);
  const form = (act: Act, verdict: Verdict) =>
    page.form(async (fields) => seeOther(`/operator/figures?done=${await act(deps, fields, verdict)}`));
  return new Elysia({ name: "figures", prefix: "/operator/figures" })
    .get("", page.view)
    .post("/release", form(decide, "release"))
    .post("/discard", form(decide, "discard"))
    .post("/release-document", form(decideDocument, "release"))
    .post("/discard-document", form(decideDocument, "discard"))
    .post("/release-publications", form(decidePublications, "release"))
    .post("/discard-publications", form(decidePublications, "discard"))
    .post("/release-quote", form(releaseQuote, "release"));
};

async function figuresShown(figures: FigureReview, said: Said): Promise<string> {
  const publications = (await (await figures.publications())?.list()) ?? [];
  return figuresPage({
    held: heldShown(figures),
    contradictions: figures.contradictions(),
    publications: Map.groupBy(publications, ({ table }) => table),
    refused: figures.refused(),
    releases: figures.releases(),
    ...said,
  });
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

/** Fails with `conflict` when no figure of the document is held any more. */
async function decideDocument({ tools, figures }: Deps, fields: URLSearchParams, verdict: Verdict) {
  const sha256 = fields.get("document") ?? "";
  const held = figures.held().filter(({ documentSha256 }) => documentSha256 === sha256);
  const [first] = held;
  if (first === undefined) throw noLonger();
  const { source, document } = first;
  const detail = { decision: verdict, figures: held.length, address: document };
  await note(tools, `document:${source}/${sha256}`, detail);
  if ((await figures.decideDocument(sha256, verdict)) === null) throw noLonger();
  return `document-${DECIDED[verdict]}`;
}

/** Fails with `conflict` when another figure is held by now, or the rule cannot be overruled. */
async function decide({ tools, figures }: Deps, fields: URLSearchParams, verdict: Verdict) {
  const source = DAILY_SOURCES.find((known) => known === fields.get("source"));
  const date = parseDay(fields.get("date") ?? "");
  const held = figures.held().find(
    (figure) =>
      figure.source === source &&
      figure.date === date &&
      currencyOf(figure) === fields.get("currency") &&
      // The operator's page showed this value; another collection may have replaced it.
      figure.printed === fields.get("printed"),
  );
  if (held === undefined) throw noLonger();
  const currency = currencyOf(held);
  if (verdict === "release" && !RELEASABLE_RULES.has(held.rule)) {
    throw new Failure("conflict", { reason: `a figure held by ${held.rule} can only be discarded` });
  }
  const day = formatDay(held.date);
  await note(tools, `figure:${held.source}/${day}/${currency}`, { decision: verdict, printed: held.printed });
  const { source: from, date: of } = held;
  if (!(await figures.decide({ source: from, date: of, currency }, verdict))) throw noLonger();
  return DECIDED[verdict];
}

/** Decides one publication of a table, or all its held ones. Fails with `conflict` when others, or other rates, are held by now. */
async function decidePublications({ tools, figures }: Deps, fields: URLSearchParams, verdict: Verdict) {
  const review = await figures.publications();
  const [table, publication] = [fields.get("table"), fields.get("publication")];
  const readings = ((await review?.list()) ?? []).filter(
    (held) => held.table === table && (publication === null || held.publication === publication),
  );
  if (review === null || readings.length === 0 || seenAs(readings) !== fields.get("seen")) throw noLonger();
  const subject = `publication:${table}/${publication ?? "all"}`;
  await note(tools, subject, { decision: verdict, publications: readings.length });
  await review.decide(readings, verdict);
  return "publications";
}

/** Fails with `conflict` when the quote is no longer refused at that price. */
async function releaseQuote({ tools, figures }: Deps, fields: URLSearchParams) {
  const feed = FEEDS.find((name) => name === fields.get("feed"));
  const currency = CURRENCY_CODES.find((code) => code === fields.get("currency"));
  const price = fields.get("price");
  const isRefused = figures
    .refused()
    ?.refused.some((quote) => quote.feed === feed && quote.currency === currency && quote.price === price);
  if (feed === undefined || currency === undefined || price === null || isRefused !== true) throw noLonger();
  await note(tools, `quote:${feed}/${currency}`, { decision: "release", price });
  figures.release(feed, currency, price);
  return "quote";
}

function noLonger(): Failure {
  return new Failure("conflict", { reason: "the figure is no longer held, or its value has changed" });
}

async function note(tools: OperatorTools, subject: string, detail: AuditDetail): Promise<void> {
  await tools.ledger.audit.append({ action: "operator.note", subject, detail }, tools.by());
}
