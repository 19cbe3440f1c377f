/** People of a site with something in every place: signed up, confirmed, with usage, keys and endpoints in every state. */

import type { Organization } from "#domain/account/organization.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { bearer, json, PASSWORD, post } from "#test/metered/client.ts";
import { NOON } from "#test/metered/history.ts";
import { until } from "#test/support/until.ts";
import type { DashboardServer } from "#test/web/dashboard/dashboard-server.ts";
import type { Receiver } from "#test/webhooks/receiver.ts";

const NEWS = ["webhooks", "erp-north", "erp-south", "archive", "spare", "warehouse"];

export interface Resident {
  readonly email: string;
  readonly session: string;
}

export interface Member extends Resident {
  readonly key: string;
  readonly identityId: string;
  readonly organizationId: string;
}

const AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
];
export function openPeople({ url, crossrate, linkTo, clock }: DashboardServer) {
  const { ledger } = crossrate.accounts as NonNullable<typeof crossrate.accounts>;
  let people = 0;
  const headers = () => ({ "x-forwarded-for": `198.51.100.${people}`, "user-agent": AGENTS[0] as string });
  const signIn = async (email: string, agent = AGENTS[0] as string): Promise<string> => {
    const init = post({ email, password: PASSWORD }, { ...headers(), "user-agent": agent });
    const answer = await fetch(`${url}/v1/auth/sign-in`, init);
    return /crossrate_session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "";
  };
  const signUp = async (email: string): Promise<Resident> => {
    people += 1;
    await fetch(`${url}/v1/auth/sign-up`, post({ email, password: PASSWORD }, headers()));
    const link = await linkTo(email);
    const confirmed = { token: link.slice(link.indexOf("=") + 1), password: PASSWORD };
    await fetch(`${url}/v1/auth/verify-email`, post(confirmed, headers()));
    for (const agent of AGENTS) await signIn(email, agent);
    return { email, session: await signIn(email) };
  };
  const asked = async ({ session }: Resident, path: string, status: number, body: object = {}) =>
    await json(await fetch(url + path, post(body, { ...headers(), ...bearer(session) })), status);
  return {
    signUp,
    withKey: async (email: string, patch: Partial<Organization> = {}): Promise<Member> => {
      const person = await signUp(email);
      const { plaintext: key } = await asked(person, "/v1/account/provision", 200);
      const identityId = (await ledger.identities.byEmail(email))?.id ?? "";
      const organizationId = (await ledger.organizations.byOwner(identityId))?.id ?? "";
      await ledger.organizations.change(organizationId, patch, { at: clock.now(), actor: "operator" });
      return { ...person, key, identityId, organizationId };
    },
    /** Six on the plan pro, which then becomes plus. The receiver takes the first event, and fails afterwards. */
    endpoints: async (member: Member, receiver: Receiver) => {
      const by = { at: clock.now(), actor: "operator" } as const;
      await ledger.organizations.change(member.organizationId, { tier: "pro" }, by);
      const made: string[] = [];
      for (const name of NEWS) {
        const body = { url: `${receiver.url}/${name}`, description: `Rates for ${name}` };
        const { endpoint } = await asked(member, "/dashboard/api/webhooks", 201, body);
        made.push(`/dashboard/webhooks/${endpoint.id}`);
      }
      const [endpoint = "", disabledEndpoint = "", , , , surplusEndpoint = ""] = made;
      await sendForm(url, member, `${endpoint}/test`);
      await receiver.came(1);
      await sendForm(url, member, `${endpoint}/test`);
      await sendForm(url, member, `${disabledEndpoint}/disable`);
      await ledger.organizations.change(member.organizationId, { tier: "plus" }, by);
      const page = { headers: { cookie: `crossrate_session=${member.session}` } };
      await until("both attempts are listed", async () => {
        const html = await (await fetch(url + endpoint, page)).text();
        return html.includes("status 204") && html.includes("status 500");
      });
      return { endpoint, disabledEndpoint, surplusEndpoint };
    },
  };
}

/** A month of usage, a second key, and one that has ended. */
export async function furnish({ crossrate, url }: DashboardServer, member: Member): Promise<void> {
  const { ledger } = crossrate.accounts as NonNullable<typeof crossrate.accounts>;
  const { organizationId, identityId: ownerId } = member;
  const today = Math.floor(NOON / MILLISECONDS_PER_DAY);
  const increments = Array.from({ length: 40 }, (_, back) => {
    const isWeekend = (today - back + 4) % 7 === 0 || (today - back + 4) % 7 === 6;
    const served = Math.round((isWeekend ? 240 : 2100) * (1 + Math.sin(back * 1.7) / 3));
    const rateLimited = back % 9 === 4 ? 160 : 0;
    const quotaExceeded = back === 4 ? 40 : 0;
    return {
      ...{ day: today - back, organizationId, ownerId, served, rateLimited },
      quotaExceeded,
      calls: served,
    };
  });
  await ledger.usage.apply("furnished", increments, NOON);
  for (const _ of [1, 2]) await sendForm(url, member, "/dashboard/keys/rotate", { confirm: "yes" });
}

async function sendForm(url: string, { session }: Resident, path: string, fields = {}): Promise<void> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: {
      origin: url,
      cookie: `crossrate_session=${session}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields).toString(),
    redirect: "manual",
  });
  if (answer.status !== 303) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}
