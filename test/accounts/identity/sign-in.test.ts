import { expect, test } from "bun:test";
import { changePassword } from "#accounts/identity/password.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import { openPasswords } from "#gateways/passwords.ts";
import { processorTimeOf } from "#test/support/processor-time.ts";
import { callerWith, codeOf, openFixture, PASSWORD, VISIT } from "./fixture.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };

test("the token opens the person's own account, whatever the case of the address", async () => {
  const fixture = await openFixture();
  const ada = await fixture.person("Ada@Example.com");
  const { token, session } = await signIn(fixture.deps, { ...ADA, email: " ADA@example.COM " }, VISIT);
  const caller = await callerWith(fixture, token);
  expect(caller.identity.id).toBe(ada.id);
  expect(caller.session?.id).toBe(session.id);
  expect(caller.by(5)).toEqual({ at: 5, actor: `identity:${ada.id}` });
});

test("a session ends 30 days after the sign-in to the millisecond, however busy it is", async () => {
  const fixture = await openFixture();
  await fixture.person(ADA.email);
  const { token, session } = await signIn(fixture.deps, ADA, VISIT);
  for (const day of [1, 10, 20, 29]) {
    fixture.clock.at = session.createdAt + day * 86_400_000;
    await callerWith(fixture, token);
  }
  fixture.clock.at = session.createdAt + 30 * 86_400_000 - 1;
  await callerWith(fixture, token);
  fixture.clock.at += 1;
  expect(await codeOf(callerWith(fixture, token))).toBe("session_required");
});

test("using a session is noted and written with the next batch", async () => {
  const fixture = await openFixture();
  const ada = await fixture.person(ADA.email);
  const { token } = await signIn(fixture.deps, ADA, VISIT);
  fixture.clock.at += 90_000;
  await callerWith(fixture, token);
  await fixture.seen.flush();
  const [session] = await fixture.ledger.sessions.list(ada.id, fixture.clock.now());
  expect(session?.lastSeenAt).toBe(fixture.clock.now());
});

test("attempts are limited per account, also when all of them come at once, and success clears them", async () => {
  const fixture = await openFixture();
  await fixture.person(ADA.email);
  const { most } = ATTEMPT_LIMITS["sign-in to"];
  const wrong = { ...ADA, password: "not the password" };
  const codes = await Promise.all(
    Array.from({ length: most + 5 }, () => codeOf(signIn(fixture.deps, wrong, VISIT))),
  );
  expect(codes.filter((code) => code === "invalid_credentials").length).toBe(most);
  expect(codes.filter((code) => code === "rate_limited").length).toBe(5);
  // The right password is refused too: otherwise the answer would show a guesser that it is right.
  expect(await codeOf(signIn(fixture.deps, ADA, VISIT))).toBe("rate_limited");
  fixture.clock.at += 2 * ATTEMPT_LIMITS["sign-in to"].milliseconds;
  for (let nth = 1; nth < most; nth++) await codeOf(signIn(fixture.deps, wrong, VISIT));
  await signIn(fixture.deps, ADA, VISIT);
  expect(await codeOf(signIn(fixture.deps, wrong, VISIT))).toBe("invalid_credentials");
});

test("attempts are limited per address, whatever the accounts", async () => {
  const fixture = await openFixture("none", {
    // The limit is what is looked at here: 60 hashes would take seconds.
    passwords: { ...quick, verify: async () => false },
  });
  const { most } = ATTEMPT_LIMITS["sign-in from"];
  for (let nth = 0; nth < most; nth++) {
    const unknown = { email: `p${nth}@example.com`, password: "not the password" };
    expect(await codeOf(signIn(fixture.deps, unknown, VISIT))).toBe("invalid_credentials");
  }
  expect(await codeOf(signIn(fixture.deps, ADA, VISIT))).toBe("rate_limited");
  expect(await codeOf(signIn(fixture.deps, ADA, { ...VISIT, address: "198.51.100.1" }))).toBe(
    "invalid_credentials",
  );
});

const quick = {
  fault: () => null,
  hash: async (password: string) => `$quick$${password.length}`,
  needsRehash: () => false,
};

test("unknown account, account without password and wrong password cost the same", async () => {
  const fixture = await openFixture("none", { passwords: openPasswords() });
  const passwordHash = await fixture.deps.passwords.hash(PASSWORD, "own");
  const ada = await fixture.person(ADA.email);
  await fixture.ledger.identities.change(ada.id, { passwordHash }, { at: 1, actor: "system" });
  await fixture.ledger.identities.ensureExternal(
    { iss: "https://id.example.com", sub: "1" },
    { email: "grace@example.com", emailVerifiedAt: fixture.clock.now() },
    { at: fixture.clock.now(), actor: "system" },
  );
  const kinds = [ADA.email, "grace@example.com", "nobody@example.com"];
  const taken = kinds.map(() => [] as number[]);
  for (let round = 0; round < 3; round++) {
    for (const [kind, email] of kinds.entries()) {
      // A gate of its own each time: it is not the limits that are measured.
      const attempt = { email, password: `wrong password ${round}` };
      taken[kind]?.push(await processorTimeOf(() => codeOf(signIn(fixture.deps, attempt, VISIT))));
    }
  }
  const medians = taken.map((times) => times.sort((a, b) => a - b)[1] as number);
  // Half of it would be a hash left out: the rest is noise.
  expect(Math.min(...medians)).toBeGreaterThan(Math.max(...medians) / 2);
  expect(Math.min(...medians)).toBeGreaterThan(10);
});

test("a hash of an earlier cost is replaced at the sign-in, and the password continues to work", async () => {
  const fixture = await openFixture("none", { passwords: openPasswords() });
  const old = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8_192, timeCost: 1 });
  const ada = await fixture.person(ADA.email);
  await fixture.ledger.identities.change(ada.id, { passwordHash: old }, { at: 1, actor: "system" });
  await signIn(fixture.deps, ADA, VISIT);
  const renewed = (await fixture.ledger.identities.byId(ada.id))?.passwordHash ?? "";
  expect(renewed).not.toBe(old);
  expect(fixture.deps.passwords.needsRehash(renewed)).toBe(false);
  await signIn(fixture.deps, ADA, VISIT);
});

test("a suspended person learns it with the right password only, and their living sessions open nothing", async () => {
  const fixture = await openFixture();
  const ada = await fixture.person(ADA.email);
  const { token } = await signIn(fixture.deps, ADA, VISIT);
  await fixture.ledger.identities.change(
    ada.id,
    { suspendedAt: fixture.clock.now() },
    { at: 1, actor: "operator" },
  );
  expect(await codeOf(signIn(fixture.deps, ADA, VISIT))).toBe("forbidden");
  expect(await codeOf(signIn(fixture.deps, { ...ADA, password: "a wrong one" }, VISIT))).toBe(
    "invalid_credentials",
  );
  expect(await codeOf(callerWith(fixture, token))).toBe("forbidden");
});

test("with mail an unconfirmed address signs in like a wrong password, and gets a new link", async () => {
  const fixture = await openFixture("served");
  const ada = await fixture.person(ADA.email);
  await fixture.ledger.identities.change(ada.id, { emailVerifiedAt: null }, { at: 1, actor: "system" });
  const wrong = await signIn(fixture.deps, { ...ADA, password: "a wrong one" }, VISIT).catch(
    ({ message }) => message,
  );
  expect(await fixture.messages()).toHaveLength(0);
  const unconfirmed = await signIn(fixture.deps, ADA, VISIT).catch(({ message }) => message);
  expect(unconfirmed).toBe(wrong);
  expect(await fixture.messages()).toHaveLength(1);
});

test("changing the password needs the present one, and ends every other session with the change", async () => {
  const fixture = await openFixture();
  await fixture.person(ADA.email);
  const own = await signIn(fixture.deps, ADA, VISIT);
  const other = await signIn(fixture.deps, ADA, VISIT);
  const caller = await callerWith(fixture, own.token);
  const wanted = "eleven kites over Gouda";
  expect(
    await codeOf(changePassword(fixture.deps, caller, { current: "a wrong one", new: wanted }, VISIT)),
  ).toBe("invalid_credentials");
  await callerWith(fixture, other.token);
  await changePassword(fixture.deps, caller, { current: PASSWORD, new: wanted }, VISIT);
  await callerWith(fixture, own.token);
  expect(await codeOf(callerWith(fixture, other.token))).toBe("session_required");
  expect(await codeOf(signIn(fixture.deps, ADA, VISIT))).toBe("invalid_credentials");
  await signIn(fixture.deps, { ...ADA, password: wanted }, VISIT);
});

test("a stolen session gets few guesses at the password, and locks no owner out", async () => {
  const fixture = await openFixture();
  await fixture.person(ADA.email);
  const caller = await callerWith(fixture, (await signIn(fixture.deps, ADA, VISIT)).token);
  const { most } = ATTEMPT_LIMITS["sign-in to"];
  const guesses = Array.from({ length: most + 1 }, () =>
    codeOf(
      changePassword(fixture.deps, caller, { current: "a guess or two", new: "another password" }, VISIT),
    ),
  );
  expect((await Promise.all(guesses)).filter((code) => code === "rate_limited")).toHaveLength(1);
  await signIn(fixture.deps, ADA, VISIT);
});
