/** /dashboard and /dashboard/keys: usage, and the API key: issued, shown, rotated and revoked. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { DEFAULT_USAGE_DAYS, ownKeys, profile, usageDaily } from "#accounts/account/own-account.ts";
import { ownPlan } from "#accounts/account/own-plan.ts";
import { provision } from "#accounts/account/provision.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/replace-keys.ts";
import type { Instant } from "#domain/time/day.ts";
import { When } from "#web/shared/figure.tsx";
import type { Site } from "#web/shared/page.tsx";
import { Table } from "#web/shared/table.tsx";
import { Careful, Confirm, dashboardPage, type Personal } from "./frame.tsx";
import { FirstKey, overviewPage } from "./overview.tsx";
import {
  type Dashboard,
  type DashboardDeps,
  type PersonalVisit,
  personal,
  requireConfirmed,
} from "./router.ts";
import { clockText } from "./words.ts";

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
    const keys = await ownKeys(account, visit.caller.identity.id);
    return keysPage({ ...personal(visit), keys, shown, now: clock.now() });
  };
  const view = (visit: PersonalVisit) => render(visit, null);
  const page = { page: () => KEYS, view };
  const by = ({ caller }: PersonalVisit) => caller.by(clock.now());
  // Answered with the key itself: it is for the next page, and no address may have it.
  const first = ownForm(page, async (_, visit) => {
    const facts = { attribution: null, marketingConsent: false };
    const { key } = await provision(account, visit.caller.identity.id, facts, by(visit));
    return { html: await render(visit, key) };
  });
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
  return new Elysia({ name: "key pages" })
    .get("/dashboard", ownView(overview))
    .get(KEYS, ownView(view))
    .post(`${KEYS}/first`, first)
    .post(`${KEYS}/reveal`, reveal)
    .post(`${KEYS}/rotate`, rotate)
    .post(`${KEYS}/revoke`, revoke);
};

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
  readonly now: Instant;
}

function keysPage({ keys, shown, now, ...personal }: KeysProps): string {
  return dashboardPage(personal, {
    path: "/dashboard/keys",
    title: "API keys",
    children: (
      <>
        <h1>API keys</h1>
        {keys === null ? <FirstKey /> : <Keys keys={keys} shown={shown} now={now} site={personal.site} />}
      </>
    ),
  });
}

function Keys({
  keys: { current, inGrace, ended },
  shown,
  now,
  site,
}: Required<Pick<KeysProps, "shown" | "now">> & { readonly keys: KeyList; readonly site: Site }) {
  return (
    <>
      {current === null ? (
        <section>
          <p>You have no active key.</p>
          <form method="post" action="/dashboard/keys/first">
            <button class="button primary" type="submit">
              Create a key
            </button>
          </form>
        </section>
      ) : (
        <Current current={current} shown={shown} site={site} />
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
  site,
}: Pick<KeysProps, "shown"> & { readonly current: KeyRow; readonly site: Site }) {
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
      <dl class="row facts-row">
        <div>
          <dt>Created</dt>
          <dd>
            <When at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            <When at={lastUsedAt} absent="never" />
          </dd>
        </div>
      </dl>
      <h3>Example call</h3>
      <pre>
        <code data-call="">{callText(site.origin, plaintext ?? "$KEY")}</code>
      </pre>
    </section>
  );
}

/** `key` as it is in the command. */
function callText(origin: string, key: string): string {
  return `curl '${origin}/v1/latest?symbols=EUR,JPY' \\\n  -H "Authorization: Bearer ${key}"`;
}

function Replace({ hasGrace }: { readonly hasGrace: boolean }) {
  return (
    <section aria-labelledby="replace">
      <h2 id="replace">Replace or revoke</h2>
      <Careful summary="Rotate the key" isOpen={false}>
        <p>
          You get a new key. The current key works for 24 more hours, which gives your programs time to
          change.
          {hasGrace && " The previous key ends at once, because at most two keys can be active."}
        </p>
        <form method="post" action="/dashboard/keys/rotate">
          {hasGrace && <Confirm id="confirm-rotate">The previous key may end now.</Confirm>}
          <button class="button" type="submit">
            Rotate
          </button>
        </form>
      </Careful>
      <Careful summary="Revoke every key" isOpen={false}>
        <p>
          Every key ends at once, including a previous key in its last 24 hours. Programs that use them get
          401 <code>invalid_api_key</code> on their next call. This cannot be undone.
        </p>
        <form method="post" action="/dashboard/keys/revoke">
          <Confirm id="confirm-revoke">Every program with these keys may stop working.</Confirm>
          <button class="button danger" type="submit">
            Revoke every key
          </button>
        </form>
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
