/** GET /v1/lake/proof/{from_ccy}/{to_ccy}: the proof that a rate was in a version of the lake. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { pair, path, query, requiredDay, text } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { print, printedBy } from "#api/print.ts";
import { earliestOf } from "#api/request/query.ts";
import type { TurnDeps } from "#api/response/json.ts";
import { NO_PAST_RATE, operation } from "#api/words.ts";
import type { Proof } from "#domain/chain/state.ts";
import { type ProofDeps, proof as prove, unproved } from "#rates/explain.ts";
import { ChainCommit, ChainHead, reply } from "./chain.ts";
import { PART_NAME, PROOF_PATH, partIn } from "./manifests.ts";

const ProofFile = form.named("ProofFile", "The data file that has a figure.", {
  path: form.text("Below `/v1/lake/`.", partIn("daily/source=ecb_daily/year=2026")),
  bytes: form.count("Its size.", 48_213, 1),
  sha256: form.sha256("Its SHA-256, as in `files`.", "1f0b"),
});

const ProofLeg = form.named("ProofLeg", "A figure that the rate is made of.", {
  operation: form.oneOf(["multiply", "divide"], "What the figure does in the computation.", "multiply"),
  source: field.source,
  date: form.day("Day of the figure.", "2026-04-10"),
  base: form.meaning(field.CurrencyCodeModel, "1 unit of this currency …", "EUR"),
  quote: form.meaning(field.CurrencyCodeModel, "… is `value` units of this one.", "USD"),
  value: form.meaning(field.rate, "The figure as published: `printed` of its row in the file.", 1.1671),
  revision: form.count("1 for the first value of the figure, one more for each change.", 1, 1),
  file: ProofFile,
});

const LakeProof = field.answer("LakeProof", "What proves that a rate was in a version of the lake.", {
  version: form.text("Version of the daily figures, as in the manifest.", "412-mm0k3f1c"),
  base: { ...field.base, examples: ["EUR"] },
  symbol: form.meaning(field.CurrencyCodeModel, "The currency wanted.", "USD"),
  date: form.day("The day asked for.", "2026-04-11"),
  rate: { ...field.rate, examples: [1.1671] },
  derived: { ...field.derived, examples: [false] },
  legs: form.list(ProofLeg, "The figures, as the rate is computed from them."),
  files: form.text(
    "The list of all data files of the version; its SHA-256 is `files` of the entry.",
    `${"1f0b".repeat(16)}  source=ecb_daily/year=2026/${PART_NAME}\n`,
  ),
  entry: printedBy(
    form.meaning(ChainCommit, "The signed entry of the version of `daily`."),
    (signed: Proof["entry"]) => signed,
  ),
  head: printedBy(ChainHead, (signed: Proof["head"]) => signed),
});

const proofBody = (proof: Proof) =>
  print(LakeProof, {
    ...proof,
    base: proof.from,
    symbol: proof.to,
    date: proof.day,
    legs: proof.legs.map((leg) => ({
      ...leg,
      operation: leg.multiplies ? ("multiply" as const) : ("divide" as const),
      value: leg.printed,
    })),
  });

const VERSION = /^\d{1,15}-[0-9a-z]{1,12}$/;

/** Null means the newest. */
const anyVersion = text({
  schema: Type.String({ pattern: VERSION.source }),
  description:
    "Version of the daily figures, as in the manifest; absent: the newest. An older one has no day after its commit.",
  example: "412-mm0k3f1c",
  inSampleCall: false,
});
const version: typeof anyVersion = {
  ...anyVersion,
  parse: (...sent) => {
    const version = anyVersion.parse(...sent);
    if (version !== null && !VERSION.test(version)) throw unproved("as given");
    return version;
  },
};

const date = requiredDay({
  description: "Day of the rate, `YYYY-MM-DD`, UTC.",
  example: "2026-04-11",
});

const both = pair("EUR", "USD");

export const proof = ({ house, ...deps }: ProofDeps & TurnDeps & { readonly house: House }) =>
  new Elysia({ name: "lake-proof" }).use(house).get(
    `${PROOF_PATH}/:from_ccy/:to_ccy`,
    async ({ request, params: { from_ccy }, query: { date: day, version }, caller }) => {
      const [from, to] = from_ccy;
      caller.reach(earliestOf(day));
      // An older version may have to be read: one at a time for each address.
      return await deps.turns.slot(request, async () =>
        proofBody(await prove(deps, { from, to, day, version })),
      );
    },
    operation({
      metered: { isLarge: true },
      reply,
      params: path(both),
      query: query({ date, version }),
      id: "getLakeProof",
      tag: "Lake",
      summary: "What proves a rate",
      description:
        "The figures of a day's rate, the data files that have them, the list of all files of the version, and the signed entry that has the digest of that list. It is the rate of `/v1/{date}`, digit for digit.",
      ok: LakeProof,
      errors: [...NO_PAST_RATE, "invalid_request", "not_found"],
    }),
  );
