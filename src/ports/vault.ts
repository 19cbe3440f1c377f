/** Encrypts secrets that must be shown again, and finds keys without storing them: types only. */

/** AES-256-GCM in two layers. Stored as JSON; every text but `kek_id` is canonical base64url. */
export interface Envelope {
  readonly v: 1;
  /** The master key under which the data key is wrapped. */
  readonly kek_id: string;
  /** 12 bytes of nonce, the 32-byte data key encrypted, 16 bytes of tag. */
  readonly wrapped_dek: string;
  /** 12 bytes: that of `ct`. */
  readonly nonce: string;
  /** The plaintext encrypted under the data key, and 16 bytes of tag. */
  readonly ct: string;
}

/**
 * Whose secret it is: authenticated, not stored, so that an envelope moved to another row does not open. Each of the
 * three holds 1 to 64 of `A-Z a-z 0-9 _ . : -`.
 */
export interface SealedFor {
  readonly org: string;
  readonly id: string;
  readonly purpose: string;
}

/** Why an envelope did not open: `unknown_key`: a master key is missing; the other two are damage. */
export type VaultRefusal = "malformed" | "unknown_key" | "not_authentic";

export interface Vault {
  /** HMAC-SHA256 of a key under the pepper, 64 hex digits: what is stored and indexed of it. Master keys do not change it. */
  lookup(key: string): string;
  /** 16 hex digits that name the pepper: stored with the look-ups, so that a start with another pepper is noticed. */
  readonly pepperMark: string;
  /** The same of every master key, by its id. */
  readonly masterMarks: ReadonlyMap<string, string>;
  /** At most 16,384 bytes of UTF-8. */
  seal(plaintext: string, sealedFor: SealedFor): Promise<Envelope>;
  /** Rejects with VaultFault, whose `refusal` is the reason. */
  open(envelope: Envelope, sealedFor: SealedFor): Promise<string>;
  /** The same plaintext with its data key under the first master key; the ciphertext stays. Rejects with VaultFault. */
  rewrap(envelope: Envelope, sealedFor: SealedFor): Promise<Envelope>;
  /** Whether another than the first master key wraps it. */
  needsRewrap(envelope: Envelope): boolean;
}
