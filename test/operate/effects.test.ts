/** What an operator changes takes effect for callers of the same process with their next call; the clock is fixed, so no cache expires. */

import { expect, test } from "bun:test";
import { bearer, join } from "#test/metered/client.ts";
import { type Fields } from "./server.ts";
import { openAdminFixture } from "./server.ts";

const server = await openAdminFixture();

/** A person with a key that has been used: the server remembers it. */
async function caller() {
  const member = await join(server.replica.url);
  expect((await server.called(member.key)).status).toBe(200);
  const { organizationId } = member;
  const identityId = (await server.ledger().organizations.byId(organizationId))?.ownerId ?? "";
  const keyId = (await server.ledger().keys.list(organizationId))[0]?.id ?? "";
  const act = async (form: string, fields: Fields = {}) =>
    (await server.submit(`/operator/people/${identityId}/${form}`, { confirm: "yes", ...fields })).status;
  return { ...member, keyId, identityId, act };
}

test("a revoked key is 401, and stays so", async () => {
  const { key, keyId, organizationId, act } = await caller();
  expect(await act("revoke", { key: keyId })).toBe(303);
  expect((await server.called(key)).status).toBe(401);
  expect(await act("revoke", { key: keyId })).toBe(404);
  expect((await server.called(key)).status).toBe(401);
  expect((await server.audit(`organization:${organizationId}`))[0]).toMatchObject({
    actor: "operator",
    action: "key.revoked",
    detail: { key: keyId },
  });
});

test("a key is revoked on the page of its owner alone", async () => {
  const [{ act }, other] = [await caller(), await caller()];
  expect(await act("revoke", { key: other.keyId })).toBe(404);
  expect((await server.called(other.key)).status).toBe(200);
});

test("another tier is another limit, up and down again", async () => {
  const { key, act } = await caller();
  const limits = [(await server.called(key)).limit];
  for (const tier of ["pro", "free"]) {
    expect(await act("organization/tier", { tier })).toBe(303);
    limits.push((await server.called(key)).limit);
  }
  expect(limits[1]).not.toBe(limits[0]);
  expect(Number(limits[1])).toBeGreaterThan(Number(limits[0]));
  expect(limits[2]).toBe(limits[0]);
});

test("a suspended organization is 403 until it is resumed; others are not touched", async () => {
  const [{ key, act }, other] = [await caller(), await caller()];
  expect(await act("organization/suspend")).toBe(303);
  expect([(await server.called(key)).status, (await server.called(other.key)).status]).toEqual([403, 200]);
  expect(await act("organization/resume")).toBe(303);
  expect((await server.called(key)).status).toBe(200);
});

test("a suspended person's key and session are refused; after the resumption the key works, and the session has ended", async () => {
  const { key, token, identityId, act } = await caller();
  const session = async () =>
    (await fetch(`${server.replica.url}/v1/auth/me`, { headers: bearer(token) })).status;
  const suspendedAt = async () => (await server.ledger().identities.byId(identityId))?.suspendedAt;
  expect(await session()).toBe(200);
  expect(await act("suspend")).toBe(303);
  expect(await suspendedAt()).toBe(server.clock.at);
  expect([(await server.called(key)).status, await session()]).toEqual([403, 403]);
  expect(await act("resume")).toBe(303);
  expect(await suspendedAt()).toBeNull();
  expect([(await server.called(key)).status, await session()]).toEqual([200, 401]);
});
