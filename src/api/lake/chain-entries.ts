/** The entries of the signed history as they are stored and sent, and the head: the newest entry's number and hash. */

import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import { CHAIN_FORMAT } from "#domain/chain/entry.ts";

const HASH = { pattern: "^[0-9a-f]{64}$" };
const KEY = { pattern: "^[0-9a-f]{16}$" };
const SIGNATURE = { pattern: "^[A-Za-z0-9+/]{86}==$" };
const PUBLIC_KEY = { pattern: "^[A-Za-z0-9+/]{43}=$" };
const CHAIN_ID = "0d9e2f0e-6a4b-4f0e-9b0e-3f1c2a5b7d10";
export const PUBLIC_KEY_EXAMPLE = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

export const HEAD_EXAMPLE = {
  chain: CHAIN_ID,
  sequence: 4127,
  hash: "8c1f".repeat(16),
  at: "2026-04-13T14:05:00.000Z",
  key: "21fe31dfa154a261",
  signature: `${"A".repeat(86)}==`,
};

export const COMMIT_EXAMPLE = {
  at: HEAD_EXAMPLE.at,
  files: "5b3e".repeat(16),
  key: HEAD_EXAMPLE.key,
  kind: "commit" as const,
  previous: "e3b0".repeat(16),
  sequence: HEAD_EXAMPLE.sequence,
  sha256: "9a0d".repeat(16),
  signature: HEAD_EXAMPLE.signature,
  table: "daily",
  version: 412,
  with: { held: 3, revisions: 17, statements: 208 },
};

const signature = form.text(
  "Ed25519 signature of the canonical form without it, in base64.",
  HEAD_EXAMPLE.signature,
  SIGNATURE,
);
const key = form.text("Id of the key that signs it.", HEAD_EXAMPLE.key, KEY);
const common = {
  sequence: form.count("0 for the first entry, then one more each.", HEAD_EXAMPLE.sequence),
  previous: form.text(
    "SHA-256 of the canonical form of the entry before; zeros in the first one.",
    COMMIT_EXAMPLE.previous,
    HASH,
  ),
  at: form.instant("When it was made, UTC; of a commit the instant in its log entry.", HEAD_EXAMPLE.at),
  key,
  signature,
};
const kind = <const Kind extends string>(value: Kind) => form.oneOf([value], "What the entry is.", value);
const table = form.text("Name of the table.", "daily");
const publicKey = form.text("The 32 bytes of the key in base64.", PUBLIC_KEY_EXAMPLE, PUBLIC_KEY);
const pinned = (name: string) => form.count(`Version of \`${name}\`.`, 3);

export const ChainCommit = form.named("ChainCommit", "A version of a table.", {
  kind: kind("commit"),
  ...common,
  table,
  version: form.count("Version of the table.", 412),
  sha256: form.text("SHA-256 of the commit's file in `_delta_log`.", COMMIT_EXAMPLE.sha256, HASH),
  files: form.text(
    "SHA-256 of the list of all data files of this version: a line each, its SHA-256, two spaces and its path below the table's folder, by path.",
    COMMIT_EXAMPLE.files,
    HASH,
  ),
  with: Type.Optional(
    form.closed("Of `daily`: the versions of the other tables that belong to this one.", {
      revisions: pinned("revisions"),
      held: pinned("held"),
      statements: Type.Optional(pinned("statements")),
    }),
  ),
});

const ChainBegin = form.named("ChainBegin", "The first entry.", {
  kind: kind("begin"),
  ...common,
  format: form.oneOf([CHAIN_FORMAT], "Form of the entries.", CHAIN_FORMAT),
  chain: form.text("Random name of the history.", CHAIN_ID, { format: "uuid" }),
  mode: form.oneOf(["real", "simulated"], "`simulated` in the demo.", "real"),
  public_key: publicKey,
});

const ChainKeyChange = form.named("ChainKeyChange", "A new key, signed with the one before it.", {
  kind: kind("key"),
  ...common,
  new_key: form.text("Id of the key that signs the entries after this one.", HEAD_EXAMPLE.key, KEY),
  public_key: publicKey,
});

const ChainResume = form.named(
  "ChainResume",
  "After a repair: the table goes on after `version`, and what was signed of it beyond that is given up.",
  {
    kind: kind("resume"),
    ...common,
    table,
    version: Type.Integer({
      minimum: -1,
      description: "The last version that is left; -1 where there is none.",
      examples: [411],
    }),
  },
);

export const ChainEntry = form.eitherOf(
  "ChainEntry",
  [ChainCommit, ChainBegin, ChainKeyChange, ChainResume],
  "An entry of the signed history. `kind` says which.",
);

export const ChainHead = form.named(
  "ChainHead",
  "The newest entry. Kept outside the server it finds any rewriting of what came before it.",
  {
    chain: form.text("Random name of the history.", CHAIN_ID, { format: "uuid" }),
    sequence: form.count("Its sequence.", HEAD_EXAMPLE.sequence),
    hash: form.text("SHA-256 of its canonical form.", HEAD_EXAMPLE.hash, HASH),
    at: form.instant("When it was made, UTC.", HEAD_EXAMPLE.at),
    key,
    signature,
  },
);
