/** The manifests of the lake: of daily figures, of intraday quotes, of official publications. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { partIn } from "./parameters.ts";

const CLOSED = { additionalProperties: false };

/** `path` and `current` are examples. */
function entryFields(path: string, current: string, rows: number, bytes: number) {
  return {
    path: Type.String({
      description:
        "Below `/v1/lake/`. What is under this name never changes; a file that was replaced stays for a day at the least.",
      examples: [path],
    }),
    current: Type.String({
      description: "Fixed name below `/v1/lake/`, where the newest file of the partition is.",
      examples: [current],
    }),
    rows: Type.Integer({ minimum: 1, description: "Rows in the file.", examples: [rows] }),
    bytes: Type.Integer({ minimum: 1, description: "Size of the file.", examples: [bytes] }),
    sha256: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Digest of the file in hex; its `ETag`.",
      examples: ["1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b"],
    }),
  };
}

const format = Type.Integer({ minimum: 1, description: "Version of the layout.", examples: [2] });

const mode = Type.Unsafe<"real" | "simulated">({
  type: "string",
  enum: ["real", "simulated"],
  description: "`simulated` in the demo, where all rates are made up.",
});

const tableVersion = Type.Integer({
  minimum: 0,
  description: "Version of the Delta table: one more with every change of its files.",
  examples: [8120],
});

const DIGEST_EXAMPLE = "1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b";

// ── Daily figures ────────────────────────────────────────────────────────────────────────────────

const DAILY_PATH = partIn("daily/source=ecb_daily/year=2026");
const DAILY_CURRENT = "current/daily/source=ecb_daily/year=2026/rates.parquet";

const LakeManifestFile = Type.Object(
  {
    ...entryFields(DAILY_PATH, DAILY_CURRENT, 2030, 48_213),
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
    covered_through: field.day("Last day that the source's documents cover.", "2026-04-13"),
    retrieved_at: field.instant("When that was last seen, UTC.", "2026-04-13T14:05:00Z"),
  },
  { $id: "LakeCoverage", ...CLOSED, description: "How far a source's documents reach." },
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
      path: DAILY_PATH,
      current: DAILY_CURRENT,
      rows: 2030,
      bytes: 48_213,
      sha256: DIGEST_EXAMPLE,
      dates: { first: "2026-01-02", last: "2026-04-13" },
      values: { least: 0.8702, greatest: 19874.2 },
    },
  ],
  manifests: { intraday: "intraday/manifest.json", official: "official/manifest.json" },
};

// ── Intraday quotes ──────────────────────────────────────────────────────────────────────────────

const INTRADAY_PATH = partIn("intraday/date=2026-04-13");
const INTRADAY_CURRENT = "current/intraday/date=2026-04-13/quotes.parquet";
const OBSERVED = { first: "2026-04-13T00:00:21.000Z", last: "2026-04-13T16:29:20.000Z" };

const IntradayFile = Type.Object(
  {
    ...entryFields(INTRADAY_PATH, INTRADAY_CURRENT, 25_920, 412_880),
    observed: Type.Object(
      {
        first: field.instant("Earliest observation, UTC, to the millisecond.", OBSERVED.first),
        last: field.instant("Latest observation, UTC, to the millisecond.", OBSERVED.last),
      },
      { ...CLOSED, description: "Range of the observations.", examples: [OBSERVED] },
    ),
  },
  { $id: "IntradayFile", ...CLOSED, description: "The quotes observed on one UTC day." },
);

export const IntradayManifest = Type.Object(
  {
    format,
    mode,
    version: tableVersion,
    files: Type.Array(IntradayFile, { description: "Every date with quotes, ascending.", examples: [[]] }),
  },
  { $id: "IntradayManifest", ...CLOSED, description: "What the intraday archive holds, date by date." },
);

export const INTRADAY_MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  version: 8120,
  files: [
    {
      path: INTRADAY_PATH,
      current: INTRADAY_CURRENT,
      rows: 25_920,
      bytes: 412_880,
      sha256: DIGEST_EXAMPLE,
      observed: OBSERVED,
    },
  ],
};

// ── Official publications ────────────────────────────────────────────────────────────────────────

const OFFICIAL_PATH = partIn("official/table_id=mex_fix");
const OFFICIAL_CURRENT = "current/official/table_id=mex_fix/publications.parquet";
const VALID_FROM = { first: "1991-11-12", last: "2026-04-13" };

const OfficialFile = Type.Object(
  {
    ...entryFields(OFFICIAL_PATH, OFFICIAL_CURRENT, 8612, 96_120),
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
      path: OFFICIAL_PATH,
      current: OFFICIAL_CURRENT,
      rows: 8612,
      bytes: 96_120,
      sha256: DIGEST_EXAMPLE,
      valid_from: VALID_FROM,
    },
  ],
};
