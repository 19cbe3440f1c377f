/** GET /v1/lake/chain, /v1/lake/proof/{from_ccy}/{to_ccy} and /.well-known/crossrate.json: the signed history of the lake. */

import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { earliestOf, queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { cacheFor } from "#api/response/headers.ts";
import { type JsonDeps, respondTagged } from "#api/response/json.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { CHAIN_PATH, chainBody, MOST_ENTRIES, WELL_KNOWN_PATH, wellKnownBody } from "#contract/lake/chain.ts";
import { PROOF_PATH, proofBody } from "#contract/lake/proof.ts";
import { type ChainState, headOf } from "#domain/chain/state.ts";
import { parsePair } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { dateOf, integerOf, required, textOf } from "#rates/parameters.ts";
import { type ProofDeps, proof, unproved } from "#rates/proof.ts";

export interface ChainRouteDeps extends ProofDeps, JsonDeps {
  readonly meter: Meter;
  readonly large: LargeBodies;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
}

/** The last sequence that can be asked for. */
const LAST = 999_999_999;
const VERSION = /^\d{1,15}-[0-9a-z]{1,12}$/;
/** A commit may come at any moment. */
const CACHED = cacheFor(5);

export function chainRoutes(deps: ChainRouteDeps): Route[] {
  const sendEntries = (request: Request) => {
    const query = queryOf(request);
    const from = integerOf(query, "from", 0, LAST, 0);
    const most = integerOf(query, "limit", 1, MOST_ENTRIES, MOST_ENTRIES);
    return deps.meter.run(request, ONE_CALL, () => {
      const state = stateOf(deps);
      // What is appended meanwhile is beyond the head that is sent with it.
      const entries = deps.signedHistory?.entries(from, Math.min(most, state.sequence - from + 1)) ?? [];
      return respondTagged(request, deps, CACHED, chainBody(entries, headOf(state)));
    });
  };
  const sendProof = (request: Request, params: Params) => {
    const [from, to] = parsePair(params["from_ccy"] ?? "", params["to_ccy"] ?? "");
    const query = queryOf(request);
    const day = dateOf(required(query, "date"));
    const version = textOf(query, "version");
    if (version !== null && !VERSION.test(version)) throw unproved("as given");
    return deps.meter.run(request, { cost: 1, earliest: earliestOf(day) }, () =>
      // An older version may have to be read: one at a time for each address.
      deps.turns.slot(deps.callerOf(request), async () => {
        const proven = await proof(deps, { from, to, day, version });
        return respondTagged(request, deps, CACHED, proofBody(proven));
      }),
    );
  };
  return [
    { method: "GET", path: CHAIN_PATH, handle: sendEntries, isMetered: true },
    { method: "GET", path: `${PROOF_PATH}/:from_ccy/:to_ccy`, handle: sendProof, isMetered: true },
    {
      method: "GET",
      path: WELL_KNOWN_PATH,
      handle: (request) => respondTagged(request, deps, CACHED, wellKnownBody(stateOf(deps))),
    },
  ];
}

/** Failure `data_unavailable` before the first commit was signed. */
function stateOf({ signedHistory }: Pick<ProofDeps, "signedHistory">): ChainState {
  const state = signedHistory?.state() ?? null;
  if (state === null) throw new Failure("data_unavailable", { reason: "this server has signed nothing yet" });
  return state;
}
