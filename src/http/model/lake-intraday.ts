/** The shape of intraday/manifest.json, format 2. */

import { Type } from "@sinclair/typebox";
import * as field from "./fields.ts";

const CLOSED = { additionalProperties: false };

const IntradayFile = Type.Object(
  {
    path: Type.String({
      description: "Below `/v1/lake/`.",
      examples: ["intraday/date=2026-04-13/quotes.parquet"],
    }),
    rows: Type.Integer({ minimum: 0, description: "Quotes in the file.", examples: [25920] }),
    bytes: Type.Integer({ minimum: 0, description: "Size of the file.", examples: [412_880] }),
    sha256: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Digest of the file in hex; its `ETag`.",
      examples: ["7c1e52d00f6b0c8b3bb2b3fd5c57b9f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b"],
    }),
    observed: Type.Union(
      [
        Type.Object(
          {
            first: field.instant(
              "Earliest observation, UTC, to the millisecond.",
              "2026-04-13T00:00:21.000Z",
            ),
            last: field.instant("Latest observation, UTC, to the millisecond.", "2026-04-13T16:29:20.000Z"),
          },
          CLOSED,
        ),
        Type.Null(),
      ],
      {
        description: "Range of the observations; null for a file without rows.",
        examples: [{ first: "2026-04-13T00:00:21.000Z", last: "2026-04-13T16:29:20.000Z" }],
      },
    ),
  },
  { $id: "IntradayFile", ...CLOSED, description: "The quotes observed on one UTC day." },
);

export const IntradayManifest = Type.Object(
  {
    format: Type.Integer({ minimum: 1, description: "Version of the layout.", examples: [2] }),
    mode: Type.Unsafe<"real" | "simulated">({
      type: "string",
      enum: ["real", "simulated"],
      description: "`simulated` in the demo, where all rates are made up.",
    }),
    sequence: Type.Integer({
      minimum: 0,
      description: "Grows with every change of the files: of its own, apart from the daily figures.",
      examples: [8120],
    }),
    files: Type.Array(IntradayFile, { description: "Every date with quotes, ascending.", examples: [[]] }),
  },
  { $id: "IntradayManifest", ...CLOSED, description: "What the intraday archive holds, date by date." },
);

export const INTRADAY_MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  sequence: 8120,
  files: [
    {
      path: "intraday/date=2026-04-13/quotes.parquet",
      rows: 25_920,
      bytes: 412_880,
      sha256: "7c1e52d00f6b0c8b3bb2b3fd5c57b9f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b",
      observed: { first: "2026-04-13T00:00:21.000Z", last: "2026-04-13T16:29:20.000Z" },
    },
  ],
};
