import { beforeEach, expect, test } from "bun:test";
import { confirmReset } from "#accounts/identity/links.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { systemRandom } from "#assembly/process.ts";
import type { Identity } from "#domain/account/identity.ts";
import { issueToken } from "#domain/account/token.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import { openPasswords } from "#gateways/passwords.ts";
import { newSession } from "#test/store/ledger/ledgers.ts";
import { processorTimeOf } from "#test/support/processor-time.ts";
import { callerWith, codeOf, type IdentityFixture, openFixture, PASSWORD, VISIT } from "./fixture.ts";

const EMAIL = "ada@example.com";
const WRONG = "not the password";

let fixture: IdentityFixture;
let ada: Identity;
const open = async (...choices: Parameters<typeof openFixture>) => {
  fixture = await openFixture(...choices);
  ada = await fixture.person(EMAIL);
};
beforeEach(() => open());

const enter = (password = PASSWORD, email = EMAIL, address: string = VISIT.address) =>
  signIn(fixture.deps, { email, password }, { ...VISIT, address });
const change = (patch: Parameters<typeof fixture.ledger.identities.change>[1]) =>
  fixture.ledger.identities.change(ada.id, patch, { at: 1, actor: "system" });

test("the token opens the person's own account, whatever the case of the address, under the person's name in the audit log", async () => {
  const { token } = await enter(PASSWORD, " ADA@example.COM ");
  expect((await callerWith(fixture, token)).by(5)).toEqual({ at: 5, actor: `identity:${ada.id}` });
});

test("a session ends 30 days after the sign-in to the millisecond, however busy it is", async () => {
  const { token, session } = await enter();
  for (const day of [1, 10, 20, 29]) {
    fixture.clock.at = session.createdAt + day * 86_400_000;
    await callerWith(fixture, token);
  }
  fixture.clock.at = session.createdAt + 30 * 86_400_000 - 1;
  await callerWith(fixture, token);
  fixture.clock.at += 1;
  expect(await codeOf(callerWith(fixture, token))).toBe("session_required");
});

test("a token or a link with another secret opens nothing, and ends nothing", async () => {
  const [session, link] = [issueToken("fxs_", systemRandom), issueToken("fxo_", systemRandom)];
  const by = { at: fixture.clock.now(), actor: "system" } as const;
  const { sessions, tokens } = fixture.ledger;
  await sessions.start(newSession(session.id, ada.id, by.at + 1), by);
  const reset = { purpose: "reset_password", identityId: ada.id, email: EMAIL } as const;
  await tokens.issue({ ...reset, id: link.id, secretHash: "another", expiresAt: by.at + 1 }, by);
  expect(await codeOf(callerWith(fixture, session.token))).toBe("session_required");
  const confirmed = confirmReset(fixture.deps, { token: link.token, password: WRONG }, VISIT);
  expect(await codeOf(confirmed)).toBe("validation_error");
  await signIn(fixture.deps, { email: EMAIL, password: PASSWORD }, { ...VISIT, presented: session.token });
  expect(await sessions.list(ada.id, by.at)).toHaveLength(2);
});

test("using a session is noted and written with the next batch", async () => {
  const { token } = await enter();
  fixture.clock.at += 90_000;
  await callerWith(fixture, token);
  await fixture.seen.flush();
  const [session] = await fixture.ledger.sessions.list(ada.id, fixture.clock.now());
  expect(session?.lastSeenAt).toBe(fixture.clock.now());
});

test("attempts are limited per account, also when all of them come at once, and success clears them", async () => {
  const { most, milliseconds } = ATTEMPT_LIMITS["sign-in to"];
  const codes = await Promise.all(Array.from({ length: most + 5 }, () => codeOf(enter(WRONG))));
  expect(codes.filter((code) => code === "invalid_credentials").length).toBe(most);
  expect(codes.filter((code) => code === "rate_limited").length).toBe(5);
  // The right password is refused too: otherwise the answer would show a guesser that it is right.
  expect(await codeOf(enter())).toBe("rate_limited");
  fixture.clock.at += 2 * milliseconds;
  for (let nth = 1; nth < most; nth++) await codeOf(enter(WRONG));
  await enter();
  expect(await codeOf(enter(WRONG))).toBe("invalid_credentials");
});

test("attempts are limited per address, whatever the accounts", async () => {
  // The limit is what is looked at here: 60 hashes would take seconds.
  fixture.deps.passwords.verify = async () => false;
  const { most } = ATTEMPT_LIMITS["sign-in from"];
  for (let nth = 0; nth < most; nth++)
    expect(await codeOf(enter(WRONG, `p${nth}@example.com`))).toBe("invalid_credentials");
  expect(await codeOf(enter())).toBe("rate_limited");
  expect(await codeOf(enter(PASSWORD, EMAIL, "198.51.100.1"))).toBe("invalid_credentials");
});

test("unknown account, account without password and wrong password cost the same", async () => {
  await open("none", { passwords: openPasswords() });
  await change({ passwordHash: await fixture.deps.passwords.hash(PASSWORD, "own") });
  const at = fixture.clock.now();
  const outside = { iss: "https://id.example.com", sub: "1" };
  const facts = { email: "grace@example.com", emailVerifiedAt: at };
  await fixture.ledger.identities.ensureExternal(outside, facts, { at, actor: "system" });
  const kinds = [EMAIL, "grace@example.com", "nobody@example.com"];
  const taken = kinds.map(() => [] as number[]);
  for (let round = 0; round < 3; round++) {
    for (const [kind, email] of kinds.entries()) {
      const attempt = () => codeOf(enter(`wrong password ${round}`, email));
      taken[kind]?.push(await processorTimeOf(attempt));
    }
  }
  const medians = taken.map((times) => times.sort((a, b) => a - b)[1] as number);
  // Half of it would be a hash left out: the rest is noise.
  expect(Math.min(...medians)).toBeGreaterThan(Math.max(...medians) / 2);
  expect(Math.min(...medians)).toBeGreaterThan(10);
});

test("a hash of an earlier cost is replaced at the sign-in, and the password continues to work", async () => {
  await open("none", { passwords: openPasswords() });
  const old = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8_192, timeCost: 1 });
  await change({ passwordHash: old });
  await enter();
  const renewed = (await fixture.ledger.identities.byId(ada.id))?.passwordHash ?? "";
  expect(renewed).not.toBe(old);
  expect(fixture.deps.passwords.needsRehash(renewed)).toBe(false);
  await enter();
});

test("a suspended person learns it with the right password only, and their living sessions open nothing", async () => {
  const { token } = await enter();
  await change({ suspendedAt: fixture.clock.now() });
  expect(await codeOf(enter())).toBe("forbidden");
  expect(await codeOf(enter(WRONG))).toBe("invalid_credentials");
  expect(await codeOf(callerWith(fixture, token))).toBe("forbidden");
});

test("with mail an unconfirmed address signs in like a wrong password, and gets a new link", async () => {
  await open("served");
  await change({ emailVerifiedAt: null });
  const messageOf = (work: Promise<unknown>) => work.catch(({ message }) => message);
  const wrong = await messageOf(enter(WRONG));
  expect(await fixture.messages()).toHaveLength(0);
  expect(await messageOf(enter())).toBe(wrong);
  expect(await fixture.messages()).toHaveLength(1);
});

test("changing the password needs the present one, and ends every other session with the change", async () => {
  const [own, other] = [await enter(), await enter()];
  const caller = await callerWith(fixture, own.token);
  const wanted = "eleven kites over Gouda";
  const replace = (current: string) => changePassword(fixture.deps, caller, { current, new: wanted }, VISIT);
  expect(await codeOf(replace(WRONG))).toBe("invalid_credentials");
  await callerWith(fixture, other.token);
  await replace(PASSWORD);
  await callerWith(fixture, own.token);
  expect(await codeOf(callerWith(fixture, other.token))).toBe("session_required");
  expect(await codeOf(enter())).toBe("invalid_credentials");
  await enter(wanted);
});

test("a stolen session gets few guesses at the password, and locks no owner out", async () => {
  const caller = await callerWith(fixture, (await enter()).token);
  const guess = () =>
    changePassword(fixture.deps, caller, { current: WRONG, new: "another password" }, VISIT);
  const guesses = Array.from({ length: ATTEMPT_LIMITS["sign-in to"].most + 1 }, () => codeOf(guess()));
  expect((await Promise.all(guesses)).filter((code) => code === "rate_limited")).toHaveLength(1);
  await enter();
});
