/** Paths of the lake's signed history. */

export const CHAIN_PATH = "/v1/lake/chain";
export const PROOF_PATH = "/v1/lake/proof";
export const WELL_KNOWN_PATH = "/.well-known/crossrate.json";
