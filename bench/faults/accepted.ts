/** What the service has accepted of people while it was disturbed (accounts, keys, endpoints, events), and whether all of it is there in the end. */

import type { Member, Site } from "#test/failover/site.ts";
import { bearer, PASSWORD, post } from "#test/metered/client.ts";

/** Between the works of one person and of the next. */
const PAUSE_MILLISECONDS = 1_000;
const PATIENCE_MILLISECONDS = 10_000;
/** Attempts of a delivery that failed are repeated after a minute. */
const DELIVERED_MILLISECONDS = 120_000;

export interface Person {
  readonly email: string;
  readonly token: string;
  organization?: string;
  key?: string;
  endpoint?: string;
  /** A test event that was accepted. */
  isTested?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: members of bodies are read freely
type Body = any;

/** Null where it was not accepted. */
async function send(member: Member, path: string, init: RequestInit): Promise<Body | null> {
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  const answer = await fetch(`${member.process()?.url}${path}`, { ...init, signal }).catch(() => null);
  const text = await answer?.text().catch(() => null);
  return answer?.ok === true && text !== null && text !== undefined ? JSON.parse(text) : null;
}

/** Signs up, makes a key, and an endpoint at this address where there is one; each only after the one before was accepted. */
export async function join(member: Member, nth: number, address: string | null): Promise<Person | null> {
  const email = `person-${nth}@example.org`;
  // Each from a network of its own: the limits of sign-ups are not what is tested.
  const from = { "x-forwarded-for": `198.${18 + (nth >> 8)}.${nth & 255}.7` };
  const signed = await send(member, "/v1/auth/sign-up?cookie=0", post({ email, password: PASSWORD }, from));
  if (signed === null) return null;
  const person: Person = { email, token: signed.token };
  const owner = { ...bearer(person.token), ...from };
  const provisioned = await send(member, "/v1/account/provision", { method: "POST", headers: owner });
  if (provisioned === null) return person;
  Object.assign(person, { organization: provisioned.org_id, key: provisioned.plaintext });
  if (address === null) return person;
  const rotated =
    nth % 3 === 0 ? await send(member, "/v1/keys/rotate", { method: "POST", headers: owner }) : null;
  if (rotated !== null) person.key = rotated.plaintext;
  const wish = { url: address, description: email, events: ["official.published", "official.corrected"] };
  const endpoint = await send(member, "/dashboard/api/webhooks", post(wish, owner));
  if (endpoint === null) return person;
  const { id } = endpoint.endpoint;
  person.endpoint = id;
  const tested = `/dashboard/api/webhooks/${id}/test`;
  person.isTested = (await send(member, tested, { method: "POST", headers: owner })) !== null;
  return person;
}

/** People who join at one replica after the other, and a receiver of their events. `pace`: how many seconds between them. */
export function startPeople(site: Site, pace: number) {
  const people: Person[] = [];
  const arrived = new Set<string>();
  let isOver = false;
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const event = (await request.json()) as { type: string; data: { endpoint: string } };
      if (event.type === "webhook.test") arrived.add(event.data.endpoint);
      return new Response(null, { status: 204 });
    },
  });
  const joining = (async () => {
    for (let nth = 100; !isOver; nth++) {
      const person = await join(site.replicas[nth % 2] as Member, nth, `http://127.0.0.1:${receiver.port}/`);
      if (person !== null) people.push(person);
      await Bun.sleep(PAUSE_MILLISECONDS * pace);
    }
  })();
  return {
    people: people as readonly Person[],
    /** Ends it; what was accepted and is not there. */
    judge: async (): Promise<readonly string[]> => {
      isOver = true;
      await joining;
      const [member] = site.replicas;
      const lost: string[] = [];
      for (const { email, token, organization, key, endpoint } of people) {
        const account = await send(member, "/v1/account", { headers: bearer(token) });
        if (account === null) lost.push(`lost: the account of ${email}`);
        if (organization !== undefined && account?.org?.id !== organization)
          lost.push(`lost: the organization of ${email}`);
        if (
          key !== undefined &&
          (await send(member, "/v1/latest?symbols=EUR", { headers: bearer(key) })) === null
        )
          lost.push(`lost: the key of ${email}`);
        if (endpoint === undefined) continue;
        const listed = await send(member, "/dashboard/api/webhooks", { headers: bearer(token) });
        if (!JSON.stringify(listed).includes(endpoint)) lost.push(`lost: the endpoint of ${email}`);
      }
      const end = performance.now() + DELIVERED_MILLISECONDS;
      const missing = () =>
        people.filter(({ endpoint, isTested }) => isTested === true && !arrived.has(endpoint as string));
      while (missing().length > 0 && performance.now() < end) await Bun.sleep(100);
      lost.push(...missing().map(({ email }) => `never arrived: the event of ${email}`));
      await receiver.stop(true);
      return lost;
    },
  };
}
