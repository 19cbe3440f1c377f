/** GET /v1/lake/…: the manifests, the Parquet files that they name, and views for DuckDB. */

import { Type } from "@sinclair/typebox";
import { DAILY_SOURCES } from "#domain/source.ts";
import { INTRADAY_MANIFEST_EXAMPLE, IntradayManifest } from "./lake-intraday.ts";
import { LakeManifest, MANIFEST_EXAMPLE } from "./lake-manifest.ts";
import type { OkResponse, Operation, Parameter, ResponseHeader } from "./operation.ts";

const source: Parameter = {
  name: "source",
  in: "path",
  required: true,
  schema: Type.String({ pattern: `^source=(${DAILY_SOURCES.join("|")})$`, maxLength: 32 }),
  description: "The folder of a source as the manifest writes it; `=` may come as `%3D`.",
  example: "source=ecb_daily",
};

const year: Parameter = {
  name: "year",
  in: "path",
  required: true,
  schema: Type.String({ pattern: "^year=\\d{4}$", maxLength: 9 }),
  description: "The folder of a year as the manifest writes it; `=` may come as `%3D`.",
  example: "year=2026",
};

/** Not called date, which would stand for a plain day. */
const partition: Parameter = {
  name: "partition",
  in: "path",
  required: true,
  schema: Type.String({ pattern: "^date=\\d{4}-\\d{2}-\\d{2}$", maxLength: 15 }),
  description: "The folder of a UTC day as the manifest writes it; `=` may come as `%3D`.",
  example: "date=2026-04-13",
};

const TAG_TEXT = Type.String({ maxLength: 512 });
const TAG_EXAMPLE = '"1f0b0e8f9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1f1b0f0e5f2d4a9f8c7b6a"';

const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  required: false,
  schema: TAG_TEXT,
  description: "`ETag` of the version wanted; another one is refused with `precondition_failed`.",
  example: TAG_EXAMPLE,
  inSampleCall: false,
};

const ranges: readonly Parameter[] = [
  {
    name: "Range",
    in: "header",
    required: false,
    schema: Type.String({ pattern: "^bytes=(\\d{1,15}-\\d{0,15}|-\\d{1,15})$" }),
    description:
      "One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes.",
    example: "bytes=0-3",
    inSampleCall: false,
  },
  {
    name: "If-Range",
    in: "header",
    required: false,
    schema: TAG_TEXT,
    description: "`ETag` of the version that `Range` is meant for; of another one the whole file comes.",
    example: TAG_EXAMPLE,
    inSampleCall: false,
  },
];

const digest: ResponseHeader = {
  name: "Repr-Digest",
  description: "SHA-256 of the whole file, in base64 (RFC 9530): the same digest as in `ETag`.",
  example: "sha-256=:Hwsw6P+fbR9dC7byuNnB8PJMX3xtehobDw5fLUqfjHs=:",
};

const file: OkResponse = {
  description: "A Parquet file, or with `Range` a part of it.",
  conditional: true,
  ranged: true,
  headers: [{ name: "Accept-Ranges", description: "Ranges may be asked for.", example: "bytes" }, digest],
  mime: "application/vnd.apache.parquet",
  schema: Type.String({
    description: "A Parquet file.",
    contentMediaType: "application/vnd.apache.parquet",
    contentEncoding: "binary",
  }),
};

const REFUSALS = [
  "not_found",
  "precondition_failed",
  "range_not_satisfiable",
  "service_unavailable",
] as const satisfies Operation["errors"];

export const LAKE: readonly Operation[] = [
  {
    id: "getLakeManifest",
    method: "get",
    path: "/v1/lake/manifest.json",
    tag: "Lake",
    summary: "What the lake holds",
    description:
      "`manifest.json` of the lake, byte for byte: every file of daily figures with its rows, size, digest and ranges. `version` changes with every commit of data. `manifests` leads to that of the intraday quotes.",
    parameters: [ifMatch],
    ok: {
      description: "The manifest.",
      conditional: true,
      headers: [digest],
      schema: LakeManifest,
      example: MANIFEST_EXAMPLE,
    },
    errors: ["precondition_failed", "service_unavailable"],
  },
  {
    id: "getLakeDaily",
    method: "get",
    path: "/v1/lake/daily/{source}/{year}/rates.parquet",
    tag: "Lake",
    summary: "The figures of a source and year",
    description:
      "What stands: each figure exactly once, ordered by date, base and quote. The `ETag` is the file's SHA-256, so it changes when the file is replaced.",
    parameters: [source, year, ifMatch, ...ranges],
    ok: file,
    errors: REFUSALS,
  },
  {
    id: "getLakeSuperseded",
    method: "get",
    path: "/v1/lake/superseded/{source}/{year}/revisions.parquet",
    tag: "Lake",
    summary: "The superseded figures of a source and year",
    description: "What stood once: corrected or withdrawn figures. There is a file only where there are any.",
    parameters: [source, year, ifMatch, ...ranges],
    ok: file,
    errors: REFUSALS,
  },
  {
    id: "getLakeHeld",
    method: "get",
    path: "/v1/lake/held/held.parquet",
    tag: "Lake",
    summary: "The figures held back",
    description: "Figures kept back as not believable. There is a file only once there was one.",
    parameters: [ifMatch, ...ranges],
    ok: file,
    errors: REFUSALS,
  },
  {
    id: "getIntradayManifest",
    method: "get",
    path: "/v1/lake/intraday/manifest.json",
    tag: "Lake",
    summary: "What the intraday archive holds",
    description:
      "`intraday/manifest.json` of the lake, byte for byte: every date with its quotes, size, digest and range of observations. Apart from the other manifest because it changes every minute.",
    parameters: [ifMatch],
    ok: {
      description: "The manifest of the intraday quotes.",
      conditional: true,
      headers: [digest],
      schema: IntradayManifest,
      example: INTRADAY_MANIFEST_EXAMPLE,
    },
    errors: ["precondition_failed", "service_unavailable"],
  },
  {
    id: "getLakeIntraday",
    method: "get",
    path: "/v1/lake/intraday/{partition}/quotes.parquet",
    tag: "Lake",
    summary: "The quotes of a day",
    description:
      "Every accepted live quote observed on a UTC day, as it was delivered, ordered by base, quote, observation, retrieval and feed. The file of today is replaced with every flush; its `ETag`, the SHA-256, tells.",
    parameters: [partition, ifMatch, ...ranges],
    ok: file,
    errors: REFUSALS,
  },
  {
    id: "getLakeViews",
    method: "get",
    path: "/v1/lake/views.sql",
    tag: "Lake",
    summary: "Views for DuckDB",
    description:
      "Views and macros over the lake, on disk or by its address: current figures and all revisions, rates on any base, what was known at an instant, quotes and bars. Its first lines say how to use it.",
    parameters: [],
    ok: {
      description: "SQL for DuckDB 1.5 or newer.",
      conditional: true,
      mime: "application/sql",
      schema: Type.String({ description: "Statements to run once a session." }),
      example: "SET VARIABLE lake = 'http://localhost:3000/v1/lake';",
    },
    errors: [],
  },
];
