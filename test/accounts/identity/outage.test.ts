/** The ledger or the mail server out of reach, at every step: a refusal that names it, and nothing half done. */

import { describe, expect, test } from "bun:test";
import { askLink, confirmReset, openBackgroundTasks } from "#accounts/identity/links.ts";
import { signIn, signUp } from "#accounts/identity/sign-in.ts";
import type { AuthDeps } from "#api/auth/model.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { issueToken } from "#domain/account/token.ts";
import { unreachable } from "#test/accounts/account/fixture.ts";
import { openTestApp, post } from "#test/api/harness.ts";
import { type IdentityFixture, NOW, openFixture, PASSWORD, VISIT } from "./fixture.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };

/** Of a part of the ledger one method is out of reach, or all. */
function without({ deps }: IdentityFixture, part: keyof AuthDeps["ledger"], method?: string): AuthDeps {
  const away = unreachable<object>(deps.ledger[part]);
  const broken = method === undefined ? away : { ...deps.ledger[part], [method]: Reflect.get(away, method) };
  return { ...deps, ledger: { ...deps.ledger, [part]: broken } };
}

describe("the ledger is out of reach", () => {
  // Those that a session opens: test/api/account/session-refusals.test.ts.
  test("every endpoint answers 503 auth_unavailable with Retry-After, and changes nothing", async () => {
    const fixture = await openFixture();
    await fixture.person(ADA.email);
    const { identities } = without(fixture, "identities").ledger;
    const { sessions } = without(fixture, "sessions").ledger;
    const deps = {
      ...fixture.deps,
      ledger: { identities, sessions, tokens: without(fixture, "tokens").ledger.tokens },
    };
    const app = openTestApp({ identity: deps });
    const link = issueToken("fxo_", fixture.deps.random).token;
    const calls: [string, RequestInit][] = [
      ["/v1/auth/sign-up", post({ email: "grace@example.com", password: PASSWORD })],
      ["/v1/auth/sign-in", post(ADA)],
      ["/v1/auth/password-reset", post({ email: ADA.email })],
      ["/v1/auth/password-reset/confirm", post({ token: link, new: "another password" })],
      ["/v1/auth/verify-email", post({ token: link, password: PASSWORD })],
      ["/v1/auth/verify-email/send", post({ email: ADA.email })],
    ];
    for (const [path, init] of calls) {
      const response = await app.refused(path, "auth_unavailable", init);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(response.headers.get("set-cookie")).toBeNull();
    }
    expect((await fixture.ledger.identities.list(null, 10)).length).toBe(1);
    await signIn(fixture.deps, ADA, VISIT);
  });

  test("between the steps of signing up and in: repeating the call completes it", async () => {
    const fixture = await openFixture("served");
    await expect(signUp(without(fixture, "tokens", "issue"), ADA, VISIT)).rejects.toThrow(LedgerUnavailable);
    // The identity exists, but no message was sent: the second call finds the address taken and mails the link to sign in.
    expect(await signUp(fixture.deps, ADA, VISIT)).toEqual({ kind: "mailed", sent: true });
    await confirmReset(fixture.deps, { token: await fixture.linkTo(ADA.email), password: PASSWORD }, VISIT);
    await expect(signIn(without(fixture, "sessions", "start"), ADA, VISIT)).rejects.toThrow(
      LedgerUnavailable,
    );
    await signIn(fixture.deps, ADA, VISIT);
  });

  test("a reset that could not be written leaves password and link as they were", async () => {
    const fixture = await openFixture("served");
    await fixture.person(ADA.email);
    await askLink(fixture.deps, "reset_password", ADA, VISIT);
    const token = await fixture.linkTo(ADA.email);
    const wanted = { token, password: "another password" };
    await expect(confirmReset(without(fixture, "tokens", "consume"), wanted, VISIT)).rejects.toThrow(
      LedgerUnavailable,
    );
    await signIn(fixture.deps, ADA, VISIT);
    await confirmReset(fixture.deps, wanted, VISIT);
  });
});

describe("the mail server is out of reach", () => {
  test("signing up works, answers that no message could be sent, and the log has the reason without the address", async () => {
    const fixture = await openFixture("down");
    expect(await signUp(fixture.deps, ADA, VISIT)).toEqual({ kind: "mailed", sent: false });
    expect(await fixture.ledger.identities.byEmail(ADA.email)).not.toBeNull();
    const emitted = fixture.emitted.filter((line) => line.includes("job_failed"));
    expect(emitted).toHaveLength(1);
    expect(emitted[0]).not.toContain("ada");
    // So is a taken address.
    expect(await signUp(fixture.deps, ADA, VISIT)).toEqual({ kind: "mailed", sent: false });
  });

  test("a request for a message is answered as usual, and the failure is logged", async () => {
    const emitted: string[] = [];
    const backgroundTasks = openBackgroundTasks(
      (event) => emitted.push(JSON.stringify(event)),
      (_, run) => setTimeout(run),
    );
    const fixture = await openFixture("down", { inBackground: backgroundTasks.run });
    await fixture.person(ADA.email);
    await askLink(fixture.deps, "reset_password", ADA, VISIT);
    await backgroundTasks.settled();
    expect([...emitted, ...fixture.emitted].filter((line) => line.includes("job_failed"))).toHaveLength(1);
    expect(fixture.clock.now()).toBe(NOW);
  });
});
