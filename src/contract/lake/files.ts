/** GET /v1/lake/…/part-….parquet and /v1/lake/current/…: the data files, under the names of a version and under fixed names. */

import type { Operation, Parameter } from "#contract/operation.ts";
import {
  datePartition,
  FILE_REFUSALS,
  ifMatch,
  parquetFile,
  part,
  ranges,
  source,
  tablePartition,
  year,
} from "./parameters.ts";

interface LakeTable {
  /** Part of the operations' ids. */
  readonly id: string;
  readonly folder: string;
  readonly partitions: readonly Parameter[];
  readonly currentFile: string;
  /** What a file is, for the summaries. */
  readonly what: string;
  readonly description: string;
}

const TABLES: readonly LakeTable[] = [
  {
    id: "Daily",
    folder: "daily",
    partitions: [source, year],
    currentFile: "rates.parquet",
    what: "figures of a source and year",
    description: "Every current figure exactly once, ordered by date, base and quote.",
  },
  {
    id: "Revisions",
    folder: "revisions",
    partitions: [source, year],
    currentFile: "revisions.parquet",
    what: "corrected and withdrawn figures of a source and year",
    description: "Figures that were corrected or withdrawn. There is a file only where there are any.",
  },
  {
    id: "Held",
    folder: "held",
    partitions: [],
    currentFile: "held.parquet",
    what: "figures held back",
    description: "Figures held back as implausible. There is a file only while there are any.",
  },
  {
    id: "Intraday",
    folder: "intraday",
    partitions: [datePartition],
    currentFile: "quotes.parquet",
    what: "quotes of a day",
    description:
      "Every accepted live quote observed on a UTC day, as it was delivered, ordered by base, quote, observation, retrieval and feed.",
  },
  {
    id: "OfficialFile",
    folder: "official",
    partitions: [tablePartition],
    currentFile: "publications.parquet",
    what: "publications of an official table",
    description: "Every row of every version of every publication.",
  },
];

const NAMED =
  "The file under this name never changes, so that what was read of it by ranges belongs together; one that was replaced stays for a day at the least.";
const NEWEST =
  "The newest file of the partition, replaced as a whole with a commit; its `ETag` is its SHA-256.";

/** One operation a table for files as the manifests name them, and one for the fixed names. */
export const LAKE_FILES: readonly Operation[] = TABLES.flatMap((table) => {
  const folder = [table.folder, ...table.partitions.map(({ name }) => `{${name}}`)].join("/");
  // Plans bound the history of rates; publications have no limit of age.
  const errors = table.id === "OfficialFile" ? FILE_REFUSALS : (["plan_gated", ...FILE_REFUSALS] as const);
  const common = { method: "get", tag: "Lake", ok: parquetFile, errors } as const;
  return [
    {
      ...common,
      id: `getLake${table.id}`,
      path: `/v1/lake/${folder}/{file}`,
      summary: `The ${table.what}`,
      description: `${table.description} ${NAMED}`,
      parameters: [...table.partitions, part, ifMatch, ...ranges],
    },
    {
      ...common,
      id: `getLakeCurrent${table.id}`,
      path: `/v1/lake/current/${folder}/${table.currentFile}`,
      summary: `The newest ${table.what}`,
      description: `${table.description} ${NEWEST}`,
      parameters: [...table.partitions, ifMatch, ...ranges],
    },
  ];
});
