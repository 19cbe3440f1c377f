/** The real passwords at a thousandth of their cost: for tests whose subject is not what a hash costs; those take the real ones. */

import { openPasswords } from "#gateways/passwords.ts";
import type { Passwords } from "#ports/identity.ts";

const MEMORY_KIB = 64;
const PASSES = 1;

export function quickPasswords(real: Passwords = openPasswords()): Passwords {
  return {
    ...real,
    hash: (password) =>
      Bun.password.hash(password.normalize("NFKC"), {
        algorithm: "argon2id",
        memoryCost: MEMORY_KIB,
        timeCost: PASSES,
      }),
    verify: async (password, hash, from) => hash !== null && (await real.verify(password, hash, from)),
    needsRehash: (hash) => !hash.includes(`$m=${MEMORY_KIB},t=${PASSES},`),
  };
}
