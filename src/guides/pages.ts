/** The guides: the pages of `docs` for users and operators; and the views of the lake. All are embedded as text in every form of the product. */

import accounting from "#docs/accounting.md" with { type: "text" };
import accounts from "#docs/accounts.md" with { type: "text" };
import billing from "#docs/billing.md" with { type: "text" };
import capacity from "#docs/capacity.md" with { type: "text" };
import cli from "#docs/cli.md" with { type: "text" };
import clients from "#docs/clients.md" with { type: "text" };
import commands from "#docs/commands.md" with { type: "text" };
import configuration from "#docs/configuration.md" with { type: "text" };
import contract from "#docs/contract.md" with { type: "text" };
import engines from "#docs/engines.md" with { type: "text" };
import errors from "#docs/errors.md" with { type: "text" };
import firstCalls from "#docs/first-calls.md" with { type: "text" };
import lake from "#docs/lake.md" with { type: "text" };
import ledger from "#docs/ledger.md" with { type: "text" };
import limits from "#docs/limits.md" with { type: "text" };
import live from "#docs/live.md" with { type: "text" };
import mcp from "#docs/mcp.md" with { type: "text" };
import metrics from "#docs/metrics.md" with { type: "text" };
import migrating from "#docs/migrating.md" with { type: "text" };
import official from "#docs/official.md" with { type: "text" };
import operations from "#docs/operations.md" with { type: "text" };
import packages from "#docs/packages.md" with { type: "text" };
import pointInTime from "#docs/point-in-time.md" with { type: "text" };
import contents from "#docs/README.md" with { type: "text" };
import reliability from "#docs/reliability.md" with { type: "text" };
import security from "#docs/security.md" with { type: "text" };
import signedHistory from "#docs/signed-history.md" with { type: "text" };
import spreadsheets from "#docs/spreadsheets.md" with { type: "text" };
import streaming from "#docs/streaming.md" with { type: "text" };
import views from "#docs/views.sql" with { type: "text" };
import webhooks from "#docs/webhooks.md" with { type: "text" };
import { openSearch } from "./search.ts";
import { type Guide, sectionsOf } from "./sections.ts";

/** The views of the lake for DuckDB. */
export const LAKE_VIEWS: string = views;

const TEXTS: Readonly<Record<string, string>> = {
  ...{ accounting, accounts, billing, capacity, cli, clients, commands, configuration, contract, engines },
  ...{ errors, lake, ledger, limits, live, mcp, metrics, migrating, official, operations, packages },
  ...{ reliability, security, spreadsheets, streaming, webhooks },
  "first-calls": firstCalls,
  "point-in-time": pointInTime,
  "signed-history": signedHistory,
};

export type Guides = ReturnType<typeof readGuides>;

let opened: Guides | null = null;

/** The guides with their search, one for the whole process. */
export function openGuides(): Guides {
  opened ??= readGuides();
  return opened;
}

/** A heading, which is a group, or a page with its summary. */
const ENTRY = /^(?:## (.+)|- \[.+?\]\(([\w-]+)\.md\): (.+))$/gm;

/** Groups and guides in the order of docs/README.md. Its pages for contributors are no guides. */
function readGuides() {
  const pages: Guide[] = [];
  let group = "";
  for (const [, heading, slug = "", summary = ""] of contents.matchAll(ENTRY)) {
    if (heading !== undefined) group = heading.toLowerCase();
    const markdown = TEXTS[slug];
    if (markdown === undefined) continue;
    const [first] = sectionsOf(markdown.slice(0, markdown.indexOf("\n")));
    pages.push({ slug, title: first?.heading ?? slug, summary, group, markdown });
  }
  return { pages, search: openSearch(pages) };
}
