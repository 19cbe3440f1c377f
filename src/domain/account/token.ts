/** Tokens of sessions and of mailed links: the id finds the row, the secret proves the bearer, and only its hash is stored. */

import { createHash, timingSafeEqual } from "node:crypto";
import {
  CHECK_CHARACTERS,
  hasCheck,
  ID_CHARACTERS,
  type IdPrefix,
  newId,
  type Random,
  randomText,
  SECRET_CHARACTERS,
  withCheck,
} from "./key.ts";

/** What a token of two parts opens: a session, or a mailed link that works once. */
type TokenKind = "fxs_" | "fxo_";

const TOKEN = /^(?:fxs|fxo)_[0-9A-Za-z]{58}$/;
const HASH = /^[0-9a-f]{64}$/;

const ID_OF_TOKEN = { fxs_: "ses_", fxo_: "otk_" } as const satisfies Record<TokenKind, IdPrefix>;

/** The id of its row, `ses_…` or `otk_…`, the SHA-256 of its secret, 64 hex digits, and the token: its kind, the id's 20 characters, the secret's 32, and the check over these 56: 62 characters. */
export function issueToken(kind: TokenKind, random: Random) {
  const id = newId(ID_OF_TOKEN[kind], random);
  const secret = randomText(random, SECRET_CHARACTERS);
  return { id, secretHash: hashOf(secret), token: withCheck(`${kind}${id.slice(4)}${secret}`) };
}

/** The row of a presented token, and the hash to compare; null for a text that cannot be a token of this kind. */
export function readToken(kind: TokenKind, text: string) {
  if (!text.startsWith(kind) || !TOKEN.test(text) || !hasCheck(text)) return null;
  const secretAt = 4 + ID_CHARACTERS;
  return {
    id: `${ID_OF_TOKEN[kind]}${text.slice(4, secretAt)}`,
    secretHash: hashOf(text.slice(secretAt, -CHECK_CHARACTERS)),
  };
}

/** Whether the presented token has the stored secret, in constant time. */
export function matchesHash({ secretHash }: { readonly secretHash: string }, storedHash: string): boolean {
  if (!HASH.test(secretHash) || !HASH.test(storedHash)) return false;
  return timingSafeEqual(Buffer.from(secretHash, "hex"), Buffer.from(storedHash, "hex"));
}

/** A fast hash is right here: 190 random bits cannot be guessed, however fast the guesses are. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
