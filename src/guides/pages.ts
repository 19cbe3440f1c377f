/** The guides: the pages of `docs` for users and operators, embedded as text in every form of the product. */

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
import reliability from "#docs/reliability.md" with { type: "text" };
import security from "#docs/security.md" with { type: "text" };
import signedHistory from "#docs/signed-history.md" with { type: "text" };
import spreadsheets from "#docs/spreadsheets.md" with { type: "text" };
import streaming from "#docs/streaming.md" with { type: "text" };
import webhooks from "#docs/webhooks.md" with { type: "text" };
import { openSearch } from "./search.ts";
import { sectionsOf } from "./sections.ts";

type Row = readonly [slug: string, markdown: string, summary: string];

/** Groups and guides in the order of reading. */
const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  start: [
    ["first-calls", firstCalls, "Conversions, batches, a series, a file, with the answers"],
    ["accounts", accounts, "Signing in, keys, usage, buying a plan, deleting the account"],
    ["limits", limits, "Plans, rate limits and quotas, and the headers that say when to call again"],
    ["cli", cli, "The command line: rates, accounts, webhooks and servers, with examples"],
    ["commands", commands, "Notes and examples of every command, as its help has them"],
    [
      "clients",
      clients,
      "The clients for TypeScript and Python, and clients generated from the OpenAPI document",
    ],
    ["accounting", accounting, "Invoices, VAT and customs, means of tax years, revaluation"],
    ["spreadsheets", spreadsheets, "Excel, Google Sheets, LibreOffice and Grafana by address, as CSV"],
  ],
  concepts: [
    ["contract", contract, "What a schema does not say: rounding, forward fill, staleness, error bounds"],
    ["streaming", streaming, "Live rates as Server-Sent Events: events, resuming, slow readers"],
    ["official", official, "Official tables, their publications, versions and changes"],
  ],
  "bulk and lake": [
    ["lake", lake, "Every rate as Parquet files and Delta tables, for DuckDB, Polars, pandas and PyArrow"],
    [
      "engines",
      engines,
      "Spark, Trino, ClickHouse and warehouses on the Delta tables, and what was run of it",
    ],
    [
      "signed-history",
      signedHistory,
      "Proof that a rate was in a version, and that nothing was changed afterwards",
    ],
  ],
  "point in time": [
    [
      "point-in-time",
      pointInTime,
      "What was known at an instant, what has changed since, the versions of a figure",
    ],
  ],
  webhooks: [["webhooks", webhooks, "Endpoints, signatures, retries, and how to miss nothing"]],
  agents: [["mcp", mcp, "Tools for language models: set-up of clients, limits, errors, security"]],
  operations: [
    ["configuration", configuration, "Every setting with its default"],
    [
      "operations",
      operations,
      "First start, sizing, upgrades, memory, disk, backups, damage, /status, runbooks",
    ],
    [
      "reliability",
      reliability,
      "What was done to two replicas and two collectors under load, and what held",
    ],
    ["capacity", capacity, "What a call, a key, a stream and a delivery cost, and what gives first"],
    ["packages", packages, "The npm package, single binaries, checksums, and what they are made of"],
    ["live", live, "Feeds, fall-back, which quotes are believed, several processes on one Redis"],
    ["ledger", ledger, "The database of accounts: SQLite or Postgres, backup, restore"],
    ["billing", billing, "Selling plans through Stripe"],
    ["security", security, "How keys, passwords and tokens are stored, and where webhooks may go"],
    ["metrics", metrics, "Every metric, events of the log, alerts and dashboards to load"],
  ],
  migration: [
    ["migrating", migrating, "Clients of Frankfurter and Open Exchange Rates, by changing the base URL"],
  ],
  errors: [["errors", errors, "Every error code: when it happens, what to do, what it looks like"]],
};

export type Guides = ReturnType<typeof readGuides>;

let opened: Guides | null = null;

/** The guides with their search, one for the whole process. */
export function openGuides(): Guides {
  opened ??= readGuides();
  return opened;
}

function readGuides() {
  const pages = Object.entries(GROUPS).flatMap(([group, rows]) =>
    rows.map(([slug, markdown, summary]) => {
      const [first] = sectionsOf(markdown.slice(0, markdown.indexOf("\n")));
      return { slug, title: first?.heading ?? slug, summary, group, markdown };
    }),
  );
  return { pages, search: openSearch(pages) };
}
