/** The sources on the status page: daily, live, official. */
/* @jsxImportSource preact */

import type { DailyStatus, FeedStatus, OfficialTableCheck, ServiceStatus } from "#domain/rates/status.ts";
import { formatDay } from "#domain/time/day.ts";
import { ageText } from "#web/shared/away.tsx";
import { dateOf } from "#web/shared/figure.tsx";
import { Others } from "#web/shared/others.tsx";
import { Table } from "#web/shared/table.tsx";
import { SOURCE_NAMES } from "#web/shared/words.ts";
import { State, When } from "./marks.tsx";
import type { StatusPageProps } from "./status-data.ts";

const DAILY_WORDS: Readonly<Record<DailyStatus["status"], string>> = {
  ok: "current",
  stale: "late: a newer publication was due",
  failing: "current, but the last check failed",
  contradicted: "current, but its documents contradict each other",
  missing: "never collected",
};

export function Daily({ report, next }: StatusPageProps) {
  return (
    <section>
      <h2>Daily reference rates</h2>
      <Table
        label="Daily reference rates"
        columns={["Source", "State", "Newest day", "Last collected", "Next expected"]}
      >
        {Object.entries(report.daily).map(([source, daily]) => (
          <tr key={source}>
            <th scope="row">{SOURCE_NAMES[source]?.long ?? source}</th>
            <td>
              <State isFine={daily.status === "ok"}>{DAILY_WORDS[daily.status]}</State>
              {daily.detail !== null && daily.status !== "ok" && <p class="dim">{daily.detail}</p>}
              <Contradicted contradictions={daily.contradictions} />
              <Behind behind={daily.behind} />
            </td>
            <td>{daily.newestDay === null ? "–" : dateOf(formatDay(daily.newestDay))}</td>
            <td>
              <When at={daily.lastSuccessAt} />
            </td>
            <td>
              <When at={next[source] ?? null} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Contradicted({ contradictions }: Pick<DailyStatus, "contradictions">) {
  if (contradictions === null) return null;
  const { count, since, example } = contradictions;
  return (
    <p class="dim">
      Since <When at={since} /> another document states {count === 1 ? "one figure" : `${count} figures`}{" "}
      differently: <Others>{example}</Others>.
    </p>
  );
}

/** Currencies without a figure of the newest day. */
function Behind({ behind }: Pick<DailyStatus, "behind">) {
  if (behind.length === 0) return null;
  const named = behind.map(({ code, lastDate, isSuspended }) =>
    isSuspended
      ? `${code} ended on ${dateOf(formatDay(lastDate))}`
      : `${code} is of ${dateOf(formatDay(lastDate))}`,
  );
  return <p class="dim">Without a figure of the newest day: {named.join(", ")}.</p>;
}

const LIVE_WORDS: Readonly<Record<ServiceStatus["live"]["status"], string>> = {
  ok: "current",
  unconfirmed: "served, but a price is far from the last reference and only one feed has it",
  refused: "a price is refused: it is too far from the last reference",
  stale: "late: no new price within its window",
  missing: "no price since the start",
  waiting: "waiting for the first prices",
  off: "switched off",
};

const FEED_WORDS: Readonly<Record<string, string>> = {
  quotes: "delivering",
  never: "not checked yet",
  failed: "failing",
};

export function Live({ report: { live } }: Pick<StatusPageProps, "report">) {
  return (
    <section>
      <h2>Live rates</h2>
      <p>
        <State isFine={["ok", "off", "waiting"].includes(live.status)}>{LIVE_WORDS[live.status]}</State>
        <span class="dim">
          {" "}
          {live.liveCurrencies} of {live.configuredCurrencies} currencies are live.
          {live.ageSeconds !== null && ` The newest price is ${ageText(live.ageSeconds * 1000)} old.`}
        </span>
      </p>
      {live.feeds.length > 0 && (
        <Table label="Live feeds" columns={["Feed", "State", "Currencies", "Last prices"]}>
          {live.feeds.map((feed) => (
            <Feed key={feed.feed} {...feed} />
          ))}
        </Table>
      )}
      {live.refused.map((refused) => (
        <p key={refused.currency}>
          {refused.currency}: {refused.reason}
        </p>
      ))}
    </section>
  );
}

function Feed({ feed, role, currencies, state }: FeedStatus) {
  const outcome = state?.outcome ?? "never";
  return (
    <tr>
      <th scope="row">
        {feed} <span class="dim">{role === "primary" ? "first choice" : "fallback"}</span>
      </th>
      <td>
        <State isFine={outcome === "quotes"}>{FEED_WORDS[outcome] ?? outcome}</State>
        {state?.detail !== null && state?.detail !== undefined && <p class="dim">{state.detail}</p>}
      </td>
      <td>{currencies}</td>
      <td>
        <When at={state?.lastSuccessAt ?? null} />
      </td>
    </tr>
  );
}

const TABLE_WORDS: Readonly<Record<OfficialTableCheck["status"], string>> = {
  ok: "current",
  failing: "the last check failed",
  missing: "never collected",
};

export function Official({ report, titles }: StatusPageProps) {
  if (report.official.length === 0) return null;
  return (
    <section>
      <h2>Official publications</h2>
      <Table
        label="Official publications"
        columns={["Table", "State", "Newest publication", "Last collected"]}
      >
        {report.official.map(({ table, status, newest, lastSuccessAt, detail, held }) => (
          <tr key={table}>
            <th scope="row">{titles[table] ?? table}</th>
            <td>
              <State isFine={status === "ok" && held.length === 0}>
                {TABLE_WORDS[status]}
                {held.length > 0 && `, held back: ${shortList(held)}`}
              </State>
              {detail !== null && status !== "ok" && <p class="dim">{detail}</p>}
            </td>
            <td>{newest?.publication ?? "–"}</td>
            <td>
              <When at={lastSuccessAt} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const MOST_NAMED = 5;

function shortList(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [];
  return [...names.slice(0, MOST_NAMED), ...more].join(", ");
}
