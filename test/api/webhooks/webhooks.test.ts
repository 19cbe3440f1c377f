import { expect, test } from "bun:test";
import { openAccountApp, request, type SignedIn } from "#test/api/account/account-app.ts";
import { post } from "#test/api/harness.ts";
import { by } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";

const PATH = "/dashboard/api/webhooks";
const URL = "https://hooks.example.com/rates";

let nth = 0;

const app = await openAccountApp();

async function owner(): Promise<SignedIn & { readonly organizationId: string }> {
  nth += 1;
  const signedIn = await app.signIn(`owner${nth}@example.org`);
  const answer = await app.ask("/v1/account/provision", { method: "POST", headers: signedIn.headers });
  const { org_id: organizationId } = await answer.json();
  await app.ledger.organizations.change(organizationId, { tier: "plus" }, by());
  return { ...signedIn, organizationId };
}

async function answered(path: string, status: number, init: RequestInit) {
  const response = await app.ask(path, init);
  expect(response.headers.get("cache-control")).toBe("no-store");
  // biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the document, tests read members freely
  const body = (await response.json()) as any;
  expect(`${init.method} ${path} ${response.status} ${body.message ?? ""}`).toBe(
    `${init.method} ${path} ${status} `,
  );
  return body;
}

test("an endpoint's lifecycle: added, listed, changed, tested, rotated, deleted", async () => {
  const { headers } = await owner();
  const made = await answered(PATH, 201, post({ url: URL, events: ["official.corrected"] }, headers));
  expect(made.secret).toMatch(/^whsec_/);
  const one = `${PATH}/${made.endpoint.id}`;
  const listed = await answered(PATH, 200, request("GET", headers));
  expect(listed).toEqual({ result: "success", endpoints: [made.endpoint], limit: 5, delivering: true });
  const changed = await answered(one, 200, post({ description: "ours" }, headers));
  expect(changed).toEqual({ result: "success", endpoint: { ...made.endpoint, description: "ours" } });
  const queued = await answered(`${one}/test`, 202, request("POST", headers));
  expect(queued.delivery).toMatchObject({ endpoint_id: made.endpoint.id, state: "pending" });
  const rotated = await answered(`${one}/rotate`, 200, request("POST", headers));
  expect(rotated.secret).not.toBe(made.secret);
  const sent = await answered(`${one}/deliveries?limit=1`, 200, request("GET", headers));
  expect(sent.deliveries).toMatchObject([{ ...queued.delivery, event_type: "webhook.test", attempts: [] }]);
  expect(await answered(one, 200, request("DELETE", headers))).toMatchObject({ deleted: true });
  const dropped = await answered(`${one}/deliveries`, 200, request("GET", headers));
  expect(dropped.deliveries).toMatchObject([
    { state: "dropped", reason: "endpoint_deleted", next_attempt_at: null },
  ]);
  for (const printed of [listed, changed, queued, sent])
    expect(JSON.stringify(printed)).not.toContain("whsec_");
});

test("attempts are listed with status or fault, and an ended delivery can be sent again", async () => {
  const { headers } = await owner();
  const { endpoint } = await answered(PATH, 201, post({ url: URL }, headers));
  const { outbox } = app.ledger;
  const { clock } = app.fixture;
  await outbox.publish([news(`lifecycle ${nth}`)], clock.now());
  const wish = { at: clock.now(), worker: `wrk_${nth}`, limit: 100, perEndpoint: 2, takesOver: false };
  const [claimed] = (await outbox.claim(wish)).filter((one) => one.endpointId === endpoint.id);
  const fault = {
    status: null,
    fault: "timeout",
    milliseconds: 10_000,
    address: "192.0.2.7",
    head: null,
  } as const;
  await outbox.complete(claimed as never, fault, { state: "failed", dueAt: null }, clock.now());
  const { deliveries } = await answered(`${PATH}/${endpoint.id}/deliveries`, 200, request("GET", headers));
  expect(deliveries).toMatchObject([
    {
      state: "failed",
      attempts: [{ succeeded: false, status: null, fault: "timeout", milliseconds: 10_000 }],
    },
  ]);
  const replay = `${PATH}/deliveries/${deliveries[0].id}/replay`;
  const queued = await answered(replay, 202, request("POST", headers));
  expect(queued.delivery).toMatchObject({ id: deliveries[0].id, state: "pending" });
  expect(await answered(replay, 202, request("POST", headers))).toEqual(queued);
});

test("a number of deliveries beyond what is listed is refused", async () => {
  await app.refused(`${PATH}/whe_1/deliveries?limit=0`, "validation_error");
  await app.refused(`${PATH}/whe_1/deliveries?limit=101`, "validation_error");
});
