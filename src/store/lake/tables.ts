/** The versioned tables of daily figures, documented for readers in docs/lake.md. */

import { type Column, column, type TableDefinition } from "#store/delta/schema.ts";

const SOURCE: Column = column("source", "string", "ecb_daily or fred_daily");
const YEAR: Column = column("year", "integer", "calendar year of date");
const DATE: Column = column("date", "date", "the day the figure is for", "ranged");
const PAIR: readonly Column[] = [
  column("base", "string", "1 unit of this currency", "ranged"),
  column("quote", "string", "is value units of this one", "ranged"),
];
const INSTANTS: readonly Column[] = [
  column("observed_at", "timestamp", "the instant that the figure describes", "ranged"),
  column(
    "published_at",
    "timestamp",
    "when the authority published it, where a document said so",
    "ranged",
    "nullable",
  ),
  column("retrieved_at", "timestamp", "when this revision was first retrieved", "ranged"),
];
const DOCUMENT: readonly Column[] = [
  column("document", "string", "address of the document it was read from"),
  column("document_sha256", "string", "digest of that document's bytes"),
];

const FIGURE: readonly Column[] = [
  DATE,
  ...PAIR,
  column("value", "double", "the double nearest to printed", "ranged"),
  column("printed", "string", "the digits as published"),
  column("units", "long", "the printed digits as an integer: value = units / 10^scale"),
  column("scale", "short", "digits after the point in printed"),
  column("decimals", "short", "decimals that the authority publishes"),
  ...INSTANTS,
  column("revision", "integer", "1 for the first value of a figure, then 2, 3, …", "ranged"),
  ...DOCUMENT,
];

export const DAILY: TableDefinition = {
  name: "daily",
  description: "Daily reference rates as published: each current figure exactly once",
  columns: FIGURE,
  partitions: [SOURCE, YEAR],
  currentFile: "rates.parquet",
};

export const REVISIONS: TableDefinition = {
  name: "revisions",
  description: "Daily figures that were corrected or withdrawn: each revision exactly once",
  columns: [
    ...FIGURE,
    column("superseded_at", "timestamp", "when the document that ended it was retrieved", "ranged"),
    column("why", "string", "revised or withdrawn"),
    column("superseded_by", "string", "address of the document that ended it"),
  ],
  partitions: [SOURCE, YEAR],
  currentFile: "revisions.parquet",
};

export const HELD: TableDefinition = {
  name: "held",
  description: "Daily figures that acceptance holds back; never served",
  columns: [
    DATE,
    SOURCE,
    ...PAIR,
    column("value", "double", "null where printed is not a number", "nullable"),
    column("printed", "string", "the text as published"),
    column("decimals", "short", "decimals that the authority publishes"),
    ...INSTANTS,
    ...DOCUMENT,
    column("rule", "string", "the rule that holds the figure"),
    column("reason", "string", "one sentence with the numbers"),
  ],
  partitions: [],
  currentFile: "held.parquet",
};

export const STATEMENTS: TableDefinition = {
  name: "statements",
  description:
    "What each route last stated, where it differs from the current figures, and the days that it covers",
  columns: [
    SOURCE,
    column("route", "string", "name of the route"),
    ...PAIR,
    column("first", "date", "first day that this is about", "ranged"),
    column("last", "date", "last day that this is about", "ranged"),
    column("says", "string", "current: the current figures; value: printed instead; nothing: no figure"),
    column("printed", "string", "the digits that the route printed", "nullable"),
    column(
      "since",
      "timestamp",
      "first retrieval that contradicted the current figure; null where the route was not read since it changed",
      "nullable",
    ),
  ],
  partitions: [],
  currentFile: "statements.parquet",
};
