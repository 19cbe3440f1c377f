/** A short signed history with every kind of entry, for tests that need no lake. */

import { generateKeyPairSync } from "node:crypto";
import {
  CHAIN_FORMAT,
  type Entry,
  type EntryBody,
  filesText,
  hashOf,
  NO_HASH,
  readSigningKey,
  type SignedCommit,
  type SigningKey,
  sealed,
  sha256,
} from "#domain/chain/entry.ts";
import { advance, type ChainState } from "#domain/chain/state.ts";
import type { SignedHistory } from "#ports.ts";

export function newSigningKey(): SigningKey {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" });
  const key = readSigningKey(pem.toString());
  if (key === null) throw new Error("a new key cannot be read");
  return key;
}

const AT = "2026-04-13T14:05:00.000Z";

function extend(entries: Entry[], key: SigningKey, said: object): void {
  const last = entries.at(-1);
  const place = { sequence: entries.length, previous: last === undefined ? NO_HASH : hashOf(last) };
  entries.push(sealed({ at: AT, ...said, ...place, key: key.id } as EntryBody, key));
}

/** The dataset's version is proved by the last entry; every file has the same digest. */
export function sampleHistory(version: string): SignedHistory {
  const [first, second] = [newSigningKey(), newSigningKey()];
  const entries: Entry[] = [];
  const fileOf = (source: string, year: number) => ({
    path: `daily/source=${source}/year=${year}/part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet`,
    bytes: 48_213,
    sha256: "1f".repeat(32),
  });
  const files = filesText([
    { path: fileOf("ecb_daily", 2026).path.slice("daily/".length), sha256: "1f".repeat(32) },
  ]);
  const chain = "0d9e2f0e-6a4b-4f0e-9b0e-3f1c2a5b7d10";
  extend(entries, first, {
    kind: "begin",
    format: CHAIN_FORMAT,
    chain,
    mode: "real",
    public_key: first.publicKey,
  });
  extend(entries, first, { kind: "key", new_key: second.id, public_key: second.publicKey });
  extend(entries, second, { kind: "resume", table: "daily", version: 3 });
  const digests = { sha256: "9a".repeat(32), files: sha256(files) };
  const pins = { revisions: 1, held: 2, statements: 3 };
  extend(entries, second, { kind: "commit", table: "daily", version: 4, ...digests, with: pins });
  const state = entries.reduce<ChainState | null>((before, entry) => advance(before, entry).state, null);
  return {
    state: () => state,
    entries: (from, most) => entries.slice(from, from + most),
    proven: (name) =>
      name === version ? { version, entry: entries.at(-1) as SignedCommit, files, fileOf } : null,
  };
}
