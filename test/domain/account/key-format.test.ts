/** Keys, tokens and ids: their shape, their check, and that a mistyped one never passes. */

import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  API_KEY_PATTERN,
  isApiKey,
  isId,
  keyState,
  newApiKey,
  newId,
  type Random,
  randomText,
  shownPrefix,
} from "#domain/account/key.ts";
import { issueToken, matchesHash, readToken } from "#domain/account/token.ts";
import { seededBytes } from "#test/gateways/random.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Published in docs/security.md: random part → key. */
const VECTORS = [
  ["00000000000000000000000000000000", "fxk_000000000000000000000000000000001qqMZX"],
  ["0123456789ABCDEFGHIJKLMNOPQRSTUV", "fxk_0123456789ABCDEFGHIJKLMNOPQRSTUV2ojSWu"],
  ["zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "fxk_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz0wOepF"],
] as const;

/** Randomness that comes out as the given base62 text. */
function bytesFor(text: string): Random {
  return () => Uint8Array.from(text, (character) => ALPHABET.indexOf(character));
}

test.each([...VECTORS])("the published vector for %s holds", (body, key) => {
  expect(newApiKey(bytesFor(body))).toBe(key);
  expect(isApiKey(key)).toBe(true);
});

test.each([
  ["active", null, null],
  ["grace", 1, null],
  ["revoked", 0, null],
  // By the clock of another process, which is ahead.
  ["revoked", null, 1],
  ["revoked", 1, 0],
] as const)(
  "a key is %s with an end of grace %p and a revocation %p from now",
  (state, revokeAt, revokedAt) => {
    expect(keyState({ revokeAt, revokedAt }, 0)).toBe(state);
  },
);

test("every key made is accepted, has the published pattern, and shows its first eight characters", () => {
  const random = seededBytes(2);
  const pattern = new RegExp(`^${API_KEY_PATTERN}$`);
  for (let round = 0; round < 2000; round++) {
    const key = newApiKey(random);
    expect(key).toMatch(pattern);
    expect(isApiKey(key)).toBe(true);
    expect(shownPrefix(key)).toBe(key.slice(0, 12));
  }
});

test("every change of a single character is refused", () => {
  const random = seededBytes(3);
  for (let round = 0; round < 20; round++) {
    const key = newApiKey(random);
    let accepted = 0;
    for (let at = 0; at < key.length; at++) {
      for (const other of `${ALPHABET}_-. é`) {
        if (other !== key[at] && isApiKey(key.slice(0, at) + other + key.slice(at + 1))) accepted++;
      }
    }
    expect(accepted).toBe(0);
  }
});

test("every transposition, of neighbours and of distant characters, is refused", () => {
  const random = seededBytes(4);
  for (let round = 0; round < 200; round++) {
    const key = newApiKey(random);
    let accepted = 0;
    for (let a = 0; a < key.length; a++) {
      for (let b = a + 1; b < key.length; b++) {
        if (key[a] === key[b]) continue;
        const swapped = [...key];
        [swapped[a], swapped[b]] = [key[b] as string, key[a] as string];
        if (isApiKey(swapped.join(""))) accepted++;
      }
    }
    expect(accepted).toBe(0);
  }
});

test("a character lost, doubled, or put around a key is refused", () => {
  const key = newApiKey(seededBytes(5));
  for (let at = 0; at < key.length; at++) {
    expect(isApiKey(key.slice(0, at) + key.slice(at + 1))).toBe(false);
    expect(isApiKey(key.slice(0, at) + key[at] + key.slice(at))).toBe(false);
  }
  for (const text of [` ${key}`, `${key} `, `${key}\n`, key.toUpperCase(), key.replace("fxk", "fxs"), ""]) {
    expect(isApiKey(text)).toBe(false);
  }
});

test("all characters are equally likely, whatever the bytes", () => {
  const counts = new Map<string, number>();
  const text = randomText(seededBytes(6), 62_000);
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // Five standard deviations around 1000.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(160);
  // The bytes that would favour the first eight characters are drawn again.
  const drawn = [Uint8Array.of(255, 248, 247), Uint8Array.of(0, 61)];
  expect(randomText(() => drawn.shift() as Uint8Array, 3)).toBe("z0z");
});

test("ids carry their kind", () => {
  const random = seededBytes(7);
  for (const prefix of ["org_", "key_", "idn_", "ses_", "otk_"] as const) {
    const id = newId(prefix, random);
    expect(id).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{20}$`));
    expect(isId(prefix, id)).toBe(true);
    expect(isId(prefix === "org_" ? "key_" : "org_", id)).toBe(false);
    expect(isId(prefix, `${id}0`)).toBe(false);
  }
});

test.each(["fxs_", "fxo_"] as const)(
  "a token %s is read as its row and its hash, and only as its own kind",
  (kind) => {
    const { id, secretHash, token } = issueToken(kind, seededBytes(8));
    expect(token).toMatch(/^fx[so]_[0-9A-Za-z]{58}$/);
    expect(readToken(kind, token)).toEqual({ id, secretHash });
    expect(matchesHash({ secretHash }, secretHash)).toBe(true);
    const otherKind = kind === "fxs_" ? "fxo_" : "fxs_";
    for (const text of [token, token.replace(kind, otherKind)]) expect(readToken(otherKind, text)).toBeNull();
    expect(isApiKey(token)).toBe(false);
    for (const text of ["", kind, `${token}0`, ` ${token}`]) expect(readToken(kind, text)).toBeNull();
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "a" ? "b" : "a";
      expect(readToken(kind, token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
    }
  },
);

test("what is stored of a token is the SHA-256 of its secret; another secret or a damaged hash does not match", () => {
  const random = seededBytes(9);
  const [mine, other] = [issueToken("fxs_", random), issueToken("fxs_", random)];
  const secret = mine.token.slice(24, 56);
  expect(mine.secretHash).toBe(createHash("sha256").update(secret).digest("hex"));
  expect(`${mine.id}${mine.secretHash}`).not.toContain(secret);
  for (const stored of [other.secretHash, "", "zz", mine.secretHash.slice(1), mine.secretHash.toUpperCase()])
    expect(matchesHash(mine, stored)).toBe(false);
});
