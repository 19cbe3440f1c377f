/** GET /v1/lake/chain and /.well-known/crossrate.json: the signed history of the lake. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { inQuery } from "#contract/parameters.ts";
import { CHAIN_FORMAT, type Entry } from "#domain/chain/entry.ts";
import { type ChainState, type Head, headOf } from "#domain/chain/state.ts";
import { ChainEntry, ChainHead, COMMIT_EXAMPLE, HEAD_EXAMPLE, PUBLIC_KEY_EXAMPLE } from "./chain-entries.ts";
import { PROOF_PATH } from "./proof.ts";

export const CHAIN_PATH = "/v1/lake/chain";
export const WELL_KNOWN_PATH = "/.well-known/crossrate.json";
const GUIDE_PATH = "/docs/signed-history";
/** Entries of one answer. */
export const MOST_ENTRIES = 1000;

// ── The entries ──────────────────────────────────────────────────────────────────────────────────

const ChainPage = form.named("ChainPage", "A part of the signed history.", {
  result: field.result,
  entries: form.list(ChainEntry, "By ascending sequence, without a gap.", [COMMIT_EXAMPLE]),
  next_from: form.nullable<number>("integer", {
    minimum: 0,
    description: "`from` of the next part; null where this one ends with the newest entry.",
    examples: [null],
  }),
  head: ChainHead,
});

/** `entries` are at most `MOST_ENTRIES` from a sequence on. */
export function chainBody(entries: readonly Entry[], head: Head) {
  const next = (entries.at(-1)?.sequence ?? head.sequence) + 1;
  return {
    result: "success" as const,
    entries,
    next_from: next > head.sequence ? null : next,
    head,
  } satisfies Body<typeof ChainPage>;
}

// ── Keys and head ────────────────────────────────────────────────────────────────────────────────

const WellKnown = form.named("WellKnown", "The public keys and the newest entry of the signed history.", {
  format: form.oneOf([CHAIN_FORMAT], "Form of the entries.", CHAIN_FORMAT),
  mode: form.oneOf(["real", "simulated"], "`simulated` in the demo, where all rates are made up.", "real"),
  keys: form.list(
    form.named("ChainKey", "A key that signs entries, or has signed them.", {
      key: form.text("Its id: the first 16 hex digits of the SHA-256 of the 32 bytes.", HEAD_EXAMPLE.key),
      public_key: form.text("The 32 bytes of the Ed25519 key in base64.", PUBLIC_KEY_EXAMPLE),
      sequence: form.count("The entry that names it.", 0),
    }),
    "In the order of their use; the last one signs.",
    [],
  ),
  head: ChainHead,
  links: form.closed("Where the rest is, below this server's address.", {
    chain: form.text("All entries.", CHAIN_PATH),
    proof: form.text("What proves one rate.", PROOF_PATH),
    guide: form.text("How to check them.", GUIDE_PATH),
  }),
});

export function wellKnownBody(state: ChainState) {
  return {
    format: CHAIN_FORMAT,
    mode: state.mode,
    keys: state.keys,
    head: headOf(state),
    links: { chain: CHAIN_PATH, proof: PROOF_PATH, guide: GUIDE_PATH },
  } satisfies Body<typeof WellKnown>;
}

export const CHAIN: readonly Operation[] = [
  {
    id: "getLakeChain",
    method: "get",
    path: CHAIN_PATH,
    tag: "Lake",
    summary: "The signed history",
    description:
      "An entry for each commit of each table of the lake, chained by hashes and signed with Ed25519. The canonical form of an entry is its JSON without `signature`, with sorted members and without spaces: its SHA-256 is `previous` of the next entry, and it is what the signature is of.",
    parameters: [
      inQuery("from", {
        schema: Type.Integer({ minimum: 0, maximum: 999_999_999, default: 0 }),
        description: "Sequence of the first entry wanted.",
        example: 0,
      }),
      inQuery("limit", {
        schema: Type.Integer({ minimum: 1, maximum: MOST_ENTRIES, default: MOST_ENTRIES }),
        description: "Entries wanted at most.",
        example: 100,
      }),
    ],
    ok: {
      description: "The entries.",
      conditional: true,
      schema: ChainPage,
      example: { result: "success", entries: [COMMIT_EXAMPLE], next_from: null, head: HEAD_EXAMPLE },
    },
    errors: ["invalid_request", "data_unavailable"],
  },
];

export const WELL_KNOWN: readonly Operation[] = [
  {
    id: "getWellKnown",
    method: "get",
    path: WELL_KNOWN_PATH,
    tag: "Service",
    summary: "Public keys and newest entry of the signed history",
    description: "The keys that sign the history of the lake, and its newest entry: what to keep outside.",
    ok: {
      description: "Keys and newest entry.",
      conditional: true,
      schema: WellKnown,
      example: {
        format: CHAIN_FORMAT,
        mode: "real",
        keys: [{ key: HEAD_EXAMPLE.key, public_key: PUBLIC_KEY_EXAMPLE, sequence: 0 }],
        head: HEAD_EXAMPLE,
        links: { chain: CHAIN_PATH, proof: PROOF_PATH, guide: GUIDE_PATH },
      },
    },
    errors: ["data_unavailable"],
  },
];
