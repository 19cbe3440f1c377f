/** The versioned tables of daily figures, documented for readers in docs/lake.md. */

import type { Column, TableDefinition } from "#store/delta/schema.ts";

const SOURCE: Column = { name: "source", type: "string", comment: "ecb_daily or fred_daily" };
const YEAR: Column = { name: "year", type: "integer", comment: "calendar year of date" };
const DATE: Column = { name: "date", type: "date", ranged: true, comment: "the day the figure is for" };
const PAIR: readonly Column[] = [
  { name: "base", type: "string", ranged: true, comment: "1 unit of this currency" },
  { name: "quote", type: "string", ranged: true, comment: "is value units of this one" },
];
const INSTANTS: readonly Column[] = [
  { name: "observed_at", type: "timestamp", ranged: true, comment: "the instant that the figure describes" },
  {
    name: "published_at",
    type: "timestamp",
    nullable: true,
    ranged: true,
    comment: "when the authority published it, where a document said so",
  },
  {
    name: "retrieved_at",
    type: "timestamp",
    ranged: true,
    comment: "when this revision was first retrieved",
  },
];
const DOCUMENT: readonly Column[] = [
  { name: "document", type: "string", comment: "address of the document it was read from" },
  { name: "document_sha256", type: "string", comment: "digest of that document's bytes" },
];

const FIGURE: readonly Column[] = [
  DATE,
  ...PAIR,
  { name: "value", type: "double", ranged: true, comment: "the double nearest to printed" },
  { name: "printed", type: "string", comment: "the digits as published" },
  { name: "units", type: "long", comment: "the printed digits as an integer: value = units / 10^scale" },
  { name: "scale", type: "short", comment: "digits after the point in printed" },
  { name: "decimals", type: "short", comment: "decimals that the authority publishes" },
  ...INSTANTS,
  {
    name: "revision",
    type: "integer",
    ranged: true,
    comment: "1 for the first value of a figure, then 2, 3, …",
  },
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
    {
      name: "superseded_at",
      type: "timestamp",
      ranged: true,
      comment: "when the document that ended it was retrieved",
    },
    { name: "why", type: "string", comment: "revised or withdrawn" },
    { name: "superseded_by", type: "string", comment: "address of the document that ended it" },
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
    { name: "value", type: "double", nullable: true, comment: "null where printed is not a number" },
    { name: "printed", type: "string", comment: "the text as published" },
    { name: "decimals", type: "short", comment: "decimals that the authority publishes" },
    ...INSTANTS,
    ...DOCUMENT,
    { name: "rule", type: "string", comment: "the rule that holds the figure" },
    { name: "reason", type: "string", comment: "one sentence with the numbers" },
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
    { name: "route", type: "string", comment: "name of the route" },
    ...PAIR,
    { name: "first", type: "date", ranged: true, comment: "first day that this is about" },
    { name: "last", type: "date", ranged: true, comment: "last day that this is about" },
    {
      name: "says",
      type: "string",
      comment: "current: the current figures; value: printed instead; nothing: no figure",
    },
    { name: "printed", type: "string", nullable: true, comment: "the digits that the route printed" },
    {
      name: "since",
      type: "timestamp",
      nullable: true,
      comment:
        "first retrieval that contradicted the current figure; null where the route was not read since it changed",
    },
  ],
  partitions: [],
  currentFile: "statements.parquet",
};
