/** Identities, sessions, one-time tokens, consents: the promises of the port, on both databases. */

import { expect, test } from "bun:test";
import {
  audited,
  by,
  HOUR,
  NOON,
  newSession,
  onBothLedgers,
  person,
  provisioned,
} from "#test/store/ledger/ledgers.ts";

onBothLedgers("people", (bench) => {
  const token = (id: string, identityId: string, email: string, purpose = "reset_password" as const) => ({
    id,
    secretHash: `hash of ${id}`,
    purpose,
    identityId,
    email,
    expiresAt: NOON + HOUR,
  });
  const toReset = { patch: { passwordHash: "$argon2id$new" }, endSessions: "all" } as const;

  test("an identity comes back as it was made, by id and by its address in any writing", async () => {
    const { identities } = bench.ledger();
    const made = await person(bench.ledger(), "  E\u0301lodie@Example.ORG ");
    expect(made.email).toBe("élodie@example.org");
    expect(await identities.byId(made.id)).toEqual(made);
    expect(await identities.byEmail("ÉLODIE@example.org")).toEqual(made);
    expect(await identities.byId("idn_nobody")).toBeNull();
    expect(await identities.list(null, 10)).toEqual([made]);
    expect(await audited(bench.ledger(), `identity:${made.id}`)).toEqual(["identity.created"]);
  });

  test("an address belongs to one identity, also when twenty ask for it at once on two connections", async () => {
    const wanted = {
      email: "one@example.org",
      passwordHash: "x",
      emailVerifiedAt: null,
      role: "user",
    } as const;
    const results = await bench.raced(20, ({ identities }) => identities.create(wanted, by()));
    expect(results.filter((result) => result !== "email_taken").length).toBe(1);
    const other = await person(bench.ledger(), "two@example.org");
    const change = bench.ledger().identities.change(other.id, { email: "ONE@example.org" }, by());
    expect(await change).toBe("email_taken");
    expect((await bench.ledger().identities.byId(other.id))?.email).toBe("two@example.org");
  });

  test("an external identity is made once however many race, and never joined to another by address", async () => {
    const taken = await person(bench.ledger(), "anna@example.org");
    const external = { iss: "https://id.example.org", sub: "42" };
    const first = { email: "anna@example.org", emailVerifiedAt: NOON };
    const results = await bench.raced(20, ({ identities }) =>
      identities.ensureExternal(external, first, by()),
    );
    expect(results.filter((result) => result.created).length).toBe(1);
    expect(new Set(results.map((result) => result.identity.id)).size).toBe(1);
    const identity = results[0]?.identity;
    expect(identity).toMatchObject({ email: null, emailVerifiedAt: null, ...external });
    expect(identity?.id).not.toBe(taken.id);
  });

  test("a change is written with what changed, and never with a hash or an address; one that changes nothing is not", async () => {
    const { identities, audit } = bench.ledger();
    const { id } = await person(bench.ledger(), "a@example.org");
    const plain = { role: "admin", suspendedAt: NOON } as const;
    const patch = { email: "b@example.org", passwordHash: "$argon2id$secret", ...plain };
    expect(await identities.change(id, patch, by(NOON + 1))).toMatchObject(patch);
    expect(await identities.change(id, patch, by(NOON + 2))).toMatchObject(patch);
    expect(await identities.change("idn_nobody", patch, by())).toBeNull();
    const entries = await audit.list({ subject: `identity:${id}` }, 10);
    expect(entries.map(({ action, at }) => [action, at])).toEqual([
      ["identity.changed", NOON + 1],
      ["identity.created", NOON],
    ]);
    const changed = ["email", "passwordHash", "role", "suspendedAt"];
    expect(entries[0]?.detail).toEqual({ changed, ...plain });
    expect(JSON.stringify(entries)).not.toContain("secret");
  });

  test("people who never confirmed an address are deleted; not who has a link, a session or an organization, nor who confirmed", async () => {
    const ledger = bench.ledger();
    const { identities, tokens, sessions } = ledger;
    const sign = async (name: string, more: object = {}) => {
      const wanted = {
        email: `${name}@example.org`,
        passwordHash: "x",
        emailVerifiedAt: null,
        role: "user",
        ...more,
      };
      const made = await identities.create(wanted as Parameters<typeof identities.create>[0], by());
      if (made === "email_taken") throw new Error(name);
      return made;
    };
    await sign("nobody");
    const [linked, active] = [await sign("linked"), await sign("active")];
    await sign("confirmed", { emailVerifiedAt: NOON });
    await sign("admin", { role: "admin" });
    await tokens.issue(token("otk_1", linked.id, "linked@example.org"), by());
    await sessions.start(newSession("ses_1", active.id), by());
    await provisioned(ledger, await sign("owner"), "a", NOON);
    expect(await identities.prune(NOON)).toBe(0);
    expect(await identities.prune(NOON + 1)).toBe(1);
    expect(await identities.byEmail("nobody@example.org")).toBeNull();
    expect(await identities.list(null, 10)).toHaveLength(5);
  });

  test("a session is found with its identity, and ended by its owner alone, once", async () => {
    const { sessions } = bench.ledger();
    const owner = await person(bench.ledger(), "a@example.org");
    await sessions.start(newSession("ses_1", owner.id), by());
    const found = await sessions.find("ses_1");
    expect(found?.identity).toEqual(owner);
    expect(found?.session).toMatchObject({
      ...newSession("ses_1", owner.id),
      createdAt: NOON,
      endedAt: null,
    });
    expect(await sessions.end("ses_1", "idn_other", by())).toBe(false);
    expect(await sessions.end("ses_1", owner.id, by())).toBe(true);
    expect(await sessions.end("ses_1", owner.id, by())).toBe(false);
    expect((await sessions.find("ses_1"))?.session.endedAt).toBe(NOON);
    expect(await sessions.find("ses_2")).toBeNull();
  });

  test("all sessions end but the requesting one; the list has live ones; the time of last use never goes back", async () => {
    const { sessions, audit } = bench.ledger();
    const owner = await person(bench.ledger());
    for (const [nth, id] of ["ses_1", "ses_2", "ses_3"].entries()) {
      await sessions.start(newSession(id, owner.id), by(NOON + nth));
    }
    await sessions.start(newSession("ses_old", owner.id, NOON + 5), by());
    await sessions.markUsed([
      { id: "ses_1", at: NOON + 90 },
      { id: "ses_1", at: NOON + 50 },
      { id: "ses_2", at: NOON - 9 },
      { id: "ses_gone", at: NOON },
    ]);
    const live = await sessions.list(owner.id, NOON + 10);
    const seen = live.map(({ id, lastSeenAt }) => `${id} ${lastSeenAt - NOON}`);
    expect(seen).toEqual(["ses_3 2", "ses_2 1", "ses_1 90"]);
    expect(await sessions.endAll(owner.id, { allBut: "ses_2" }, by())).toBe(3);
    expect((await sessions.list(owner.id, NOON)).map(({ id }) => id)).toEqual(["ses_2"]);
    const started = async () =>
      (await audit.list({ subject: `identity:${owner.id}` }, 10))
        .filter(({ action }) => action === "session.started")
        .map(({ detail }) => detail["session"]);
    expect((await started()).toSorted()).toEqual(["ses_1", "ses_2", "ses_3", "ses_old"]);
    expect(await sessions.prune(NOON + 1)).toBe(3);
    // What was begun before is an entry without program and network.
    expect(await started()).toEqual(["ses_3", "ses_2", undefined, undefined]);
    expect(await sessions.endAll(owner.id, "all", by())).toBe(1);
  });

  test("a person has a hundred sessions at most: of another one the ended ones go first, then the oldest", async () => {
    const { sessions, audit } = bench.ledger();
    const owner = await person(bench.ledger());
    const other = await person(bench.ledger(), "b@example.org");
    await sessions.start(newSession("ses_other", other.id), by());
    const start = (nth: number) => sessions.start(newSession(`ses_${nth}`, owner.id), by(NOON + nth));
    for (let nth = 0; nth < 100; nth++) await start(nth);
    await sessions.end("ses_50", owner.id, by());
    // A clock that was set back: the new session is the one that stays.
    await sessions.start(newSession("ses_back", owner.id), by(NOON - 1));
    expect([await sessions.find("ses_50"), (await sessions.find("ses_0"))?.session.endedAt]).toEqual([
      null,
      null,
    ]);
    await start(100);
    const live = (await sessions.list(owner.id, NOON)).map(({ id }) => id);
    expect([live.length, live.includes("ses_back"), live[0], live.at(-1)]).toEqual([
      100,
      false,
      "ses_100",
      "ses_0",
    ]);
    const [newest] = await audit.list({ subject: `identity:${owner.id}` }, 1);
    expect(newest).toMatchObject({ action: "session.ended", detail: { sessions: ["ses_back"] } });
    expect(await sessions.list(other.id, NOON)).toHaveLength(1);
  });

  test("a token works once however many race, changes the password and ends sessions with it", async () => {
    const { sessions, tokens, identities } = bench.ledger();
    const owner = await person(bench.ledger(), "a@example.org");
    await sessions.start(newSession("ses_1", owner.id), by());
    await tokens.issue(token("otk_1", owner.id, "A@example.org"), by());
    expect((await tokens.find("otk_1"))?.secretHash).toBe("hash of otk_1");
    const results = await bench.raced(10, (on) =>
      on.tokens.consume("otk_1", "reset_password", toReset, NOON),
    );
    expect(results.filter((result) => result !== null).length).toBe(1);
    expect((await identities.byId(owner.id))?.passwordHash).toBe("$argon2id$new");
    expect(await sessions.list(owner.id, NOON)).toEqual([]);
    expect((await tokens.find("otk_1"))?.usedAt).toBe(NOON);
  });

  test("a token is refused when late, for another purpose, replaced, or when the address has changed since", async () => {
    const { tokens, identities } = bench.ledger();
    const owner = await person(bench.ledger(), "a@example.org");
    const use = (id: string, at = NOON) => tokens.consume(id, "reset_password", toReset, at);
    await tokens.issue(token("otk_1", owner.id, "a@example.org"), by());
    await tokens.issue(token("otk_2", owner.id, "a@example.org"), by());
    expect(await use("otk_1")).toBeNull();
    expect(await use("otk_2", NOON + HOUR)).toBeNull();
    expect(await tokens.consume("otk_2", "verify_email", toReset, NOON)).toBeNull();
    await identities.change(owner.id, { email: "b@example.org" }, by());
    expect(await use("otk_2")).toBeNull();
    expect((await identities.byId(owner.id))?.passwordHash).toBeNull();
    expect(await tokens.prune(NOON + 2 * HOUR)).toBe(2);
  });

  test("of tokens that are issued at once on two connections one works", async () => {
    const owner = await person(bench.ledger(), "a@example.org");
    const ids = Array.from({ length: 12 }, (_, nth) => `otk_${nth}`);
    const tokenOf = (nth: number) => token(`otk_${nth}`, owner.id, "a@example.org");
    await bench.raced(12, (on, nth) => on.tokens.issue(tokenOf(nth), by()));
    const tokens = await Promise.all(ids.map((id) => bench.ledger().tokens.find(id)));
    expect(tokens.filter((one) => one?.usedAt === null)).toHaveLength(1);
  });

  test("a token that is used while others are issued: either it was used, or it was replaced", async () => {
    const both = [bench.ledger(), await bench.another()];
    const owner = await person(bench.ledger(), "a@example.org");
    for (let round = 0; round < 8; round++) {
      await bench.ledger().tokens.issue(token(`otk_${round}`, owner.id, "a@example.org"), by());
      const [used] = await Promise.all([
        both[0]?.tokens.consume(`otk_${round}`, "reset_password", toReset, NOON),
        both[1]?.tokens.issue(token(`otk_${round}_next`, owner.id, "a@example.org"), by()),
      ]);
      expect([owner.id, undefined]).toContain(used?.id);
      expect((await bench.ledger().tokens.find(`otk_${round}_next`))?.usedAt).toBeNull();
    }
  });

  test("of changes of one password at once one counts; it ends links for a new one, and sessions", async () => {
    const { sessions, tokens, identities } = bench.ledger();
    const { id } = await person(bench.ledger(), "a@example.org");
    await identities.change(id, { passwordHash: "$argon2id$old" }, by());
    await sessions.start(newSession("ses_1", id), by());
    await tokens.issue(token("otk_1", id, "a@example.org"), by());
    const results = await bench.raced(10, (on, nth) =>
      on.identities.replacePassword(
        id,
        "$argon2id$old",
        { passwordHash: `$argon2id$${nth}`, endSessions: "all" },
        by(),
      ),
    );
    expect(results.filter((isReplaced) => isReplaced)).toHaveLength(1);
    expect((await identities.byId(id))?.passwordHash).toBe(`$argon2id$${results.indexOf(true)}`);
    expect(await sessions.list(id, NOON)).toEqual([]);
    expect(await tokens.consume("otk_1", "reset_password", toReset, NOON)).toBeNull();
  });

  test("the first acceptance of a policy version is final, also of ten at once on two connections", async () => {
    const { consents } = bench.ledger();
    const { id } = await person(bench.ledger());
    const first = { identityId: id, policyVersion: "2026-01", acceptedAt: NOON };
    expect(await consents.accept(id, "2026-01", by())).toEqual(first);
    expect(await consents.accept(id, "2026-01", by(NOON + 5))).toEqual(first);
    const raced = await bench.raced(10, (on, nth) => on.consents.accept(id, "2026-07", by(NOON + 9 + nth)));
    expect(new Set(raced.map(({ acceptedAt }) => acceptedAt)).size).toBe(1);
    expect<unknown>(await consents.list(id)).toEqual([raced[0], first]);
    expect(await audited(bench.ledger(), `identity:${id}`)).toEqual([
      "identity.created",
      "consent.accepted",
      "consent.accepted",
    ]);
  });
});
