/** Passwords: argon2id on the runtime's threads, a few at a time, with the same cost for accounts that do not exist. */

import { Failure } from "#domain/faults/errors.ts";
import { networksOf } from "#domain/net/client-networks.ts";
import type { PasswordFault, Passwords } from "#ports/identity.ts";
import { openFairTurns } from "./fair-turns.ts";
import { FREQUENT_PASSWORDS } from "./frequent-passwords.ts";

/** 64 MiB, two passes, one lane: above the least that OWASP's password storage guide asks for, about 0.1 s of one core. */
const MEMORY_KIB = 65_536;
const PASSES = 2;
const PARAMETERS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$`;

/** Costs what every real hash costs, and is that of no password: its digest is all zeros. */
const DUMMY_HASH = `${PARAMETERS}${"c2FsdHNhbHRzYWx0c2FsdA"}$${"A".repeat(43)}`;

export const LEAST_CHARACTERS = 10;
export const MOST_CHARACTERS = 200;

export interface PasswordOptions {
  /** Hashes under way at once, 64 MiB each; by default one. */
  readonly atOnce?: number;
  /** Callers that may wait for a turn, by default 64; of one network (an IPv4 /24, an IPv6 /56), by default 16. */
  readonly waiting?: number;
  readonly waitingEach?: number;
}

export function openPasswords({
  atOnce = 1,
  waiting = 64,
  waitingEach = 16,
}: PasswordOptions = {}): Passwords {
  const refusal = () =>
    new Failure("auth_unavailable", { reason: "too many sign-ins at once; try again shortly" });
  const turns = openFairTurns({ atOnce, waiting, waitingEach, refusal });

  function inTurn<T>(from: string, work: () => Promise<T>): Promise<T> {
    return turns(networksOf(from).wide, work);
  }

  async function verify(password: string, hash: string, from: string): Promise<boolean> {
    const known = hash.startsWith("$argon2id$");
    // One path for every outcome: what cannot match takes the time of what does not.
    const matches = await inTurn(from, () =>
      Bun.password.verify(canonical(password), known ? hash : DUMMY_HASH).catch(() => false),
    );
    return matches && known && password.isWellFormed();
  }

  return {
    fault: passwordFault,
    hash(password, from) {
      const fault = passwordFault(password);
      if (fault !== null) return Promise.reject(new TypeError(`this password must not be set: ${fault}`));
      return inTurn(from, () =>
        Bun.password.hash(canonical(password), {
          algorithm: "argon2id",
          memoryCost: MEMORY_KIB,
          timeCost: PASSES,
        }),
      );
    },
    verify,
    verifyDummy: async (password, from) => {
      await verify(password, DUMMY_HASH, from);
      return false;
    },
    needsRehash: (hash) => !hash.startsWith(PARAMETERS),
  };
}

/** Length and commonness, nothing else: rules about kinds of characters make passwords worse (NIST SP 800-63B). */
function passwordFault(password: string): PasswordFault | null {
  if (!password.isWellFormed() || password.includes("\0")) return "not_text";
  const characters = [...password.slice(0, 2 * MOST_CHARACTERS + 1)].length;
  if (characters < LEAST_CHARACTERS) return "too_short";
  if (characters > MOST_CHARACTERS) return "too_long";
  return isCommon(canonical(password).toLowerCase()) ? "too_common" : null;
}

function isCommon(password: string): boolean {
  return FREQUENT_PASSWORDS.has(password) || new Set(password).size < 3;
}

/** One spelling for what different keyboards send for the same characters; cut, so that no length costs more. */
function canonical(password: string): string {
  return password.slice(0, 2 * MOST_CHARACTERS + 1).normalize("NFKC");
}
