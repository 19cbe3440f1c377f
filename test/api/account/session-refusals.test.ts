/** What a session alone opens is closed to everybody else: of every such operation of the documents, its sample call. */

import { describe, expect, test } from "bun:test";
import type { Operation } from "#api/openapi/operations.ts";
import { BY_SESSION } from "#api/words.ts";
import { newApiKey } from "#domain/account/key.ts";
import { random, unreachable } from "#test/accounts/account/fixture.ts";
import { NOW, openTestApp } from "#test/api/harness.ts";
import { DASHBOARD_OPERATIONS, OPERATIONS, sampleCall } from "#test/api/openapi/valid.ts";
import { openAccountApp, type SignedIn } from "./account-app.ts";

const ALL = [...OPERATIONS, ...DASHBOARD_OPERATIONS];
const CLOSED = ALL.filter(({ security }) => Bun.deepEquals(security, BY_SESSION));
const CHANGES = CLOSED.filter(({ method }) => method !== "get");
const OF_ACCOUNTS = ALL.filter(({ tag }) => ["Account", "Billing", "Sign-in", "Webhooks"].includes(tag));

const app = await openAccountApp();
const ada = await app.signIn("ada@example.org");

function callOf(operation: Operation, more: Readonly<Record<string, string>> = {}) {
  const [path, init] = sampleCall(operation);
  return [path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...more } }] as const;
}

/** The ledger's entries that a refused call could have changed. */
async function stateOf({ identity }: SignedIn) {
  const { organizations, consents, sessions } = app.ledger;
  return [
    await organizations.byOwner(identity.id),
    await consents.list(identity.id),
    (await sessions.list(identity.id, NOW)).length,
  ];
}

test("a session is needed for everything of an account or of webhooks", () => {
  const needed = ALL.filter(({ tag }) => tag === "Account" || tag === "Webhooks");
  expect(CLOSED).toEqual(expect.arrayContaining(needed));
  expect(CLOSED.length - needed.length).toBe(6);
});

describe.each(CLOSED.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  test("401 without a session, and with an API key, whose message says why", async () => {
    const [path, init] = callOf(operation);
    const refusal = await app.refused(path, "session_required", init);
    expect(refusal.headers.get("www-authenticate")).toBe("Bearer");
    const key = newApiKey(random);
    const byKey = callOf(operation, { authorization: `Bearer ${key}` });
    const reason = await app.reason(path, "session_required", byKey[1]);
    expect(reason).toContain("API key");
    expect(reason).not.toContain(key);
  });

  test("503 with Retry-After while the session cannot be checked, or the ledger is out of reach", async () => {
    const [path, init] = callOf(operation, ada.headers);
    const { organizations, consents, keys, sessions, identities } = app.ledger;
    const lost = app.with({}, { ledger: { sessions: unreachable(sessions), identities } });
    const unchecked = await lost.refused(path, "auth_unavailable", init);
    expect(unchecked.headers.get("retry-after")).toBe("5");
    if (!operation.refusals.includes("service_unavailable")) return;
    const parts = { organizations: unreachable(organizations), consents: unreachable(consents) };
    const away = app.with({ ledger: { ...parts, keys } });
    const refusal = await away.refused(path, "service_unavailable", init);
    expect(refusal.headers.get("retry-after")).toBe("5");
    expect(await refusal.text()).not.toContain("ECONNREFUSED");
  });
});

describe("403", () => {
  test.each([
    null,
    "null",
    "https://evil.example",
    "https://rates.example.evil.example",
    "http://rates.example",
    "https://rates.example:444",
    "https://sub.rates.example",
    "https://rates.example/",
  ])("for every change by cookie from the origin %p, and nothing is changed", async (origin) => {
    const { cookie } = ada.browser;
    const before = await stateOf(ada);
    for (const operation of CHANGES) {
      const [path, init] = callOf(operation, { cookie, ...(origin === null ? {} : { origin }) });
      await app.refused(path, "forbidden", init);
    }
    expect(await stateOf(ada)).toEqual(before);
    expect((await app.ask("/v1/account", { headers: { cookie } })).status).toBe(200);
  });

  test("for a person whom the operator has suspended", async () => {
    const suspended = await app.signIn("suspended@example.org");
    const by = { at: NOW, actor: "operator" } as const;
    await app.ledger.identities.change(suspended.identity.id, { suspendedAt: NOW }, by);
    for (const operation of CLOSED) {
      const [path, init] = callOf(operation, suspended.headers);
      await app.refused(path, "forbidden", init);
    }
  });

  test("where the installation is open, which has no accounts", async () => {
    const open = openTestApp();
    for (const operation of OF_ACCOUNTS) {
      const [path, init] = callOf(operation);
      expect(await open.reason(path, "forbidden", init)).toContain("no accounts");
    }
  });
});

test("no answer may be cached, refused or not, and none lets another site read with credentials", async () => {
  for (const operation of CLOSED) {
    for (const who of [(await app.signIn(`${operation.id}@example.org`)).headers, {}]) {
      const { headers } = await app.ask(...callOf(operation, who));
      expect([operation.id, headers.get("cache-control")]).toEqual([operation.id, "no-store"]);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("etag")).toBeNull();
    }
  }
});
