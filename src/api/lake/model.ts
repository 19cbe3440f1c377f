/** Shared by the answers of the lake: the digest of a file, and If-Match. */

import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import type { Parameter } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import type { RespondDeps } from "#api/response/respond.ts";
import type { ResponseHeader } from "#api/words.ts";
import type { LakeFiles } from "#ports.ts";

export const CHAIN_PATH = "/v1/lake/chain";
export const PROOF_PATH = "/v1/lake/proof";
export const WELL_KNOWN_PATH = "/.well-known/crossrate.json";

export interface LakeRouteDeps extends RespondDeps {
  readonly house: House;
  readonly lakeFiles: LakeFiles;
}

/** Any commit may replace a file: caches must confirm their copies by the tag, byte for byte. */
export const REVALIDATED = "public, no-cache, no-transform";

/** Identifies a file by its SHA-256 in hex. */
export function identityOf(sha256: string) {
  const digest = Buffer.from(sha256, "hex").toString("base64");
  return {
    etag: `"${sha256}"`,
    vary: "Accept",
    headers: { "Repr-Digest": `sha-256=:${digest}:` },
  };
}

export const digest: ResponseHeader = {
  name: "Repr-Digest",
  description: "SHA-256 of the whole file, in base64 (RFC 9530): the same digest as in `ETag`.",
  example: "sha-256=:Hwsw6P+fbR9dC7byuNnB8PJMX3xtehobDw5fLUqfjHs=:",
};

export const TAG = {
  schema: Type.String({ maxLength: 512 }),
  example: '"1f0b0e8f9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1f1b0f0e5f2d4a9f8c7b6a"',
  inSampleCall: false,
} as const;

export const ifMatch: Omit<Parameter, "parse"> = {
  ...TAG,
  description: "`ETag` of the version wanted; another one is refused with `precondition_failed`.",
};

export const PART_NAME = "part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet";

/** Completes `daily/source=ecb_daily/year=2026` and the like for an example. */
export function partIn(folder: string): string {
  return `${folder}/${PART_NAME}`;
}

export function sha256(description: string, example: string) {
  return form.text(description, example.padEnd(64, example).slice(0, 64), { pattern: "^[0-9a-f]{64}$" });
}
