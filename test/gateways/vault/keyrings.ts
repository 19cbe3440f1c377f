/** Keyrings for the tests: keys with fixed bytes. */

import { type Keyring, type KeyringSettings, readKeyring } from "#gateways/vault/keyring.ts";

/** 32 bytes that count up from `first`, in base64. */
export function countingKey(first: number): string {
  return Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => (first + index) % 256)).toString("base64");
}

/** Fails loudly where the settings have a fault. */
export function keyringOf(masterKeys: string, keyPepper: string | null = null): Keyring {
  const settings: KeyringSettings = { masterKeys, keyPepper };
  const found = readKeyring(settings);
  if ("keyring" in found) return found.keyring;
  throw new Error(found.faults.join("; "));
}
