/** The ledger or the mail server out of reach, at every step: a refusal that says so, and nothing half done. */

import { afterEach, describe, expect, test } from "bun:test";
import { openAfterwards } from "#accounts/identity/background-tasks.ts";
import { askReset, confirmReset } from "#accounts/identity/reset.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { signUp } from "#accounts/identity/sign-up.ts";
import { sessionCaller } from "#accounts/limits/caller.ts";
import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { AuthDeps } from "#http/auth/route.ts";
import { openTestApp, post } from "#test/http/harness.ts";
import { codeOf, type IdentityRig, NOW, openRig, PASSWORD, VISIT } from "./rig.ts";

let rig: IdentityRig;
afterEach(() => rig.stop());

const ADA = { email: "ada@example.com", password: PASSWORD };

/** The same ledger, of which one part is out of reach. */
function without(part: keyof AuthDeps["ledger"], method?: string): AuthDeps {
  const gone = async () => {
    throw new LedgerUnavailable("ECONNREFUSED");
  };
  const broken = new Proxy(rig.ledger[part], {
    get: (target, name) =>
      method === undefined || name === method ? gone : target[name as keyof typeof target],
  });
  return { ...rig.deps, ledger: { ...rig.deps.ledger, [part]: broken } };
}

describe("the ledger is out of reach", () => {
  test("every endpoint answers 503 auth_unavailable with Retry-After, and changes nothing", async () => {
    rig = await openRig();
    await rig.person(ADA.email);
    const { token } = await signIn(rig.deps, ADA, VISIT);
    const { identities } = without("identities").ledger;
    const { sessions } = without("sessions").ledger;
    const deps = { ...rig.deps, ledger: { identities, sessions, tokens: without("tokens").ledger.tokens } };
    const app = openTestApp({ identity: deps });
    const mine = { authorization: `Bearer ${token}` };
    const link = rig.deps.tokens.issue("fxo_").token;
    const calls: [string, RequestInit][] = [
      ["/v1/auth/sign-up", post({ email: "grace@example.com", password: PASSWORD })],
      ["/v1/auth/sign-in", post(ADA)],
      ["/v1/auth/sign-out", { method: "POST", headers: mine }],
      ["/v1/auth/me", { headers: mine }],
      ["/v1/auth/sessions", { headers: mine }],
      ["/v1/auth/sessions", { method: "DELETE", headers: mine }],
      ["/v1/auth/sessions/ses_1", { method: "DELETE", headers: mine }],
      ["/v1/auth/password", post({ current: PASSWORD, new: "another password" }, mine)],
      ["/v1/auth/password-reset", post({ email: ADA.email })],
      ["/v1/auth/password-reset/confirm", post({ token: link, new: "another password" })],
      ["/v1/auth/verify-email", post({ token: link })],
      ["/v1/auth/verify-email/send", post({ email: ADA.email })],
    ];
    for (const [path, init] of calls) {
      const response = await app.refused(path, "auth_unavailable", init);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(response.headers.get("set-cookie")).toBeNull();
    }
    expect((await rig.ledger.identities.list(null, 10)).length).toBe(1);
    await signIn(rig.deps, ADA, VISIT);
  }, 20_000);

  test("between the steps of signing up and in: the same call again completes it", async () => {
    rig = await openRig("served");
    await expect(signUp(without("tokens", "issue"), ADA, VISIT)).rejects.toThrow(LedgerUnavailable);
    // The identity is there, without a letter: the second call finds the address taken and mails the way in.
    expect(await signUp(rig.deps, ADA, VISIT)).toEqual({ kind: "mailed", sent: true });
    await confirmReset(rig.deps, { token: await rig.linkTo(ADA.email), password: PASSWORD }, VISIT);
    await expect(signIn(without("sessions", "start"), ADA, VISIT)).rejects.toThrow(LedgerUnavailable);
    await signIn(rig.deps, ADA, VISIT);
  });

  test("a reset that could not be written leaves password and link as they were", async () => {
    rig = await openRig("served");
    await rig.person(ADA.email);
    await askReset(rig.deps, ADA, VISIT);
    const token = await rig.linkTo(ADA.email);
    const wanted = { token, password: "another password" };
    await expect(confirmReset(without("tokens", "consume"), wanted, VISIT)).rejects.toThrow(
      LedgerUnavailable,
    );
    await signIn(rig.deps, ADA, VISIT);
    await confirmReset(rig.deps, wanted, VISIT);
  });

  test("a session is never believed without the ledger", async () => {
    rig = await openRig();
    await rig.person(ADA.email);
    const { token } = await signIn(rig.deps, ADA, VISIT);
    const credentials = { authorization: `Bearer ${token}`, cookie: null, origin: null, mutates: false };
    await sessionCaller(rig.deps, credentials);
    expect(await codeOf(sessionCaller(without("sessions"), credentials))).toBe("auth_unavailable");
  });
});

describe("the mail server is out of reach", () => {
  test("signing up works, says that no letter could be sent, and the operator hears why, without the address", async () => {
    rig = await openRig("down");
    expect(await signUp(rig.deps, ADA, VISIT)).toEqual({ kind: "mailed", sent: false });
    expect(await rig.ledger.identities.byEmail(ADA.email)).not.toBeNull();
    const told = rig.told.filter((line) => line.includes("job_failed"));
    expect(told).toHaveLength(1);
    expect(told[0]).not.toContain("ada");
  });

  test("a taken address fails in the same words", async () => {
    rig = await openRig("down");
    await rig.person(ADA.email);
    expect(await signUp(rig.deps, ADA, VISIT)).toEqual({ kind: "mailed", sent: false });
  });

  test("asking for a letter answers as ever, and the operator hears of it", async () => {
    const told: string[] = [];
    const afterwards = openAfterwards(
      (happening) => told.push(JSON.stringify(happening)),
      (_, run) => setTimeout(run),
    );
    rig = await openRig("down", { afterwards: afterwards.run });
    await rig.person(ADA.email);
    await askReset(rig.deps, ADA, VISIT);
    await afterwards.settled();
    expect([...told, ...rig.told].filter((line) => line.includes("job_failed"))).toHaveLength(1);
    expect(rig.clock.now()).toBe(NOW);
  });
});
