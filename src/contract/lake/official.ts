/** The shape of /v1/lake/official/manifest.json. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { CLOSED, DIGEST_EXAMPLE, entryFields, format, mode, tableVersion } from "./entry.ts";
import { partIn } from "./parameters.ts";

const PATH = partIn("official/table_id=mex_fix");
const CURRENT = "current/official/table_id=mex_fix/publications.parquet";
const VALID_FROM = { first: "1991-11-12", last: "2026-04-13" };

const OfficialFile = Type.Object(
  {
    ...entryFields(PATH, CURRENT, 8612, 96_120),
    valid_from: Type.Object(
      {
        first: field.day("Earliest first day of a publication.", VALID_FROM.first),
        last: field.day("Latest first day of a publication.", VALID_FROM.last),
      },
      { ...CLOSED, description: "Range of the publications' first days.", examples: [VALID_FROM] },
    ),
  },
  { $id: "OfficialFile", ...CLOSED, description: "Every publication of one official table." },
);

export const OfficialManifest = Type.Object(
  {
    format,
    mode,
    version: tableVersion,
    files: Type.Array(OfficialFile, { description: "Every official table, by its id.", examples: [[]] }),
  },
  { $id: "OfficialManifest", ...CLOSED, description: "What the lake holds of official publications." },
);

export const OFFICIAL_MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  version: 318,
  files: [
    {
      path: PATH,
      current: CURRENT,
      rows: 8612,
      bytes: 96_120,
      sha256: DIGEST_EXAMPLE,
      valid_from: VALID_FROM,
    },
  ],
};
