/** /dashboard and /dashboard/keys: usage, and the API key: issued, shown, rotated and revoked. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { provision } from "#accounts/account/organization.ts";
import { DEFAULT_USAGE_DAYS, ownKeys, ownPlan, profile, usageDaily } from "#accounts/account/own-account.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/keys.ts";
import type { Instant } from "#domain/time/day.ts";
import { When } from "#web/shared/figure.tsx";
import { Action, Careful, Facts } from "#web/shared/forms.tsx";
import type { Site } from "#web/shared/page.tsx";
import { Table } from "#web/shared/table.tsx";
import { dashboardPage, type Personal } from "./frame.tsx";
import { FirstKey, overviewPage } from "./overview.tsx";
import {
  type Dashboard,
  type DashboardDeps,
  type PersonalVisit,
  personal,
  requireConfirmed,
} from "./router.ts";
import { clockText, counted } from "./words.ts";

const KEYS = "/dashboard/keys";

export const keyPages = (deps: DashboardDeps, { ownView, ownForm }: Dashboard) => {
  const { account, clock } = deps;
  const overview = async (visit: PersonalVisit) => {
    const { identity } = visit.caller;
    const [own, days, plan] = await Promise.all([
      profile(account, identity),
      usageDaily(account, identity.id, DEFAULT_USAGE_DAYS),
      ownPlan(account, identity.id),
    ]);
    const { usage, organization, key } = own;
    const isEmpty = usage === null || organization === null || plan === null;
    return overviewPage({
      ...personal(visit),
      now: clock.now(),
      account: isEmpty
        ? null
        : {
            tier: organization.tier,
            isSuspended: organization.status === "suspended",
            hasKey: key !== null,
            usage,
            days,
            missing: plan.missing,
            minuteLimit: account.plans[organization.tier].minute,
          },
    });
  };
  const render = async (visit: PersonalVisit, shown: { readonly plaintext: string | null } | null) => {
    const { id } = visit.caller.identity;
    const [keys, days] = await Promise.all([
      ownKeys(account, id),
      usageDaily(account, id, DEFAULT_USAGE_DAYS),
    ]);
    const calls = days.reduce((sum, { served }) => sum + served, 0);
    return keysPage({ ...personal(visit), keys, shown, calls, now: clock.now() });
  };
  const view = (visit: PersonalVisit) => render(visit, null);
  const page = { page: () => KEYS, view };
  const by = ({ caller }: PersonalVisit) => caller.by(clock.now());
  /** Answered with the key itself: it is for the next page, and no address may have it. */
  const firstKey = async (visit: PersonalVisit) => {
    const facts = { attribution: null, marketingConsent: false };
    const { key } = await provision(account, visit.caller.identity.id, facts, by(visit));
    return { html: await render(visit, key) };
  };
  const first = ownForm(page, (_, visit) => firstKey(visit));
  const reveal = ownForm(page, async (_, visit) => {
    const { key } = await profile(account, visit.caller.identity);
    return { html: await render(visit, key) };
  });
  const rotate = ownForm(page, async (form, visit) => {
    const ownerId = visit.caller.identity.id;
    const keys = await ownKeys(account, ownerId);
    if (keys !== null && keys.inGrace.length > 0) requireConfirmed(form);
    await rotateKey(account, ownerId, by(visit));
    return { to: KEYS, notice: "key_rotated" };
  });
  const revoke = ownForm(page, async (form, visit) => {
    requireConfirmed(form);
    await revokeKeys(account, visit.caller.identity.id, by(visit));
    return { to: KEYS, notice: "keys_revoked" };
  });
  const pages = new Elysia({ name: "key pages" })
    .get("/dashboard", ownView(overview))
    .get(KEYS, ownView(view))
    .post(`${KEYS}/first`, first)
    .post(`${KEYS}/reveal`, reveal)
    .post(`${KEYS}/rotate`, rotate)
    .post(`${KEYS}/revoke`, revoke);
  return { pages, firstKey };
};

/** Makes the first key of a person and shows it. */
export type FirstKeyPage = ReturnType<typeof keyPages>["firstKey"];

interface KeyRow {
  readonly prefix: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** A key as a page shows it. */
export interface KeyList {
  readonly current: KeyRow | null;
  readonly inGrace: readonly (KeyRow & { readonly endsAt: Instant })[];
  readonly ended: readonly (KeyRow & { readonly endedAt: Instant })[];
}

export interface KeysProps extends Personal {
  /** Null before the first key. */
  readonly keys: KeyList | null;
  /** The whole key, where it is shown on this page; "unreadable" where the server cannot show it. */
  readonly shown: { readonly plaintext: string | null } | null;
  /** Served in the last 30 days. */
  readonly calls: number;
  readonly now: Instant;
}

function keysPage({ keys, shown, calls, now, ...personal }: KeysProps): string {
  return dashboardPage(personal, {
    path: "/dashboard/keys",
    title: "API keys",
    children: (
      <>
        <h1>API keys</h1>
        {keys === null ? <FirstKey /> : <Keys {...{ keys, shown, calls, now }} site={personal.site} />}
      </>
    ),
  });
}

function Keys({
  keys: { current, inGrace, ended },
  shown,
  calls,
  now,
  site,
}: Pick<KeysProps, "shown" | "calls" | "now"> & { readonly keys: KeyList; readonly site: Site }) {
  return (
    <>
      {current === null ? (
        <section>
          <p>You have no active key.</p>
          <Action path={`${KEYS}/first`} name="Create a key" kind="primary" />
        </section>
      ) : (
        <Current current={current} shown={shown} calls={calls} site={site} />
      )}
      {inGrace.map(({ prefix, endsAt, lastUsedAt }) => (
        <section key={prefix} class="key-grace">
          <h2>Previous key</h2>
          <p>
            <code>{prefix}…</code> works for another <Countdown endsAt={endsAt} now={now} />, until{" "}
            <When at={endsAt} />. Last used: <When at={lastUsedAt} absent="never" />.
          </p>
        </section>
      ))}
      {(current !== null || inGrace.length > 0) && <Replace hasGrace={inGrace.length > 0} />}
      {ended.length > 0 && (
        <section>
          <h2>Inactive keys</h2>
          <Table class="rows" columns={["Key", "Created", "Ended"]}>
            {ended.map(({ prefix, createdAt, endedAt }) => (
              <tr key={prefix}>
                <th scope="row">
                  <code>{prefix}…</code>
                </th>
                <td>
                  <When at={createdAt} />
                </td>
                <td>
                  <When at={endedAt} />
                </td>
              </tr>
            ))}
          </Table>
        </section>
      )}
    </>
  );
}

function Current({
  current: { prefix, createdAt, lastUsedAt },
  shown,
  calls,
  site,
}: Pick<KeysProps, "shown" | "calls"> & { readonly current: KeyRow; readonly site: Site }) {
  const plaintext = shown?.plaintext ?? null;
  return (
    <section aria-labelledby="current" data-address="/dashboard/keys">
      <h2 id="current">Active key</h2>
      {shown !== null && plaintext === null && (
        <p class="message refusal">
          This server cannot show the key right now. The key still works. Rotate it to get one that can be
          shown.
        </p>
      )}
      <div class="row key">
        <code class="key-text breaks" data-key="" data-prefix={prefix}>
          {plaintext ?? `${prefix}…`}
        </code>
        <div class="row">
          <form method="post" action="/dashboard/keys/reveal" data-reveal="">
            <button class="button" type="submit">
              {plaintext === null ? "Show" : "Hide"}
            </button>
          </form>
          <button class="button" type="button" data-copy="" hidden>
            Copy
          </button>
        </div>
        <p class="hint key-status" role="status" data-key-status="" />
      </div>
      <Facts
        facts={{ Created: <When at={createdAt} />, "Last used": <When at={lastUsedAt} absent="never" /> }}
      />
      <h3>{calls === 0 ? "Make your first call" : "Example call"}</h3>
      <p id="first-call" data-waiting={calls === 0 ? "yes" : "no"} role="status">
        {calls === 0 ? (
          <span class="source">waiting for your first call</span>
        ) : (
          <span class="source live">✓ {counted(calls, "call")} received in the last 30 days</span>
        )}
      </p>
      {callsWith(site.origin, plaintext ?? "$KEY").map(({ name, text }) => (
        <figure key={name} class="example">
          <figcaption class="dim">{name}</figcaption>
          <pre>
            <code data-call="">{text}</code>
          </pre>
        </figure>
      ))}
    </section>
  );
}

/** `key` as it is in the commands. */
function callsWith(origin: string, key: string) {
  const url = `${origin}/v1/latest?symbols=EUR,JPY`;
  return [
    { name: "curl", text: `curl '${url}' \\\n  -H "Authorization: Bearer ${key}"` },
    {
      name: "Python",
      text: `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer ${key}"},
)
print(json.load(urllib.request.urlopen(request))["rates"])`,
    },
    {
      name: "JavaScript",
      text: `const response = await fetch("${url}", {
  headers: { Authorization: "Bearer ${key}" },
});
const { rates } = await response.json();`,
    },
  ];
}

function Replace({ hasGrace }: { readonly hasGrace: boolean }) {
  return (
    <section aria-labelledby="replace">
      <h2 id="replace">Replace or revoke</h2>
      <Careful summary="Rotate the key">
        <p>
          You get a new key. The current key works for 24 more hours, which gives your programs time to
          change.
          {hasGrace && " The previous key ends at once, because at most two keys can be active."}
        </p>
        <Action
          path={`${KEYS}/rotate`}
          name="Rotate"
          confirm={hasGrace ? "The previous key may end now." : undefined}
        />
      </Careful>
      <Careful summary="Revoke every key">
        <p>
          Every key ends at once, including a previous key in its last 24 hours. Programs that use them get
          401 <code>invalid_api_key</code> on their next call. This cannot be undone.
        </p>
        <Action
          path={`${KEYS}/revoke`}
          name="Revoke every key"
          kind="danger"
          confirm="Every program with these keys may stop working."
        />
      </Careful>
    </section>
  );
}

/** Counts down in the browser; without a script it is the time as of the page. */
function Countdown({ endsAt, now }: { readonly endsAt: Instant; readonly now: Instant }) {
  const seconds = Math.max(0, Math.floor((endsAt - now) / 1000));
  return (
    <span class="countdown" role="timer" data-countdown={seconds}>
      {clockText(seconds)}
    </span>
  );
}
