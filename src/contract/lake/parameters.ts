/** Parts of all lake operations: path parameters, conditions, and the response that is a file. */

import { Type } from "@sinclair/typebox";
import type { OkResponse, Operation, Parameter, ResponseHeader } from "#contract/operation.ts";
import { inHeader, inPath } from "#contract/parameters.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";

/** One folder of a path; `=` is part of its name. */
function folder(name: string, what: string, pattern: string, maxLength: number, example: string): Parameter {
  return inPath(name, {
    schema: Type.String({ pattern: `^${pattern}$`, maxLength }),
    description: `The folder of ${what} as the manifest writes it; \`=\` may come as \`%3D\`.`,
    example,
  });
}

const SOURCE = `source=(${DAILY_SOURCES.join("|")})`;

export const source = folder("source", "a source", SOURCE, 32, "source=ecb_daily");
export const year = folder("year", "a year", "year=\\d{4}", 9, "year=2026");
/** Not called date: that is a plain day. */
export const datePartition = folder(
  "partition",
  "a UTC day",
  "date=\\d{4}-\\d{2}-\\d{2}",
  15,
  "date=2026-04-13",
);
export const tablePartition = folder(
  "partition",
  "an official table",
  "table_id=[a-z0-9_]+",
  64,
  "table_id=mex_fix",
);

const PART_NAME = "part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet";

export const part = inPath("file", {
  schema: Type.String({ pattern: "^part-[0-9a-f-]{36}\\.parquet$", maxLength: 49 }),
  description: "Name of the file as the manifest writes it.",
  example: PART_NAME,
});

/** `daily/source=ecb_daily/year=2026` and the like, completed for an example. */
export function partIn(folder: string): string {
  return `${folder}/${PART_NAME}`;
}

const TAG_TEXT = Type.String({ maxLength: 512 });
const TAG_EXAMPLE = '"1f0b0e8f9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1f1b0f0e5f2d4a9f8c7b6a"';

export const ifMatch = inHeader("If-Match", {
  schema: TAG_TEXT,
  description: "`ETag` of the version wanted; another one is refused with `precondition_failed`.",
  example: TAG_EXAMPLE,
  inSampleCall: false,
});

export const ranges: readonly Parameter[] = [
  inHeader("Range", {
    schema: Type.String({ pattern: "^bytes=(\\d{1,15}-\\d{0,15}|-\\d{1,15})$" }),
    description:
      "One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes.",
    example: "bytes=0-3",
    inSampleCall: false,
  }),
  inHeader("If-Range", {
    schema: TAG_TEXT,
    description: "`ETag` of the version that `Range` is meant for; of another one the whole file comes.",
    example: TAG_EXAMPLE,
    inSampleCall: false,
  }),
];

export const digest: ResponseHeader = {
  name: "Repr-Digest",
  description: "SHA-256 of the whole file, in base64 (RFC 9530): the same digest as in `ETag`.",
  example: "sha-256=:Hwsw6P+fbR9dC7byuNnB8PJMX3xtehobDw5fLUqfjHs=:",
};

export const parquetFile: OkResponse = {
  description: "A Parquet file, or with `Range` a part of it.",
  conditional: true,
  ranged: true,
  headers: [{ name: "Accept-Ranges", description: "Ranges may be requested.", example: "bytes" }, digest],
  mime: "application/vnd.apache.parquet",
  schema: Type.String({ description: "A Parquet file.", format: "binary" }),
};

export const FILE_REFUSALS = [
  "not_found",
  "precondition_failed",
  "range_not_satisfiable",
  "data_unavailable",
] as const satisfies Operation["errors"];

export const MANIFEST_REFUSALS = [
  "precondition_failed",
  "data_unavailable",
  "service_unavailable",
] as const satisfies Operation["errors"];
