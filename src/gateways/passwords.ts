/** Hashes passwords with argon2id, one at a time. An unknown account costs the same time. The commonest passwords are refused. */

import { Failure } from "#domain/faults/errors.ts";
import { networksOf } from "#domain/net/address.ts";
import { newFairQueue } from "#domain/queues/fair-queue.ts";
import type { PasswordFault, Passwords } from "#ports/identity.ts";

/**
 * 19 MiB, four passes, one lane: twice the passes of the second set of OWASP's password storage guide. Each hash holds this
 * memory.
 */
const MEMORY_KIB = 19_456;
const PASSES = 4;
const PARAMETERS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$`;

/** Costs what a real hash costs; no password has its digest of zeros. */
const DUMMY_HASH = `${PARAMETERS}${"c2FsdHNhbHRzYWx0c2FsdA"}$${"A".repeat(43)}`;

export const LEAST_CHARACTERS = 10;
export const MOST_CHARACTERS = 200;

/** One hash at a time. The most callers that may wait, in all and from one network (an IPv4 /24, an IPv6 /56). */
const TURNS = {
  atOnce: 1,
  waiting: 64,
  waitingEach: 16,
  refusal: () => new Failure("auth_unavailable", { reason: "too many sign-ins at once; try again shortly" }),
};

/** Fewer may wait in tests. */
export function openPasswords(waiting = TURNS.waiting): Passwords {
  const queue = newFairQueue({ ...TURNS, waiting });

  async function inTurn<T>(from: string, work: () => Promise<T>): Promise<T> {
    const end = await queue.take(networksOf(from).wide);
    try {
      return await work();
    } finally {
      end();
    }
  }

  async function verify(password: string, hash: string | null, from: string): Promise<boolean> {
    const isOurs = hash?.startsWith("$argon2id$") === true;
    // One path for every outcome: all take the same time.
    const matches = await inTurn(from, () =>
      Bun.password.verify(canonical(password), isOurs ? hash : DUMMY_HASH).catch(() => false),
    );
    return matches && isOurs && password.isWellFormed();
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
    needsRehash: (hash) => !hash.startsWith(PARAMETERS),
  };
}

/** Length and commonness, nothing else: rules about kinds of characters make passwords worse (NIST SP 800-63B). */
function passwordFault(password: string): PasswordFault | null {
  if (!password.isWellFormed() || password.includes("\0")) return "not_text";
  const characters = [...password.slice(0, 2 * MOST_CHARACTERS + 1)].length;
  if (characters < LEAST_CHARACTERS) return "too_short";
  if (characters > MOST_CHARACTERS) return "too_long";
  const plain = canonical(password).toLowerCase();
  return FREQUENT_PASSWORDS.has(plain) || new Set(plain).size < 3 ? "too_common" : null;
}

/** Gives the same characters of different keyboards one form. Cuts the text, because length costs. */
function canonical(password: string): string {
  return password.slice(0, 2 * MOST_CHARACTERS + 1).normalize("NFKC");
}

// biome-ignore format: a list of words
const FREQUENT_PASSWORDS: ReadonlySet<string> = new Set([
  "1234567890", "0123456789", "0987654321", "9876543210", "12345678910", "123456789a", "1234567891", "1234512345",
  "12341234123", "1122334455", "1029384756", "123123123123", "123456123456", "123456789012", "qwertyuiop", "qwertyuiop1",
  "qwerty1234", "qwerty12345", "qwerty123456", "qwerty123!", "1234qwerty", "1234qwerasdf", "1q2w3e4r5t", "1q2w3e4r5t6y",
  "q1w2e3r4t5", "q1w2e3r4t5y6", "1qaz2wsx3edc", "zaq12wsxcde3", "1qazxsw23edc", "qazwsxedcrfv", "qazwsx1234", "qwerasdfzxcv",
  "asdfghjkl1", "asdfghjkl;", "asdfghjkl123", "zxcvbnm123", "abcdefghij", "abcdefghijk", "abcd123456", "abcde12345",
  "abc1234567", "abc123abc123", "abcd1234!@", "a123456789", "a1234567890", "a1b2c3d4e5", "aa12345678", "aa123456789",
  "password01", "password10", "password11", "password12", "password123", "password1234", "password12345", "password123!",
  "password1!", "password2024", "password2025", "password2026", "passwordpassword", "passw0rd123", "passw0rd1!", "p@ssw0rd123",
  "p@ssword123", "p@ssw0rd12", "p@ssw0rd!1", "mypassword", "mypassword1", "mypassword123", "yourpassword", "newpassword",
  "newpassword1", "newpassword123", "thepassword", "nopassword", "changeme123", "changeme1234", "changemenow", "changeit123",
  "letmein123", "letmein1234", "letmeinplease", "welcome123", "welcome1234", "welcome12345", "welcome123!", "welcome2024",
  "welcome2025", "welcome2026", "admin12345", "admin123456", "admin1234!", "adminadmin", "adminpassword", "administrator",
  "administrator1", "root123456", "rootpassword", "superadmin", "superuser1", "supersecret", "secret1234", "secretpassword",
  "test123456", "test1234567", "testtest123", "testpassword", "temppassword", "temporary123", "default123", "guest12345",
  "iloveyou12", "iloveyou123", "iloveyou1234", "iloveyou!!", "iloveyouso", "iloveyousomuch", "sunshine123", "princess123",
  "football123", "baseball123", "basketball", "basketball1", "liverpool1", "liverpool123", "manchester", "manchester1",
  "chelsea123", "arsenal123", "barcelona1", "realmadrid1", "superman123", "spiderman1", "spiderman123", "batman12345",
  "starwars123", "pokemon123", "minecraft1", "minecraft123", "dragon12345", "monkey12345", "master12345", "shadow12345",
  "michael123", "charlie123", "jordan12345", "jessica123", "ashley12345", "internet123", "computer12", "computer123",
  "samsung123", "google12345", "facebook123", "linkedin123", "trustno1trustno1", "correcthorsebatterystaple",
  "correct horse battery staple", "unbelievable", "whatever123", "blink182blink182", "q1w2e3r4t5y6u7", "zxcvbnm,./",
  "1234567890-=", "!qaz2wsx3edc", "!@#$%^&*()", "qwer1234!@#$", "1qaz!qaz1qaz", "1qaz@wsx3edc", "asdf1234asdf", "football12",
]);
