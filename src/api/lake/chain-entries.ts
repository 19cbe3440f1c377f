/** The entries of the signed history as stored and sent, and the head: the newest entry's number and hash. */

import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import { CHAIN_FORMAT } from "#domain/chain/entry.ts";
import { sha256 } from "./model.ts";

const AT = "2026-04-13T14:05:00.000Z";

const sequence = (description: string) => form.count(description, 4127);
export const KEY_EXAMPLE = "21fe31dfa154a261";
export const PUBLIC_KEY_EXAMPLE = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

const keyId = (description: string) => form.text(description, KEY_EXAMPLE, { pattern: "^[0-9a-f]{16}$" });
const public_key = form.text("The 32 bytes of the key in base64.", PUBLIC_KEY_EXAMPLE, {
  pattern: "^[A-Za-z0-9+/]{43}=$",
});
const key = keyId("Id of the key that signs it.");
const signature = form.text(
  "Ed25519 signature of the canonical form without it, in base64.",
  `${"A".repeat(86)}==`,
  { pattern: "^[A-Za-z0-9+/]{86}==$" },
);
const common = {
  sequence: sequence("0 for the first entry, then one more each."),
  previous: sha256("SHA-256 of the canonical form of the entry before; zeros in the first one.", "e3b0"),
  at: form.instant("When it was made, UTC; of a commit the instant in its log entry.", AT),
  key,
  signature,
};
const chain = form.text("Random name of the history.", "0d9e2f0e-6a4b-4f0e-9b0e-3f1c2a5b7d10", {
  format: "uuid",
});
const kind = <const Kind extends string>(value: Kind) => form.oneOf([value], "What the entry is.", value);
const table = form.text("Name of the table.", "daily");
const pinned = (name: string) => form.count(`Version of \`${name}\`.`, 3);

export const ChainCommit = form.named("ChainCommit", "A version of a table.", {
  kind: kind("commit"),
  ...common,
  table,
  version: form.count("Version of the table.", 412),
  sha256: sha256("SHA-256 of the commit's file in `_delta_log`.", "9a0d"),
  files: sha256(
    "SHA-256 of the list of all data files of this version: a line each, its SHA-256, two spaces and its path below the table's folder, by path.",
    "5b3e",
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
  chain,
  mode: form.oneOf(["real", "simulated"], "`simulated` in the demo.", "real"),
  public_key,
});

const ChainKeyChange = form.named("ChainKeyChange", "A new key, signed with the one before it.", {
  kind: kind("key"),
  ...common,
  new_key: keyId("Id of the key that signs the entries after this one."),
  public_key,
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
      description: "The last version that is left; -1 where no version is left.",
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
    chain,
    sequence: sequence("Its sequence."),
    hash: sha256("SHA-256 of its canonical form.", "8c1f"),
    at: form.instant("When it was made, UTC.", AT),
    key,
    signature,
  },
);
