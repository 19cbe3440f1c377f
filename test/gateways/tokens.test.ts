/** Session and one-time tokens: only a hash is kept, and only the bearer of the whole token matches it. */

import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { openTokens } from "#gateways/tokens.ts";
import type { PresentedToken } from "#ports/identity.ts";
import { seededBytes } from "./random.ts";

test.each(["fxs_", "fxo_"] as const)("a token %s finds its row and matches its hash", (kind) => {
  const tokens = openTokens(seededBytes(1));
  const { id, secretHash, token } = tokens.issue(kind);
  const presented = tokens.read(kind, token);
  expect(presented).toEqual({ id, secretHash });
  expect(tokens.matches(presented as PresentedToken, secretHash)).toBe(true);
});

test("what is stored is the SHA-256 of the secret, and gives neither token nor secret away", () => {
  const { id, secretHash, token } = openTokens(seededBytes(2)).issue("fxs_");
  const secret = token.slice(24, 56);
  expect(secretHash).toBe(createHash("sha256").update(secret).digest("hex"));
  expect(`${id}${secretHash}`).not.toContain(secret);
});

test("the right id with another secret does not match, nor does a damaged stored hash", () => {
  const tokens = openTokens(seededBytes(3));
  const [mine, other] = [tokens.issue("fxs_"), tokens.issue("fxs_")];
  expect(tokens.matches({ id: mine.id, secretHash: other.secretHash }, mine.secretHash)).toBe(false);
  for (const stored of ["", "zz", mine.secretHash.slice(1), mine.secretHash.toUpperCase()]) {
    expect(tokens.matches(mine, stored)).toBe(false);
  }
});

test("no two tokens share an id or a secret", () => {
  const tokens = openTokens(seededBytes(4));
  const issued = Array.from({ length: 1000 }, () => tokens.issue("fxo_"));
  expect(new Set(issued.map(({ id }) => id)).size).toBe(1000);
  expect(new Set(issued.map(({ secretHash }) => secretHash)).size).toBe(1000);
});

test("one kind of token is not read as the other, and a mistyped one not at all", () => {
  const tokens = openTokens(seededBytes(5));
  const { token } = tokens.issue("fxo_");
  expect(tokens.read("fxs_", token)).toBeNull();
  expect(tokens.read("fxs_", token.replace("fxo_", "fxs_"))).toBeNull();
  for (const text of ["", "fxo_", `${token}0`, ` ${token}`]) expect(tokens.read("fxo_", text)).toBeNull();
});
