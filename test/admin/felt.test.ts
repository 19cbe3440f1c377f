/** What an operator changes is felt by callers of the same process with their next call; its clock stands, so no cache runs out. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { bearer, join, type Member } from "#test/metered/client.ts";
import { atBothDesks } from "./desk.ts";

setDefaultTimeout(30_000);

atBothDesks("what an operator changes", (desk) => {
  /** Whose key has been used, so that it is remembered. */
  async function caller(): Promise<Member & { readonly keyId: string; readonly identityId: string }> {
    const member = await join(desk.replica.url);
    expect((await desk.called(member.key)).status).toBe(200);
    const { accounts } = await desk.get(`/admin/accounts/find?who=${member.email}`);
    return { ...member, keyId: accounts[0].keys[0].id, identityId: accounts[0].identity.id };
  }

  test("a revoked key is 401, and stays so", async () => {
    const { key, keyId, organizationId } = await caller();
    const { key: revoked } = await desk.post(`/admin/keys/${keyId}/revoke`);
    expect(revoked).toMatchObject({ id: keyId, state: "revoked" });
    expect((await desk.called(key)).status).toBe(401);
    const again = await desk.post(`/admin/keys/${keyId}/revoke`, undefined, 404);
    expect(again.message).toContain(keyId);
    expect((await desk.called(key)).status).toBe(401);
    const { entries } = await desk.get(`/admin/audit?subject=organization:${organizationId}`);
    expect(entries[0]).toMatchObject({ actor: "operator", action: "key.revoked", detail: { key: keyId } });
  });

  test("another tier is another limit, up and down again", async () => {
    const { key, organizationId } = await caller();
    const limits = [(await desk.called(key)).limit];
    for (const tier of ["pro", "free"]) {
      await desk.post(`/admin/organizations/${organizationId}/tier`, { tier });
      limits.push((await desk.called(key)).limit);
    }
    expect(limits[1]).not.toBe(limits[0]);
    expect(Number(limits[1])).toBeGreaterThan(Number(limits[0]));
    expect(limits[2]).toBe(limits[0]);
  });

  test("a suspended organization is 403 until it is resumed; others are not touched", async () => {
    const [{ key, organizationId }, other] = [await caller(), await caller()];
    await desk.post(`/admin/organizations/${organizationId}/suspend`);
    expect([(await desk.called(key)).status, (await desk.called(other.key)).status]).toEqual([403, 200]);
    const { organization } = await desk.post(`/admin/organizations/${organizationId}/resume`);
    expect([organization.status, (await desk.called(key)).status]).toEqual(["active", 200]);
  });

  test("a suspended person is shut out with key and session; resumed the key works, and the session has ended", async () => {
    const { key, token, identityId } = await caller();
    const session = async () =>
      (await fetch(`${desk.replica.url}/v1/auth/me`, { headers: bearer(token) })).status;
    expect(await session()).toBe(200);
    const { identity } = await desk.post(`/admin/identities/${identityId}/suspend`);
    expect(identity.suspended_at).toBe(new Date(desk.clock.at).toISOString().replace(".000", ""));
    expect([(await desk.called(key)).status, await session()]).toEqual([403, 403]);
    expect((await desk.post(`/admin/identities/${identityId}/resume`)).identity.suspended_at).toBeNull();
    expect([(await desk.called(key)).status, await session()]).toEqual([200, 401]);
  });
});
