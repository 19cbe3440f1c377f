/** What an operator changes takes effect for callers of the same process with their next call; the clock is fixed, so no cache expires. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { bearer, join, type Member } from "#test/metered/client.ts";
import { onBothAdminServers } from "./server.ts";

setDefaultTimeout(30_000);

onBothAdminServers("what an operator changes", (server) => {
  /** Whose key has been used, so that it is remembered. */
  async function caller(): Promise<Member & { readonly keyId: string; readonly identityId: string }> {
    const member = await join(server.replica.url);
    expect((await server.called(member.key)).status).toBe(200);
    const { accounts } = await server.get(`/admin/accounts/find?who=${member.email}`);
    return { ...member, keyId: accounts[0].keys[0].id, identityId: accounts[0].identity.id };
  }

  test("a revoked key is 401, and stays so", async () => {
    const { key, keyId, organizationId } = await caller();
    const { key: revoked } = await server.post(`/admin/keys/${keyId}/revoke`);
    expect(revoked).toMatchObject({ id: keyId, state: "revoked" });
    expect((await server.called(key)).status).toBe(401);
    const again = await server.post(`/admin/keys/${keyId}/revoke`, undefined, 404);
    expect(again.message).toContain(keyId);
    expect((await server.called(key)).status).toBe(401);
    const { entries } = await server.get(`/admin/audit?subject=organization:${organizationId}`);
    expect(entries[0]).toMatchObject({ actor: "operator", action: "key.revoked", detail: { key: keyId } });
  });

  test("another tier is another limit, up and down again", async () => {
    const { key, organizationId } = await caller();
    const limits = [(await server.called(key)).limit];
    for (const tier of ["pro", "free"]) {
      await server.post(`/admin/organizations/${organizationId}/tier`, { tier });
      limits.push((await server.called(key)).limit);
    }
    expect(limits[1]).not.toBe(limits[0]);
    expect(Number(limits[1])).toBeGreaterThan(Number(limits[0]));
    expect(limits[2]).toBe(limits[0]);
  });

  test("a suspended organization is 403 until it is resumed; others are not touched", async () => {
    const [{ key, organizationId }, other] = [await caller(), await caller()];
    await server.post(`/admin/organizations/${organizationId}/suspend`);
    expect([(await server.called(key)).status, (await server.called(other.key)).status]).toEqual([403, 200]);
    const { organization } = await server.post(`/admin/organizations/${organizationId}/resume`);
    expect([organization.status, (await server.called(key)).status]).toEqual(["active", 200]);
  });

  test("a suspended person's key and session are refused; after the resumption the key works, and the session has ended", async () => {
    const { key, token, identityId } = await caller();
    const session = async () =>
      (await fetch(`${server.replica.url}/v1/auth/me`, { headers: bearer(token) })).status;
    expect(await session()).toBe(200);
    const { identity } = await server.post(`/admin/identities/${identityId}/suspend`);
    expect(identity.suspended_at).toBe(new Date(server.clock.at).toISOString().replace(".000", ""));
    expect([(await server.called(key)).status, await session()]).toEqual([403, 403]);
    expect((await server.post(`/admin/identities/${identityId}/resume`)).identity.suspended_at).toBeNull();
    expect([(await server.called(key)).status, await session()]).toEqual([200, 401]);
  });
});
