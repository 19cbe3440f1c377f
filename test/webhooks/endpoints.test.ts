/** Endpoints as their owner manages them: who may have how many, what is refused and why, secrets that are returned once. */

import { expect, test } from "bun:test";
import { makeKey, rewrapKeys } from "#accounts/keys/keys.ts";
import { endpointBody } from "#api/webhooks/endpoints.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import { secretSealedFor } from "#domain/webhook/endpoint.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { MASTER, random, unreachable } from "#test/accounts/account/fixture.ts";
import { countingKey, keyringOf } from "#test/gateways/vault/keyrings.ts";
import { account, audited, by, onSqlite, person } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listDeliveries,
  listEndpoints,
  replayDelivery,
  rotateSecret,
  sendTest,
  type WebhookDeps,
} from "#webhooks/endpoints.ts";
import { endsWithEachTest, openFixture, openFor, personWith } from "./fixture.ts";

endsWithEachTest();
const URL = "https://hooks.example.com/rates";

async function refusal(work: Promise<unknown>): Promise<string> {
  const fault = await work.then(
    () => "nothing was refused",
    (thrown: unknown) => thrown,
  );
  if (!(fault instanceof Failure)) throw fault;
  const { errors } = (fault.details.members ?? {}) as {
    errors?: readonly { path: string; message: string }[];
  };
  return `${fault.code}: ${errors?.map(({ path, message }) => `${path} ${message}`).join(" ") ?? fault.message}`;
}

onSqlite("endpoints", (bench) => {
  const create = (deps: WebhookDeps, ownerId: string, url = URL) =>
    createEndpoint(deps, ownerId, { url }, by());
  /** Every call that names an endpoint or a delivery. */
  const callsAbout = (deps: WebhookDeps, ownerId: string, id: string, delivery = id) => [
    () => changeEndpoint(deps, ownerId, id, { url: URL }, by()),
    () => rotateSecret(deps, ownerId, id, by()),
    () => sendTest(deps, ownerId, id),
    () => listDeliveries(deps, ownerId, id, 10),
    () => deleteEndpoint(deps, ownerId, id, by()),
    () => replayDelivery(deps, ownerId, delivery, by()),
  ];

  test("a new one receives every event unless it chooses, its secret is returned once and stored sealed, and the ledger records who did it", async () => {
    const { ledger, deps, ownerId, organizationId } = await openFor(bench, "plus", { allowPrivate: false });
    const wish = { url: "HTTPS://Hooks.Example.com:443/rates?a=1", description: "Ledger — Köln" };
    const made = await createEndpoint(deps, ownerId, wish, by());
    expect(made.secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
    expect(endpointBody(made.endpoint).endpoint).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-Za-z]{20}$/),
      url: "https://hooks.example.com/rates?a=1",
      description: "Ledger — Köln",
      events: ["official.published", "official.corrected"],
      enabled: true,
      state: "active",
      created_at: "2026-11-20T12:00:00Z",
      secret_created_at: "2026-11-20T12:00:00Z",
    });
    const listed = await listEndpoints(deps, ownerId);
    expect(listed).toEqual({ endpoints: [made.endpoint], limit: 5, delivering: true });
    const kept = await ledger.endpoints.find(made.endpoint.id);
    expect(kept?.secret).not.toContain(made.secret.slice(6));
    const vault = await openVault(keyringOf(MASTER), random);
    const sealedFor = secretSealedFor(organizationId, made.endpoint.id);
    expect(await vault.open(JSON.parse(kept?.secret ?? ""), sealedFor)).toBe(made.secret);
    expect(vault.open(JSON.parse(kept?.secret ?? ""), { ...sealedFor, id: "whe_other" })).rejects.toThrow();
    expect(await audited(ledger, `organization:${organizationId}`)).toContain("webhook_endpoint.created");
  });

  test("a description has at most 200 characters and no control characters; all faults are named at once", async () => {
    const { deps, ownerId } = await openFor(bench, "plus");
    const wish = { url: "ftp://x", description: "a\u0000b", events: [] };
    const found = await refusal(createEndpoint(deps, ownerId, wish, by()));
    for (const part of ["/url Start the address with https://.", "/description", "/events"])
      expect(found).toContain(part);
    const made = await createEndpoint(deps, ownerId, { url: URL, description: "€".repeat(200) }, by());
    expect(
      await refusal(changeEndpoint(deps, ownerId, made.endpoint.id, { description: "€".repeat(201) }, by())),
    ).toContain("/description At most 200");
  });

  test("free and basic have none, plus 5, pro 25; two at once never pass the number, and the answer names the remedy", async () => {
    const ledger = bench.ledger();
    const { deps } = await openFixture(ledger, { attempts: { take: () => 0, clear: () => {} } });
    for (const tier of ["free", "basic"] as const) {
      const { ownerId } = await personWith(ledger, tier, tier);
      expect(await refusal(create(deps, ownerId))).toBe(
        `forbidden: the ${tier} plan has no webhook endpoints; plus and pro have them`,
      );
      expect(await listEndpoints(deps, ownerId)).toMatchObject({ limit: 0, delivering: false });
    }
    for (const [tier, most, advice] of [
      ["plus", 5, "delete one first, or change to pro"],
      ["pro", 25, "delete one first"],
    ] as const) {
      const { ownerId } = await personWith(ledger, tier, tier);
      const all = await Promise.allSettled(Array.from({ length: most + 3 }, () => create(deps, ownerId)));
      expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(most);
      expect(await refusal(create(deps, ownerId))).toBe(
        `endpoint_limit_reached: the ${tier} plan has ${most} webhook endpoints, all in use; ${advice}`,
      );
    }
  });

  test("on a smaller plan the oldest stay active, and the answer to a test of another one names the remedy", async () => {
    const { ledger, deps, fixture, ownerId, organizationId } = await openFor(bench, "pro");
    const { clock } = fixture;
    let newest = "";
    for (let nth = 0; nth < 6; nth++) {
      clock.at += 1_000;
      newest = (await createEndpoint(deps, ownerId, { url: URL }, by(clock.at))).endpoint.id;
    }
    await ledger.organizations.change(organizationId, { tier: "plus" }, by(clock.at));
    const { endpoints, delivering } = await listEndpoints(deps, ownerId);
    expect(endpoints.map(({ state }) => state)).toEqual([...Array(5).fill("active"), "over_plan"]);
    expect(delivering).toBe(true);
    expect(await refusal(sendTest(deps, ownerId, newest))).toBe(
      "endpoint_limit_reached: the plus plan has 5 webhook endpoints, all taken by older ones; delete one first, or change to pro",
    );
  });

  test("an operator's own numbers apply, and the texts state them", async () => {
    const plans = {
      ...DEFAULT_PLANS,
      basic: { ...DEFAULT_PLANS.basic, webhooks: 1 },
      plus: { ...DEFAULT_PLANS.plus, webhooks: 0 },
      pro: { ...DEFAULT_PLANS.pro, webhooks: 0 },
    };
    const { ledger, deps, ownerId } = await openFor(bench, "basic", { plans });
    await create(deps, ownerId);
    expect(await refusal(create(deps, ownerId))).toContain(
      "the basic plan has 1 webhook endpoint, which is in use; delete one first",
    );
    const other = await personWith(ledger, "bob", "pro");
    expect(await refusal(create(deps, other.ownerId))).toContain("no webhook endpoints; basic has them");
    const none = { ...plans, basic: DEFAULT_PLANS.basic };
    expect(await refusal(create({ ...deps, plans: none }, ownerId))).toContain(
      "no plan of this server has any",
    );
  });

  test("endpoints of others are not there: nothing of them can be changed, tested, read or deleted", async () => {
    const { ledger, deps, fixture, ownerId } = await openFor(bench, "plus");
    const eve = await personWith(ledger, "eve", "plus");
    const { endpoint } = await create(deps, ownerId);
    await ledger.outbox.publish([news("2026-11-20")], fixture.clock.at);
    const [delivery] = await listDeliveries(deps, ownerId, endpoint.id, 10);
    for (const work of callsAbout(deps, eve.ownerId, endpoint.id, delivery?.id))
      expect(await refusal(work())).toStartWith("not_found: ");
    expect((await listEndpoints(deps, eve.ownerId)).endpoints).toEqual([]);
    expect(await listEndpoints(deps, ownerId)).toMatchObject({ endpoints: [endpoint] });
  });

  test.each(["whe_1", "whe_\u0000", "\ud800", "", "deliveries", "x".repeat(5000)])(
    "an id that is none is not found, whatever it holds: %j",
    async (id) => {
      const { deps, ownerId } = await openFor(bench, "plus");
      for (const work of callsAbout(deps, ownerId, id))
        expect(await refusal(work())).toStartWith("not_found");
    },
  );

  test("before provisioning everything is a conflict that names the remedy", async () => {
    const ledger = bench.ledger();
    const { deps } = await openFixture(ledger);
    const { id: ownerId } = await person(ledger, "new@example.org");
    const ofAll = [() => listEndpoints(deps, ownerId), () => create(deps, ownerId)];
    for (const work of [...ofAll, ...callsAbout(deps, ownerId, "whe_1")])
      expect(await refusal(work())).toMatch(/^conflict: .*POST \/v1\/account\/provision/);
  });

  test("a suspended organization adds and sends nothing, and may still read and delete", async () => {
    const { ledger, deps, ownerId, organizationId } = await openFor(bench, "plus");
    const { endpoint } = await create(deps, ownerId);
    await ledger.organizations.change(organizationId, { status: "suspended" }, by());
    expect(await refusal(create(deps, ownerId))).toContain("forbidden: this account is suspended");
    expect(await refusal(sendTest(deps, ownerId, endpoint.id))).toContain("suspended");
    expect(await listEndpoints(deps, ownerId)).toMatchObject({
      delivering: false,
      endpoints: [{ ...endpoint, state: "suspended" }],
    });
    await deleteEndpoint(deps, ownerId, endpoint.id, by());
    expect((await listEndpoints(deps, ownerId)).endpoints).toEqual([]);
    expect(await refusal(deleteEndpoint(deps, ownerId, endpoint.id, by()))).toStartWith("not_found");
  });

  test("changes leave the rest and the secret alone; a rotation leaves everything else alone", async () => {
    const { ledger, deps, fixture, ownerId, organizationId } = await openFor(bench, "plus");
    const { clock } = fixture;
    const made = await createEndpoint(deps, ownerId, { url: URL, description: "old" }, by());
    clock.at += 60_000;
    const events = ["official.corrected", "official.corrected"] as const;
    const changed = await changeEndpoint(deps, ownerId, made.endpoint.id, { events }, by(clock.at));
    expect(changed).toEqual({ ...made.endpoint, events: ["official.corrected"] });
    const rotated = await rotateSecret(deps, ownerId, made.endpoint.id, by(clock.at));
    expect(rotated.endpoint).toEqual({ ...changed, secretAt: clock.at });
    expect(endpointBody(rotated.endpoint).endpoint.secret_created_at).toBe("2026-11-20T12:01:00Z");
    expect(rotated.secret).not.toBe(made.secret);
    expect((await audited(ledger, `organization:${organizationId}`)).slice(-3)).toEqual([
      "webhook_endpoint.created",
      "webhook_endpoint.changed",
      "webhook_endpoint.changed",
    ]);
  });

  test.each([
    [
      "webhook change of",
      (deps: WebhookDeps, owner: string) => changeEndpoint(deps, owner, "whe_1", {}, by()),
    ],
    [
      "webhook change of",
      (deps: WebhookDeps, owner: string) =>
        create(deps, owner).then(() => deleteEndpoint(deps, owner, "whe_1", by())),
    ],
    ["webhook change of", (deps: WebhookDeps, owner: string) => rotateSecret(deps, owner, "whe_1", by())],
    ["webhook test of", (deps: WebhookDeps, owner: string) => sendTest(deps, owner, "whe_1")],
    ["webhook replay of", (deps: WebhookDeps, owner: string) => replayDelivery(deps, owner, "whd_1", by())],
  ] as const)("the limit %p closes, states how long, and is each person's own", async (limit, work) => {
    const { ledger, deps, fixture, ownerId } = await openFor(bench, "plus");
    const bob = await personWith(ledger, "bob", "plus");
    for (let nth = 0; nth < ATTEMPT_LIMITS[limit].most; nth++)
      expect(await deps.attempts.take([{ limit, key: ownerId }], fixture.clock.at)).toBe(0);
    expect(await refusal(work(deps, ownerId))).toMatch(/^rate_limited: .* wait \d+ s$/);
    expect(await refusal(work(deps, bob.ownerId))).toStartWith("not_found");
  });

  test("an unavailable ledger is 503, and the answer names the remedy where something may have been written", async () => {
    const { ledger, deps, ownerId } = await openFor(bench, "plus");
    const away = { ...deps, ledger: { ...deps.ledger, endpoints: unreachable(ledger.endpoints) } };
    expect(await refusal(create(away, ownerId))).toContain("see GET /dashboard/api/webhooks");
    expect(await refusal(rotateSecret(away, ownerId, "whe_00000000000000000000", by()))).toContain(
      "rotate again",
    );
    expect(await refusal(listEndpoints(away, ownerId))).toStartWith("service_unavailable");
  });

  test("after a new master key rewrapping brings secrets under it, and they sign as before", async () => {
    const { ledger, deps, ownerId, organizationId } = await openFor(bench, "plus");
    const { endpoint, secret } = await create(deps, ownerId);
    const second = `second:${countingKey(2)}`;
    const pepper = countingKey(50);
    const both = await openVault(keyringOf(`${second},${MASTER}`, pepper), random);
    // The account's key of the fixture is no envelope: it is reported, and left unchanged.
    const rewrapped = await rewrapKeys({ ledger, vault: both }, () => by());
    expect(rewrapped).toMatchObject({ looked: 2, rewrapped: 1 });
    const alone = await openVault(keyringOf(second, pepper), random);
    const kept = await ledger.endpoints.find(endpoint.id);
    const sealedFor = secretSealedFor(organizationId, endpoint.id);
    expect(await alone.open(JSON.parse(kept?.secret ?? ""), sealedFor)).toBe(secret);
    expect(await rewrapKeys({ ledger, vault: both }, () => by())).toMatchObject({ looked: 2, rewrapped: 0 });
  });

  test("rewrapping reaches every key, past one that it cannot open, and fails without the ledger", async () => {
    const ledger = bench.ledger();
    const pepper = countingKey(50);
    const old = await openVault(keyringOf(MASTER, pepper), random);
    const texts = new Map<string, string>();
    for (let nth = 0; nth <= 200; nth++) {
      const owner = await person(ledger);
      const made = await ledger.organizations.provision(
        {
          ...{ ownerId: owner.id, attribution: null, marketingConsent: false },
          makeKey: (organizationId) => makeKey({ vault: old, random }, organizationId),
        },
        by(),
      );
      texts.set(made?.organization.id ?? "", made?.key.id ?? "");
    }
    await account(ledger, "unreadable");
    const second = `second:${countingKey(2)}`;
    const both = await openVault(keyringOf(`${second},${MASTER}`, pepper), random);
    const away = { ...ledger, keys: { ...ledger.keys, rewrap: unreachable(ledger.keys).rewrap } };
    await expect(rewrapKeys({ ledger: away, vault: both }, () => by())).rejects.toThrow(LedgerUnavailable);
    const rewrapped = await rewrapKeys({ ledger, vault: both }, () => by());
    expect(rewrapped).toEqual({ looked: 202, rewrapped: 201, unreadable: ["key_unreadable"] });
    const alone = await openVault(keyringOf(second, pepper), random);
    for (const [organizationId, id] of texts) {
      const [key] = await ledger.keys.list(organizationId);
      const sealedFor = { org: organizationId, id, purpose: "api_key" } as const;
      expect(await alone.open(JSON.parse(key?.envelope ?? ""), sealedFor)).toStartWith("fxk_");
    }
  });
});
