/** The shape of /v1/lake/manifest.json: the tables of daily figures. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { CLOSED, DIGEST_EXAMPLE, entryFields, format, mode } from "./entry.ts";
import { partIn } from "./parameters.ts";

const PATH = partIn("daily/source=ecb_daily/year=2026");
const CURRENT = "current/daily/source=ecb_daily/year=2026/rates.parquet";

const LakeManifestFile = Type.Object(
  {
    ...entryFields(PATH, CURRENT, 2030, 48_213),
    dates: Type.Object(
      {
        first: field.day("Earliest date.", "2026-01-02"),
        last: field.day("Latest date.", "2026-04-13"),
      },
      {
        ...CLOSED,
        description: "Range of the dates.",
        examples: [{ first: "2026-01-02", last: "2026-04-13" }],
      },
    ),
    values: Type.Union(
      [
        Type.Object(
          {
            least: Type.Number({ description: "Smallest value.", examples: [0.8702] }),
            greatest: Type.Number({ description: "Largest value.", examples: [19874.2] }),
          },
          { $id: "LakeValueRange", ...CLOSED, description: "Smallest and largest value of a file." },
        ),
        Type.Null(),
      ],
      {
        description: "Range of the values; null for the figures held back, which need not be numbers.",
        examples: [{ least: 0.8702, greatest: 19874.2 }],
      },
    ),
  },
  { $id: "LakeManifestFile", ...CLOSED, description: "One data file." },
);

const LakeCoverage = Type.Object(
  {
    source: field.meaning(field.SourceModel, "The source.", "ecb_daily"),
    covered_through: field.day("Last day that the source's documents have spoken for.", "2026-04-13"),
    retrieved_at: field.instant("When that was last seen, UTC.", "2026-04-13T14:05:00Z"),
  },
  { $id: "LakeCoverage", ...CLOSED, description: "How far a source's documents have spoken." },
);

const manifests = Type.Object(
  {
    intraday: Type.String({
      description: "That of the intraday quotes, below `/v1/lake/`.",
      examples: ["intraday/manifest.json"],
    }),
    official: Type.Optional(
      Type.String({
        description:
          "That of the official publications, below `/v1/lake/`; absent where none are collected, and before the first.",
        examples: ["official/manifest.json"],
      }),
    ),
  },
  { ...CLOSED, description: "Manifests of tables that change at other times than this one." },
);

export const LakeManifest = Type.Object(
  {
    format,
    mode,
    version: Type.String({
      description:
        "Version of the daily figures: changes with every commit that changes data, and is never used again.",
      examples: ["412-mm0k3f1c"],
    }),
    coverage: Type.Array(LakeCoverage, { description: "One entry a source.", examples: [[]] }),
    files: Type.Array(LakeManifestFile, {
      description: "Every data file of this version: `daily`, then `revisions`, then `held`, each by path.",
      examples: [[]],
    }),
    manifests,
  },
  { $id: "LakeManifest", ...CLOSED, description: "What the lake holds of daily figures, file by file." },
);

export const MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  version: "412-mm0k3f1c",
  coverage: [
    { source: "ecb_daily" as const, covered_through: "2026-04-13", retrieved_at: "2026-04-13T14:05:00Z" },
  ],
  files: [
    {
      path: PATH,
      current: CURRENT,
      rows: 2030,
      bytes: 48_213,
      sha256: DIGEST_EXAMPLE,
      dates: { first: "2026-01-02", last: "2026-04-13" },
      values: { least: 0.8702, greatest: 19874.2 },
    },
  ],
  manifests: { intraday: "intraday/manifest.json", official: "official/manifest.json" },
};
