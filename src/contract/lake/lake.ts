/** GET /v1/lake/…: the manifests, the Parquet files that they name, and views for DuckDB. */

import { type TSchema, Type } from "@sinclair/typebox";
import type { Operation } from "#contract/operation.ts";
import { CHAIN } from "./chain.ts";
import { LAKE_FILES } from "./files.ts";
import {
  INTRADAY_MANIFEST_EXAMPLE,
  IntradayManifest,
  LakeManifest,
  MANIFEST_EXAMPLE,
  OFFICIAL_MANIFEST_EXAMPLE,
  OfficialManifest,
} from "./manifests.ts";
import { digest, ifMatch, MANIFEST_REFUSALS } from "./parameters.ts";
import { PROOF } from "./proof.ts";

function manifest(of: {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: unknown;
  readonly errors?: Operation["errors"];
}): Operation {
  const { id, path, summary, description, schema, example, errors = [] } = of;
  return {
    id,
    method: "get",
    path,
    tag: "Lake",
    summary,
    description,
    parameters: [ifMatch],
    ok: { description: "The manifest.", conditional: true, headers: [digest], schema, example },
    errors: [...MANIFEST_REFUSALS, ...errors],
  };
}

const MANIFESTS: readonly Operation[] = [
  manifest({
    id: "getLakeManifest",
    path: "/v1/lake/manifest.json",
    summary: "What the lake holds",
    description:
      "Every file of daily figures in their newest version, with its rows, size, digest and ranges. `version` changes with every commit of data. `manifests` leads to those of the other tables.",
    schema: LakeManifest,
    example: MANIFEST_EXAMPLE,
  }),
  manifest({
    id: "getIntradayManifest",
    path: "/v1/lake/intraday/manifest.json",
    summary: "What the intraday archive holds",
    description:
      "Every date with its quotes, size, digest and range of observations. Apart from the other manifests because it changes every few minutes.",
    schema: IntradayManifest,
    example: INTRADAY_MANIFEST_EXAMPLE,
  }),
  manifest({
    id: "getOfficialManifest",
    path: "/v1/lake/official/manifest.json",
    summary: "What the lake holds of official publications",
    description: "Every official table with its rows, size, digest and range of validity.",
    schema: OfficialManifest,
    example: OFFICIAL_MANIFEST_EXAMPLE,
    errors: ["source_unavailable"],
  }),
];

const VIEWS: Operation = {
  id: "getLakeViews",
  method: "get",
  path: "/v1/lake/views.sql",
  tag: "Lake",
  summary: "Views for DuckDB",
  description:
    "Views and macros over the lake, on disk or by its address: current figures and all revisions, rates on any base, what was known at an instant, quotes, bars and official publications. Its first lines say how to use it.",
  ok: {
    description: "SQL for DuckDB 1.5 or newer.",
    conditional: true,
    mime: "application/sql",
    schema: Type.String({ description: "Statements to run once a session." }),
    example: "SET VARIABLE lake = 'http://localhost:3000/v1/lake';",
  },
  errors: [],
};

export const LAKE: readonly Operation[] = [...MANIFESTS, ...LAKE_FILES, VIEWS, ...CHAIN, ...PROOF];
