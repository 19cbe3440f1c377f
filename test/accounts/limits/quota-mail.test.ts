/** Mails about the month's quota: at 80 and 100 %, once each a month, to confirmed addresses; a mail server that is away is tried again. */

import { expect, test } from "bun:test";
import { mailQuotas } from "#accounts/limits/quota-mail.ts";
import { monthOf } from "#domain/account/organization.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { dayAt } from "#domain/time/day.ts";
import { noMail } from "#gateways/mail/smtp.ts";
import type { Mail } from "#ports/identity.ts";
import { NOW, openFixture, SITE } from "#test/accounts/identity/fixture.ts";
import { type Account, counted, provisioned } from "#test/store/ledger/ledgers.ts";
import { newCount } from "#test/support/counted.ts";

const QUOTA = DEFAULT_PLANS.free.month;

const fixture = await openFixture("served");

let batches = 0;
async function use(of: Account, calls: number): Promise<void> {
  batches += 1;
  const increment = counted(of, { day: dayAt(fixture.clock.at), served: calls, calls });
  await fixture.ledger.usage.apply(`batch ${batches}`, [increment], NOW);
}

const member = async (email: string) =>
  await provisioned(fixture.ledger, await fixture.person(email), email, NOW);

async function run(changes: Partial<Parameters<typeof mailQuotas>[0]> = {}): Promise<void> {
  const { deps, ledger } = fixture;
  const monthUsed = (ownerId: string, day: number) => ledger.usage.monthCalls(monthOf(day), ownerId);
  await mailQuotas({ ...deps, ledger, plans: DEFAULT_PLANS, monthUsed, ...changes });
}

const lettersTo = async (email: string) =>
  (await fixture.messages()).filter(({ to }) => to.includes(email)).map(({ text }) => text);

test("one at 80 % and one at 100 %, with what was used, of a larger plan too, and again in the next month", async () => {
  const steady = await member("steady@example.org");
  await use(steady, QUOTA * 0.8 - 1);
  await run();
  expect(await lettersTo("steady@example.org")).toEqual([]);
  await use(steady, 1);
  await run();
  await run();
  const [first, ...others] = await lettersTo("steady@example.org");
  expect(others).toEqual([]);
  expect(first).toContain("80 % of your monthly quota is used");
  expect(first).toContain("8,000 of 10,000 calls");
  expect(first).toContain("2026-05-01 at 00:00 UTC");
  expect(first).toContain(`${SITE}/dashboard/plan`);
  expect(first).toContain("A larger plan takes effect at once.");
  await use(steady, QUOTA);
  await Promise.all([run(), run()]);
  expect((await lettersTo("steady@example.org"))[1]).toContain("Your monthly quota is used up");
  expect(await lettersTo("steady@example.org")).toHaveLength(2);
  // The plan that follows has its own.
  const by = { at: NOW, actor: "billing" } as const;
  await fixture.ledger.organizations.change(steady.organizationId, { tier: "basic" }, by);
  await run();
  expect(await lettersTo("steady@example.org")).toHaveLength(2);
  for (const [calls, letters, said] of [
    [62_000, 3, "80,000 of 100,000 calls"],
    [20_000, 4, "100,000 of 100,000 calls"],
  ] as const) {
    await use(steady, calls);
    await run();
    await run();
    expect((await lettersTo("steady@example.org"))[letters - 1]).toContain(said);
    expect(await lettersTo("steady@example.org")).toHaveLength(letters);
  }
  await fixture.ledger.organizations.change(steady.organizationId, { tier: "pro" }, by);
  await run();
  await use(steady, 900_000);
  await run();
  expect((await lettersTo("steady@example.org"))[4]).not.toContain("larger plan");
  await fixture.ledger.organizations.change(steady.organizationId, { tier: "free" }, by);
  fixture.clock.at = Date.parse("2026-05-02T00:00:00Z");
  await use(steady, QUOTA);
  await run();
  await run();
  expect(await lettersTo("steady@example.org")).toHaveLength(6);
  fixture.clock.at = NOW;
});

test("goes to confirmed addresses of owners and organizations that are not suspended, and waits for the mail server", async () => {
  const [unconfirmed, barred, suspended, waiting] = [
    await member("unconfirmed@example.org"),
    await member("barred@example.org"),
    await member("suspended@example.org"),
    await member("waiting@example.org"),
  ];
  const by = { at: NOW, actor: "system" } as const;
  await fixture.ledger.identities.change(unconfirmed.owner.id, { emailVerifiedAt: null }, by);
  await fixture.ledger.organizations.change(suspended.organizationId, { status: "suspended" }, by);
  await fixture.ledger.identities.change(barred.owner.id, { suspendedAt: NOW }, by);
  for (const one of [unconfirmed, barred, suspended, waiting]) await use(one, QUOTA);
  await run({ mail: noMail });
  const refuse = async () => ({ sent: false, fault: "unavailable", detail: "gone" }) as const;
  const { count, counted } = newCount();
  await run({ mail: { configured: true, send: refuse }, count });
  expect(await lettersTo("waiting@example.org")).toEqual([]);
  await run({ count });
  expect(await lettersTo("waiting@example.org")).toHaveLength(1);
  expect(counted).toEqual(["mails unavailable 1", "mails sent 1"]);
  for (const name of ["unconfirmed", "barred", "suspended"])
    expect(await lettersTo(`${name}@example.org`)).toEqual([]);
});

test("goes to every owner, however many have reached their quota", async () => {
  const addresses = Array.from({ length: 101 }, (_, nth) => `one-of-many-${nth}@example.org`);
  for (const address of addresses) await use(await member(address), QUOTA);
  const sent: string[] = [];
  const send: Mail["send"] = async ({ to }) => {
    sent.push(to);
    return { sent: true };
  };
  await run({ mail: { configured: true, send } });
  expect(sent.toSorted()).toEqual(addresses.toSorted());
});

test.each([
  ["the mail server refuses for good", { sent: false, fault: "rejected", detail: "answered 550" }],
  ["may have come", { sent: false, fault: "unavailable", detail: "EABORT", mayHaveCome: true }],
] as const)("one that %s is not sent again", async (_, outcome) => {
  await use(await member(`${outcome.fault}@example.org`), QUOTA);
  const { count, counted } = newCount();
  const send = async () => outcome;
  for (let nth = 0; nth < 3; nth++) await run({ mail: { configured: true, send }, count });
  expect(counted).toEqual([`mails ${outcome.fault} 1`]);
});
