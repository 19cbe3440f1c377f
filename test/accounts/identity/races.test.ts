/** A password that is set while the old one is still being checked: what the old one began does not outlive it. */

import { afterEach, expect, test } from "bun:test";
import { changePassword } from "#accounts/identity/password.ts";
import { confirmReset } from "#accounts/identity/reset.ts";
import { issueResetLink } from "#accounts/identity/reset-link.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { sessionCaller } from "#accounts/limits/caller.ts";
import type { Passwords } from "#ports/identity.ts";
import { codeOf, type IdentityRig, openRig, PASSWORD, VISIT } from "./rig.ts";

let rig: IdentityRig;
afterEach(() => rig.stop());

const ADA = { email: "ada@example.com", password: PASSWORD };
const OWNERS = "eleven kites over Gouda";
const THIEFS = "nine crows upon a wire";

/** The right password was said to be right, and before anything comes of that `meanwhile` happens, once. */
function slowly(passwords: Passwords, step: "verify" | "hash", meanwhile: () => Promise<unknown>): Passwords {
  let isOver = false;
  const after = async <T>(outcome: Promise<T>): Promise<T> => {
    const settled = await outcome;
    if (!isOver) {
      isOver = true;
      await meanwhile();
    }
    return settled;
  };
  return {
    ...passwords,
    verify: (...words) =>
      step === "verify" ? after(passwords.verify(...words)) : passwords.verify(...words),
    hash: (...words) => (step === "hash" ? after(passwords.hash(...words)) : passwords.hash(...words)),
  };
}

async function ownersLink(): Promise<string> {
  const ada = await rig.ledger.identities.byEmail(ADA.email);
  if (ada === null) throw new Error("nobody");
  const link = await issueResetLink(rig.deps, ada, { at: rig.clock.now(), actor: "operator" });
  return link.split("#token=")[1] ?? "";
}

async function bearer(token: string) {
  const credentials = { authorization: `Bearer ${token}`, cookie: null, origin: null, mutates: true };
  return await sessionCaller(rig.deps, credentials);
}

test("a sign-in with the old password that is under way while a new one is set starts no session", async () => {
  rig = await openRig();
  const { id } = await rig.person(ADA.email);
  const token = await ownersLink();
  const passwords = slowly(rig.deps.passwords, "verify", () =>
    confirmReset(rig.deps, { token, password: OWNERS }, VISIT),
  );
  expect(await codeOf(signIn({ ...rig.deps, passwords }, ADA, VISIT))).toBe("invalid_credentials");
  expect(await rig.ledger.sessions.list(id, rig.clock.now())).toEqual([]);
  await signIn(rig.deps, { ...ADA, password: OWNERS }, VISIT);
});

test("a sign-in beside another one that renews the hash of the same password starts its session", async () => {
  rig = await openRig();
  await rig.person(ADA.email);
  const [old, renewed] = await Promise.all([
    Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 }),
    rig.deps.passwords.hash(PASSWORD, "own"),
  ]);
  const by = { at: rig.clock.now(), actor: "system" } as const;
  const ada = await rig.ledger.identities.byEmail(ADA.email);
  const setHash = (passwordHash: string) => rig.ledger.identities.change(ada?.id ?? "", { passwordHash }, by);
  await setHash(old);
  const passwords = slowly(rig.deps.passwords, "verify", () => setHash(renewed));
  const { token } = await signIn({ ...rig.deps, passwords }, ADA, VISIT);
  await bearer(token);
});

test("a sign-in that renews the hash of the old password does not undo a change that comes in between", async () => {
  rig = await openRig();
  const { id } = await rig.person(ADA.email);
  const caller = await bearer((await signIn(rig.deps, ADA, VISIT)).token);
  const passwordHash = await Bun.password.hash(PASSWORD, {
    algorithm: "argon2id",
    memoryCost: 1024,
    timeCost: 1,
  });
  await rig.ledger.identities.change(id, { passwordHash }, { at: rig.clock.now(), actor: "system" });
  // The caller as a request of now would have it.
  const owner = { ...caller, identity: { ...caller.identity, passwordHash } };
  const { identities } = rig.ledger;
  let isOver = false;
  const byId: typeof identities.byId = async (asked) => {
    const read = await identities.byId(asked);
    if (!isOver) {
      isOver = true;
      await changePassword(rig.deps, owner, { current: PASSWORD, new: OWNERS }, VISIT);
    }
    return read;
  };
  const beside = { ...rig.deps, ledger: { ...rig.ledger, identities: { ...identities, byId } } };
  expect(await codeOf(signIn(beside, ADA, VISIT))).toBe("invalid_credentials");
  await signIn(rig.deps, { ...ADA, password: OWNERS }, VISIT);
});

test.each(["verify", "hash"] as const)(
  "a change with the old password does not undo a reset that came between (%s)",
  async (step) => {
    rig = await openRig();
    await rig.person(ADA.email);
    const caller = await bearer((await signIn(rig.deps, ADA, VISIT)).token);
    const token = await ownersLink();
    const passwords = slowly(rig.deps.passwords, step, () =>
      confirmReset(rig.deps, { token, password: OWNERS }, VISIT),
    );
    const change = changePassword(
      { ...rig.deps, passwords },
      caller,
      { current: PASSWORD, new: THIEFS },
      VISIT,
    );
    expect(await codeOf(change)).toBe("invalid_credentials");
    expect(await codeOf(signIn(rig.deps, { ...ADA, password: THIEFS }, VISIT))).toBe("invalid_credentials");
    await signIn(rig.deps, { ...ADA, password: OWNERS }, VISIT);
  },
);

test("of two changes at once the one that counts is the one that was answered as done", async () => {
  rig = await openRig();
  await rig.person(ADA.email);
  const caller = await bearer((await signIn(rig.deps, ADA, VISIT)).token);
  const wanted = [OWNERS, THIEFS];
  const codes = await Promise.all(
    wanted.map((password) =>
      codeOf(changePassword(rig.deps, caller, { current: PASSWORD, new: password }, VISIT)),
    ),
  );
  const done = wanted.filter((_, nth) => codes[nth] === "it did not fail");
  expect(done).toHaveLength(1);
  await signIn(rig.deps, { ...ADA, password: done[0] ?? "" }, VISIT);
});
