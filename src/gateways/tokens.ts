/** Random bytes of the runtime, and the tokens made of them. */

import { createHash, timingSafeEqual } from "node:crypto";
import { newTokenParts, type Random, readToken, tokenText } from "#domain/account/key.ts";
import type { Tokens } from "#ports/identity.ts";

const HASH = /^[0-9a-f]{64}$/;

export function openTokens(random: Random): Tokens {
  return {
    issue(kind) {
      const parts = newTokenParts(kind, random);
      return { id: parts.id, secretHash: hashOf(parts.secret), token: tokenText(kind, parts) };
    },
    read(kind, text) {
      const parts = readToken(kind, text);
      return parts === null ? null : { id: parts.id, secretHash: hashOf(parts.secret) };
    },
    matches({ secretHash }, storedHash) {
      if (!HASH.test(secretHash) || !HASH.test(storedHash)) return false;
      return timingSafeEqual(Buffer.from(secretHash, "hex"), Buffer.from(storedHash, "hex"));
    },
  };
}

/** A fast hash is right here: 190 random bits cannot be guessed, however fast the guesses are. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export const systemRandom: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
