/** Signature algorithms that a provider's tokens may have. */

/** Verified with a public key. A secret shared with the provider would let every holder of it sign. */
// biome-ignore format: a list of names
export const ASYMMETRIC_ALGORITHMS = [
  "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
] as const;
export type AsymmetricAlgorithm = (typeof ASYMMETRIC_ALGORITHMS)[number];
