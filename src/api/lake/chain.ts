/** GET /v1/lake/chain and /.well-known/crossrate.json: the signed history of the lake. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { integer, query } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import type { Body } from "#api/print.ts";
import { cacheFor } from "#api/response/headers.ts";
import { operation } from "#api/words.ts";
import { CHAIN_FORMAT } from "#domain/chain/entry.ts";
import { type ChainState, headOf } from "#domain/chain/state.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { SignedHistory } from "#ports.ts";
import { CHAIN_PATH, mode, PROOF_PATH, WELL_KNOWN_PATH } from "./manifests.ts";

const AT = "2026-04-13T14:05:00.000Z";

const sequence = (description: string) => form.count(description, 4127);
const KEY_EXAMPLE = "21fe31dfa154a261";
const PUBLIC_KEY_EXAMPLE = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

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
  previous: form.sha256("SHA-256 of the canonical form of the entry before; zeros in the first one.", "e3b0"),
  at: form.instant("When it was made, UTC; of a commit the instant in its log entry.", AT),
  key,
  signature,
};
const chainName = form.text("Random name of the history.", "0d9e2f0e-6a4b-4f0e-9b0e-3f1c2a5b7d10", {
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
  sha256: form.sha256("SHA-256 of the commit's file in `_delta_log`.", "9a0d"),
  files: form.sha256(
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
  chain: chainName,
  mode: form.oneOf(["real", "simulated"], "`simulated` in the demo.", "real"),
  public_key,
});

const ChainKeyChange = form.named("ChainKeyChange", "A new key, signed with the one before it.", {
  kind: kind("key"),
  ...common,
  new_key: keyId("Id of the key that signs the entries after this one."),
  public_key,
});

const ChainResume = form.named("ChainResume", "After a repair: what was signed after `version` is void.", {
  kind: kind("resume"),
  ...common,
  table,
  version: Type.Integer({
    minimum: -1,
    description: "The last version that is left; -1 where no version is left.",
    examples: [411],
  }),
});

const ChainEntry = form.eitherOf(
  "ChainEntry",
  [ChainCommit, ChainBegin, ChainKeyChange, ChainResume],
  "An entry of the signed history. `kind` says which.",
);

export const ChainHead = form.named("ChainHead", "The newest entry: kept outside, it finds any rewriting.", {
  chain: chainName,
  sequence: sequence("Its sequence."),
  hash: form.sha256("SHA-256 of its canonical form.", "8c1f"),
  at: form.instant("When it was made, UTC.", AT),
  key,
  signature,
});

const LINKS = { chain: CHAIN_PATH, proof: PROOF_PATH, guide: "/docs/signed-history" };
const MOST_ENTRIES = 1000;

const ChainPage = field.answer("ChainPage", "A part of the signed history.", {
  entries: form.list(ChainEntry, "By ascending sequence, without a gap."),
  next_from: form.countOrNull("`from` of the next part; null where this one has the newest entry.", null),
  head: ChainHead,
});

const WellKnown = form.named("WellKnown", "The public keys and the newest entry of the signed history.", {
  format: form.oneOf([CHAIN_FORMAT], "Form of the entries.", CHAIN_FORMAT),
  mode: { ...mode, examples: ["real"] },
  keys: form.list(
    form.named("ChainKey", "A key that signs entries, or has signed them.", {
      key: form.text("Its id: the first 16 hex digits of the SHA-256 of the 32 bytes.", KEY_EXAMPLE),
      public_key: form.text("The 32 bytes of the Ed25519 key in base64.", PUBLIC_KEY_EXAMPLE),
      sequence: form.count("The entry that names it.", 0),
    }),
    "In the order of their use; the last one signs.",
  ),
  head: ChainHead,
  links: form.closed("Where the rest is, below this server's address.", {
    chain: form.text("All entries.", LINKS.chain),
    proof: form.text("What proves one rate.", LINKS.proof),
    guide: form.text("How to check them.", LINKS.guide),
  }),
});

/** The largest sequence that a request may send. */
const LAST = 999_999_999;

const from = integer({
  ...{ least: 0, most: LAST, fallback: 0, example: 0 },
  description: "Sequence of the first entry wanted.",
});
const limit = integer({
  ...{ least: 1, most: MOST_ENTRIES, fallback: MOST_ENTRIES, example: 100 },
  description: "Entries wanted at most.",
});

/** A commit may come at any moment. */
export const reply = { cacheControl: cacheFor(5) };

/** `signedHistory` is null on a server without signatures. */
export const chain = ({
  house,
  signedHistory,
}: {
  readonly house: House;
  readonly signedHistory: SignedHistory | null;
}) => {
  /** Fails with `data_unavailable` before the first signed commit. */
  const stateNow = (): ChainState => {
    const state = signedHistory?.state() ?? null;
    if (state !== null) return state;
    throw new Failure("data_unavailable", { reason: "this server has signed nothing yet" });
  };
  return new Elysia({ name: "lake-chain" })
    .use(house)
    .get(
      CHAIN_PATH,
      async ({ query: { from, limit } }) => {
        const state = stateNow();
        // Leaves out entries that are appended after the head was read.
        const entries = signedHistory?.entries(from, Math.min(limit, state.sequence - from + 1)) ?? [];
        const head = headOf(state);
        const next = (entries.at(-1)?.sequence ?? head.sequence) + 1;
        const next_from = next > head.sequence ? null : next;
        return { result: "success", entries, next_from, head } satisfies Body<typeof ChainPage>;
      },
      operation({
        metered: { isLarge: true },
        reply,
        query: query({ from, limit }),
        id: "getLakeChain",
        tag: "Lake",
        summary: "The signed history",
        description:
          "An entry for each commit of each table of the lake, chained by hashes and signed with Ed25519. The canonical form of an entry is its JSON without `signature`, with sorted members and without spaces: its SHA-256 is `previous` of the next entry, and it is what the signature is of.",
        ok: ChainPage,
        errors: ["data_unavailable"],
      }),
    )
    .get(
      WELL_KNOWN_PATH,
      async () => {
        const state = stateNow();
        const { mode, keys } = state;
        return { format: CHAIN_FORMAT, mode, keys, head: headOf(state), links: LINKS } satisfies Body<
          typeof WellKnown
        >;
      },
      operation({
        reply,
        id: "getWellKnown",
        tag: "Service",
        summary: "Public keys and newest entry of the signed history",
        description: "The keys that sign the history, and its newest entry: what to keep outside.",
        ok: WellKnown,
        errors: ["data_unavailable"],
      }),
    );
};
