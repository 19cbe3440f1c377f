/** /dashboard/keys: issues, shows, rotates and revokes the API key. Other pages offer the first key, too. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { provision } from "#accounts/account/organization.ts";
import { DEFAULT_USAGE_DAYS, ownKeys, profile, usageDaily } from "#accounts/account/own-account.ts";
import { revokeKeys, rotateKey } from "#accounts/keys/keys.ts";
import type { Instant } from "#domain/time/day.ts";
import { When } from "#web/shared/figure.tsx";
import { Action, Careful, Facts } from "#web/shared/forms.tsx";
import { Snippets, snippetsOf } from "#web/shared/snippets.tsx";
import { Table } from "#web/shared/table.tsx";
import { counted } from "#web/shared/words.ts";
import { dashboardPage, Secret } from "./frame.tsx";
import { type Dashboard, type DashboardDeps, type PersonalVisit, requireConfirmed } from "./router.ts";
import { clockText, UNUSED } from "./words.ts";

const KEYS = "/dashboard/keys";

export const keyPages = (deps: DashboardDeps, { ownView, ownForm }: Dashboard) => {
  const { account, clock } = deps;
  const render = async (visit: PersonalVisit, shown: { readonly plaintext: string | null } | null) => {
    const { id } = visit.caller.identity;
    const [keys, days] = await Promise.all([
      ownKeys(account, id),
      usageDaily(account, id, DEFAULT_USAGE_DAYS),
    ]);
    const calls = days.reduce((sum, { served }) => sum + served, 0);
    const props = { shown, calls, now: clock.now(), origin: visit.site.origin };
    return dashboardPage(
      visit,
      KEYS,
      "API keys",
      keys === null ? <FirstKey /> : <Keys {...keys} {...props} />,
    );
  };
  const view = (visit: PersonalVisit) => render(visit, null);
  const page = { page: () => KEYS, view };
  /** Answers with the page that shows the key instead of a redirect: no address may contain a key. */
  const firstKey = async (visit: PersonalVisit) => {
    const facts = { attribution: null, marketingConsent: false };
    const { key } = await provision(account, visit.caller.identity.id, facts, visit.by);
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
    await rotateKey(account, ownerId, visit.by, form.get("key"));
    return { to: KEYS, notice: "key_rotated" };
  });
  const revoke = ownForm(page, async (form, visit) => {
    requireConfirmed(form);
    await revokeKeys(account, visit.caller.identity.id, visit.by);
    return { to: KEYS, notice: "keys_revoked" };
  });
  const pages = new Elysia({ name: "key pages" })
    .get(KEYS, ownView(view))
    .post(`${KEYS}/first`, first)
    .post(`${KEYS}/reveal`, reveal)
    .post(`${KEYS}/rotate`, rotate)
    .post(`${KEYS}/revoke`, revoke);
  return { pages, firstKey };
};

/** Makes the first key of a person and shows it. */
export type FirstKeyPage = ReturnType<typeof keyPages>["firstKey"];

export function FirstKey() {
  return (
    <section class="first-key">
      <h2>Create your first API key</h2>
      <p>
        A key raises your limits. It starts on the free plan. Use it on your servers, never in pages or apps
        that others can read.
      </p>
      <Action path={`${KEYS}/first`} name="Create the key" kind="primary" />
    </section>
  );
}

type OwnKeys = NonNullable<Awaited<ReturnType<typeof ownKeys>>>;

interface KeysProps extends OwnKeys {
  /** Null when the page does not show the whole key; `plaintext` is null when the server cannot show it. */
  readonly shown: { readonly plaintext: string | null } | null;
  /** Served in the last 30 days. */
  readonly calls: number;
  readonly now: Instant;
  readonly origin: string;
}

function Keys({ current, inGrace, ended, now, ...rest }: KeysProps) {
  return (
    <>
      {current === null ? (
        <section>
          <p>You have no active key.</p>
          <Action path={`${KEYS}/first`} name="Create a key" kind="primary" />
        </section>
      ) : (
        <Current {...current} {...rest} />
      )}
      {inGrace.map(({ prefix, endsAt, lastUsedAt }) => {
        const seconds = Math.max(0, Math.floor((endsAt - now) / 1000));
        return (
          <section key={prefix} class="key-grace">
            <h2>Previous key</h2>
            <p>
              <code>{prefix}…</code> works for another{" "}
              <span class="countdown" role="timer" data-countdown={seconds}>
                {clockText(seconds)}
              </span>
              , until <When at={endsAt} />. Last used: <When at={lastUsedAt} absent={UNUSED} />.
            </p>
          </section>
        );
      })}
      {(current !== null || inGrace.length > 0) && (
        <Replace current={current?.prefix} hasGrace={inGrace.length > 0} />
      )}
      {ended.length > 0 && (
        <section>
          <h2>Inactive keys</h2>
          <Table
            columns={["Key", "Created", "Ended"]}
            rows={ended.map(({ prefix, createdAt, endedAt }) => [
              <code>{prefix}…</code>,
              <When at={createdAt} />,
              <When at={endedAt} />,
            ])}
          />
        </section>
      )}
    </>
  );
}

type CurrentProps = NonNullable<OwnKeys["current"]> & Pick<KeysProps, "shown" | "calls" | "origin">;

function Current({ prefix, createdAt, lastUsedAt, shown, calls, origin }: CurrentProps) {
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
      <Secret text={plaintext ?? `${prefix}…`} isWhole={plaintext !== null}>
        {plaintext === null ? (
          <Action path={`${KEYS}/reveal`} name="Show" />
        ) : (
          <a class="button" href={KEYS}>
            Hide
          </a>
        )}
      </Secret>
      <Facts
        facts={{ Created: <When at={createdAt} />, "Last used": <When at={lastUsedAt} absent={UNUSED} /> }}
      />
      <h3>{calls === 0 ? "Make your first call" : "Example call"}</h3>
      <p id="first-call" data-pending={calls === 0 ? "yes" : "no"} role="status">
        {calls === 0 ? (
          <span class="source">waiting for your first call</span>
        ) : (
          <span class="source live">✓ {counted(calls, "request")} served in the last 30 days</span>
        )}
      </p>
      <Snippets snippets={firstCalls(origin, plaintext ?? "$KEY")} />
    </section>
  );
}

function firstCalls(origin: string, key: string) {
  const ts = `const { rates } = await crossrate.latest({ symbols: ["EUR", "JPY"] });`;
  const python = `rates = crossrate.latest(symbols=["EUR", "JPY"]).rates`;
  return snippetsOf({ origin, key }, "/v1/latest?symbols=EUR,JPY", ts, python);
}

interface ReplaceProps {
  readonly current: string | undefined;
  readonly hasGrace: boolean;
}

function Replace({ current, hasGrace }: ReplaceProps) {
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
          fields={current === undefined ? {} : { key: current }}
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
