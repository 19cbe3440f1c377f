/** What a sign-in elsewhere has to remember until its callback, sealed into one cookie: nothing is kept on the server. */

import type { Instant } from "#domain/time/day.ts";
import type { Envelope, Vault } from "#ports/vault.ts";

export interface BegunState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly expiresAt: Instant;
}

const SEALED_FOR = { org: "-", id: "sign-in", purpose: "oidc" };

export async function sealBegun(vault: Vault, begun: BegunState): Promise<string> {
  const envelope = await vault.seal(JSON.stringify(begun), SEALED_FOR);
  return Buffer.from(JSON.stringify(envelope)).toString("base64url");
}

/** null for whatever this product has not sealed. */
export async function openBegun(vault: Vault, cookie: string): Promise<BegunState | null> {
  try {
    const envelope = JSON.parse(Buffer.from(cookie, "base64url").toString()) as Envelope;
    return JSON.parse(await vault.open(envelope, SEALED_FOR)) as BegunState;
  } catch {
    return null;
  }
}
