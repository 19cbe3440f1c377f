/** The shape of the lake's manifest.json, format 1. */

import { Type } from "@sinclair/typebox";
import * as field from "./fields.ts";

const FORMAT = { additionalProperties: false };

const LakeManifestFile = Type.Object(
  {
    path: Type.String({
      description: "Below `/v1/lake/`.",
      examples: ["daily/source=ecb_daily/year=2026/rates.parquet"],
    }),
    rows: Type.Integer({ minimum: 0, description: "Rows in the file.", examples: [2030] }),
    bytes: Type.Integer({ minimum: 0, description: "Size of the file.", examples: [48213] }),
    sha256: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Digest of the file in hex; its `ETag`.",
      examples: ["1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b"],
    }),
    dates: Type.Union(
      [
        Type.Object(
          {
            first: field.day("Earliest date.", "2026-01-02"),
            last: field.day("Latest date.", "2026-04-13"),
          },
          FORMAT,
        ),
        Type.Null(),
      ],
      {
        description: "Range of the dates; null for a file without rows.",
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
          FORMAT,
        ),
        Type.Null(),
      ],
      {
        description: "Range of the values; null where none is a number.",
        examples: [{ least: 0.8702, greatest: 19874.2 }],
      },
    ),
  },
  { $id: "LakeManifestFile", ...FORMAT, description: "One data file." },
);

const LakeCoverage = Type.Object(
  {
    source: field.meaning(field.SourceModel, "The source.", "ecb_daily"),
    covered_through: field.day("Last day that the source's documents have spoken for.", "2026-04-13"),
    retrieved_at: field.instant("When that was last seen, UTC.", "2026-04-13T14:05:00Z"),
  },
  { $id: "LakeCoverage", ...FORMAT, description: "How far a source's documents have spoken." },
);

export const LakeManifest = Type.Object(
  {
    format: Type.Integer({ minimum: 1, description: "Version of the layout.", examples: [1] }),
    mode: Type.Unsafe<"real" | "simulated">({
      type: "string",
      enum: ["real", "simulated"],
      description: "`simulated` in the demo, where all rates are made up.",
    }),
    sequence: Type.Integer({
      minimum: 0,
      description: "Grows with every commit that changes data.",
      examples: [412],
    }),
    version: Type.String({
      description: "The sequence and a digest of all files.",
      examples: ["412-9b1f0c7a5e2d4f68"],
    }),
    coverage: Type.Array(LakeCoverage, { description: "One entry a source.", examples: [[]] }),
    files: Type.Array(LakeManifestFile, { description: "Every data file, by path.", examples: [[]] }),
    manifests: Type.Optional(
      Type.Object(
        {
          intraday: Type.String({
            description: "That of the intraday quotes, below `/v1/lake/`.",
            examples: ["intraday/manifest.json"],
          }),
        },
        {
          ...FORMAT,
          description:
            "Manifests of tables that change more often than this one. Absent until the first commit of a lake that is older than this member.",
        },
      ),
    ),
  },
  { $id: "LakeManifest", ...FORMAT, description: "What the lake holds of daily figures, file by file." },
);

export const MANIFEST_EXAMPLE = {
  format: 1,
  mode: "real" as const,
  sequence: 412,
  version: "412-9b1f0c7a5e2d4f68",
  coverage: [
    { source: "ecb_daily" as const, covered_through: "2026-04-13", retrieved_at: "2026-04-13T14:05:00Z" },
  ],
  files: [
    {
      path: "daily/source=ecb_daily/year=2026/rates.parquet",
      rows: 2030,
      bytes: 48213,
      sha256: "1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b",
      dates: { first: "2026-01-02", last: "2026-04-13" },
      values: { least: 0.8702, greatest: 19874.2 },
    },
  ],
  manifests: { intraday: "intraday/manifest.json" },
};
