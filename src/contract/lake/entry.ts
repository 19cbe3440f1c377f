/** What every entry of a manifest has, whichever table it is of. */

import { Type } from "@sinclair/typebox";

export const CLOSED = { additionalProperties: false };

/** `path` and `current` are examples. */
export function entryFields(path: string, current: string, rows: number, bytes: number) {
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

export const format = Type.Integer({ minimum: 1, description: "Version of the layout.", examples: [2] });

export const mode = Type.Unsafe<"real" | "simulated">({
  type: "string",
  enum: ["real", "simulated"],
  description: "`simulated` in the demo, where all rates are made up.",
});

export const tableVersion = Type.Integer({
  minimum: 0,
  description: "Version of the Delta table: one more with every change of its files.",
  examples: [8120],
});

export const DIGEST_EXAMPLE = "1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b";
