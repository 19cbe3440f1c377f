/** GET /v1/lake/chain and /.well-known/crossrate.json: the signed history of the lake. */

import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { integer, query } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { cacheFor } from "#api/response/headers.ts";
import { words } from "#api/words.ts";
import { CHAIN_FORMAT, type Entry } from "#domain/chain/entry.ts";
import { type ChainState, type Head, headOf } from "#domain/chain/state.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { SignedHistory } from "#ports.ts";
import { ChainEntry, ChainHead, KEY_EXAMPLE, PUBLIC_KEY_EXAMPLE } from "./chain-entries.ts";
import { CHAIN_PATH, PROOF_PATH, WELL_KNOWN_PATH } from "./model.ts";

const LINKS = { chain: CHAIN_PATH, proof: PROOF_PATH, guide: "/docs/signed-history" };
const MOST_ENTRIES = 1000;

// ── The entries ──────────────────────────────────────────────────────────────────────────────────

const ChainPage = form.named("ChainPage", "A part of the signed history.", {
  result: field.result,
  entries: form.list(ChainEntry, "By ascending sequence, without a gap."),
  next_from: form.nullable<number>("integer", {
    minimum: 0,
    description: "`from` of the next part; null where this one ends with the newest entry.",
    examples: [null],
  }),
  head: ChainHead,
});

/** `entries` are at most `MOST_ENTRIES`, from a sequence on. */
function chainBody(entries: readonly Entry[], head: Head) {
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
  mode: form.oneOf(
    ["real", "simulated"],
    "`simulated` in the demo, where only the history of the ECB that it began with is real.",
    "real",
  ),
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

function wellKnownBody(state: ChainState) {
  return {
    format: CHAIN_FORMAT,
    mode: state.mode,
    keys: state.keys,
    head: headOf(state),
    links: LINKS,
  } satisfies Body<typeof WellKnown>;
}

// ── Routes ───────────────────────────────────────────────────────────────────────────────────────

/** The largest sequence of a request. */
const LAST = 999_999_999;

const from = integer("from", {
  least: 0,
  most: LAST,
  fallback: 0,
  description: "Sequence of the first entry wanted.",
  example: 0,
});
const limit = integer("limit", {
  least: 1,
  most: MOST_ENTRIES,
  fallback: MOST_ENTRIES,
  description: "Entries wanted at most.",
  example: 100,
});

/** A commit may come at any moment. */
const reply = { cacheControl: cacheFor(5) };

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
        // Entries appended meanwhile are beyond the head that is sent with them.
        const entries = signedHistory?.entries(from, Math.min(limit, state.sequence - from + 1)) ?? [];
        return chainBody(entries, headOf(state));
      },
      {
        metered: { isLarge: true },
        reply,
        query: query({ from, limit }),
        detail: words({
          id: "getLakeChain",
          tag: "Lake",
          summary: "The signed history",
          description:
            "An entry for each commit of each table of the lake, chained by hashes and signed with Ed25519. The canonical form of an entry is its JSON without `signature`, with sorted members and without spaces: its SHA-256 is `previous` of the next entry, and it is what the signature is of.",
          ok: {
            description: "The entries.",
            conditional: true,
            schema: ChainPage,
          },
          errors: ["invalid_request", "data_unavailable"],
        }),
      },
    )
    .get(WELL_KNOWN_PATH, async () => wellKnownBody(stateNow()), {
      reply,
      detail: words({
        id: "getWellKnown",
        tag: "Service",
        summary: "Public keys and newest entry of the signed history",
        description:
          "The keys that sign the history of the lake, and its newest entry: what to keep outside.",
        ok: {
          description: "Keys and newest entry.",
          conditional: true,
          schema: WellKnown,
        },
        errors: ["data_unavailable"],
      }),
    });
};
