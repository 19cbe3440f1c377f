/** GET /status/page: the state of every source, the age of its figures, its last 90 days, held figures with their reasons, and incidents. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { ComponentChildren } from "preact";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { nextPublication } from "#domain/history/schedule.ts";
import type { FeedState } from "#domain/live/live-quote.ts";
import { dayAt, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { OfficialDeps } from "#official/deps.ts";
import type { StatusLog, StatusRecord } from "#ports/ledger.ts";
import { lookOf, publicationDelays } from "#rates/incidents.ts";
import {
  type DailyStatus,
  type FirstCollection,
  firstCollection,
  type ServiceStatus,
  type StatusDeps,
  status,
} from "#rates/status.ts";
import type { PageParts } from "#web/page-data.ts";
import { dateOf, Others, When } from "#web/shared/figure.tsx";
import { CollectionSteps, firstCollectionTitle, reloadHeader } from "#web/shared/first-collection.tsx";
import { Facts } from "#web/shared/forms.tsx";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { Table } from "#web/shared/table.tsx";
import {
  BAR_DAYS,
  Incidents,
  NinetyDays,
  nameOf,
  Reason,
  type Recorded,
  type ShownIncident,
} from "./record.tsx";

const SUMMARY: Readonly<Record<ServiceStatus["status"], readonly [string, string]>> = {
  ready: ["Everything works", "All sources are current, and nothing is missing."],
  degraded: [
    "Working, with some data late or missing",
    "Rates are served. Parts marked below are late, missing or failing; each rate states its own age.",
  ],
  unready: [
    "Unable to serve rates",
    "Stored data cannot be read. Requests are refused instead of answered with doubtful numbers.",
  ],
};

const WITHOUT_RATES = [
  "No current rates",
  "No latest rate is here; the parts below say why. Past days are served where they are stored.",
] as const;

const WITHOUT_ACCOUNTS = [
  "Working, without accounts",
  "Rates are served. Accounts cannot be read or written: sign-in, new keys and webhooks wait.",
] as const;

const ENDING = ["Ending", "This server was asked to end. It answers until it does."] as const;

function summaryOf({ report, hasRates }: Status, verdict: ServiceStatus["status"]) {
  if (report.process.stopping) return ENDING;
  if (verdict === "unready" && report.lake.status === "ok") return WITHOUT_ACCOUNTS;
  return verdict === "degraded" && !hasRates ? WITHOUT_RATES : SUMMARY[verdict];
}

/** Green only when no part is at fault and nothing is missing or held back. /status alone stays ready while official tables fail. */
function verdictOf({ report, incidents }: Status): ServiceStatus["status"] {
  const isIncomplete =
    report.official.some(({ status, held }) => status !== "ok" || held.length > 0) ||
    Object.values(report.daily).some(({ heldCount }) => heldCount > 0);
  const isAtFault = isIncomplete || incidents?.some(({ until }) => until === null) === true;
  return report.status === "ready" && isAtFault ? "degraded" : report.status;
}

const COLLECTED = { head: "Last collected", label: "Collected" };

interface StatusPageDeps extends StatusDeps {
  readonly statusLog: StatusLog;
  readonly startedAt: Instant;
  /** Null where official tables are switched off. */
  readonly official: Pick<OfficialDeps, "tables"> | null;
}

export const statusPages = ({
  frame,
  statusLog,
  startedAt,
  official,
  ...deps
}: StatusPageDeps & PageParts) => {
  const titles = Object.fromEntries(
    (official?.tables ?? []).map(({ table: { id, authority, title } }) => [id, `${authority}: ${title}`]),
  );
  return new Elysia({ name: "status page" }).get("/status/page", async ({ request }) => {
    const now = deps.clock.now();
    const [report, record] = await Promise.all([
      status(deps),
      statusLog.read(dayAt(now) - BAR_DAYS + 1).catch(() => null),
    ]);
    const first = firstCollection(deps);
    const site = await frame.site(request);
    const html = statusPage(site, {
      report,
      now,
      startedAt,
      titles,
      first,
      hasRates: deps.spot().chains.some((chain) => chain !== null && chain.length > 0),
      ...recorded(deps, report, record, now),
    });
    return frame.page(request, html, { headers: first === null ? {} : reloadHeader(first) });
  });
};

/** The record, and the present faults that it lacks. Their beginning is unknown, because no process writes the record. */
function recorded(
  deps: Pick<StatusDeps, "dataset">,
  report: ServiceStatus,
  record: StatusRecord | null,
  now: Instant,
) {
  if (record === null) return { incidents: null, days: [], delays: new Map<string, readonly number[]>() };
  const { incidents, days, delays } = record;
  const begun = lookOf(report)
    .faults.filter((fault) => !incidents.some((one) => one.fault === fault && one.until === null))
    .map((fault): ShownIncident => ({ fault, since: null, until: null }));
  const since = Math.min(now, ...days.map(({ day }) => day * MILLISECONDS_PER_DAY));
  return {
    incidents: [...begun, ...incidents],
    days,
    delays: new Map([
      ...delays,
      ...DAILY_SOURCES.map((source) => [source, publicationDelays(deps, source, since)] as const),
    ]),
  };
}

function statusPage(site: Site, props: Status): string {
  const { report, now, startedAt, first, hasRates } = props;
  const verdict = verdictOf(props);
  const [title, explanation] = summaryOf(props, verdict);
  return renderPage({
    site,
    title: `Status: ${title.toLowerCase()} · Crossrate`,
    description: explanation,
    path: "/status/page",
    section: "status",
    children: (
      <div class="status sections">
        <h1>
          <span class={`verdict ${verdict}`}>{title}</span>
        </h1>
        <p class="lead">{explanation}</p>
        <p class="dim">
          Checked <When at={now} />. Running since <When at={startedAt} />. As JSON:{" "}
          <a href="/status">/status</a>.
        </p>
        {first !== null && (
          <section>
            <h2>
              {hasRates && !first.isRunning ? "A source could not be collected" : firstCollectionTitle(first)}
            </h2>
            <CollectionSteps {...first} />
          </section>
        )}
        <Daily {...props} />
        <Live {...props} />
        <Official {...props} />
        <NinetyDays
          {...props}
          sources={[
            ...Object.keys(report.daily),
            ...(report.live.status === "off" ? [] : ["live"]),
            ...report.official.map(({ table }) => table),
          ]}
        />
        <Incidents {...props} />
        <Stores report={report} />
        <HeldNote report={report} />
      </div>
    ),
  });
}

function Stores({ report: { lake, database, cache, limits, clock } }: Pick<Status, "report">) {
  const stores = [
    ["Rates on disk", lake.damaged.length > 0 ? "damaged" : lake.status, lake.damaged[0] ?? lake.detail],
    ["Accounts", database.status, database.detail],
    ["Newest rates", cache.status, cache.detail],
    ["Call counts", limits.status, limits.detail],
    // Alone, "off" is the word for what is switched off.
    ["This machine's clock", clock.status === "off" ? "off by minutes" : clock.status, clock.detail],
  ] as const;
  return (
    <section>
      <h2>Stores</h2>
      <Facts
        as="tiles"
        facts={Object.fromEntries(
          stores.map(([name, state, detail]) => [
            name,
            <>
              <State is={state}>{state === "unused" ? "not used here" : state}</State>
              <Reason text={detail} />
            </>,
          ]),
        )}
      />
    </section>
  );
}

function HeldNote({ report }: Pick<Status, "report">) {
  const daily = Object.values(report.daily);
  const held = daily.flatMap((source) => source.held);
  const count = daily.reduce((sum, source) => sum + source.heldCount, 0);
  return (
    <section>
      <h2>Held figures</h2>
      {held.length === 0 ? (
        <p class="dim">
          None. A figure that contradicts earlier figures is held here until another source confirms it.
        </p>
      ) : (
        <>
          {count > held.length && (
            <p>
              {count} figures are held. Those of the newest days are listed, {held.length} of them.
            </p>
          )}
          <ul>
            {held.map((figure) => (
              <li key={`${figure.source} ${figure.base} ${figure.quote} ${figure.date}`}>
                <b>
                  {figure.base}/{figure.quote} {formatDay(figure.date)}
                </b>{" "}
                {figure.reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const DAILY_WORDS: Readonly<Record<DailyStatus["status"], string>> = {
  ok: "current",
  stale: "late: a newer publication was due",
  failing: "current, but the last check failed",
  contradicted: "current, but its documents contradict each other",
  missing: "never collected",
};

function Daily({ report, now }: Status) {
  return (
    <section>
      <h2>Daily reference rates</h2>
      <Table
        label="Daily reference rates"
        class="stacks"
        columns={["Source", "State", "Newest day", COLLECTED, { head: "Next expected", label: "Next due" }]}
        rows={Object.entries(report.daily).map(([source, daily]) => [
          nameOf(source, {}),
          <>
            <State is={daily.status}>{DAILY_WORDS[daily.status]}</State>
            {daily.status !== "ok" && <Reason text={daily.detail} />}
            <Contradicted contradictions={daily.contradictions} />
            <Behind behind={daily.behind} />
          </>,
          daily.newestDay === null ? "–" : dateOf(formatDay(daily.newestDay)),
          <When at={daily.lastSuccessAt} />,
          <When at={nextPublication(source as DailySource, now)} />,
        ])}
      />
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
  unconfirmed:
    "served, but a price is far from the last reference and only one feed has it, or two feeds contradict each other",
  refused: "a price is refused: it is too far from the last reference",
  stale: "late: no new price within its window",
  missing: "no price since the start",
  waiting: "waiting for the first prices",
  off: "switched off",
};

/** The tone and the words of each outcome. A feed that answers without news works: of a weekend it has none. */
const FEED_WORDS: Readonly<Record<FeedState["outcome"], readonly [tone: string, words: string]>> = {
  quotes: ["ok", "delivering"],
  unchanged: ["ok", "nothing new"],
  never: ["never", "not checked yet"],
  failed: ["failed", "failing"],
};

function Live({ report: { live }, now }: Status) {
  return (
    <section>
      <h2>Live rates</h2>
      <p>
        <State is={live.status}>{LIVE_WORDS[live.status]}</State>
        <span class="dim">
          {" "}
          {live.liveCurrencies} of {live.configuredCurrencies} currencies are live.
          {live.ageSeconds !== null && [
            " The newest price is of ",
            <When at={now - live.ageSeconds * 1000} />,
            ".",
          ]}
        </span>
      </p>
      {live.feeds.length > 0 && (
        <Table
          label="Live feeds"
          class="stacks"
          columns={["Feed", "State", "Currencies", "Last prices"]}
          rows={live.feeds.map(feedCells)}
        />
      )}
      {live.refused.map((refused) => (
        <p key={refused.currency}>
          {refused.currency}: {refused.reason}
        </p>
      ))}
    </section>
  );
}

function feedCells({ feed, role, currencies, state }: ServiceStatus["live"]["feeds"][number]) {
  const [tone, words] = FEED_WORDS[state?.outcome ?? "never"];
  return [
    <>
      {feed} <span class="dim">{role === "primary" ? "first choice" : "fallback"}</span>
    </>,
    <>
      <State is={tone}>{words}</State>
      <Reason text={state?.detail ?? null} />
    </>,
    currencies,
    <When at={state?.lastSuccessAt ?? null} />,
  ];
}

const TABLE_WORDS: Readonly<Record<ServiceStatus["official"][number]["status"], string>> = {
  ok: "current",
  failing: "the last check failed",
  missing: "never collected",
};

function Official({ report, titles }: Status) {
  if (report.official.length === 0) return null;
  return (
    <section>
      <h2>Official publications</h2>
      <Table
        label="Official publications"
        class="stacks"
        columns={["Table", "State", { head: "Newest publication", label: "Newest" }, COLLECTED]}
        rows={report.official.map(({ table, status, newest, lastSuccessAt, detail, held }) => [
          titles[table] ?? table,
          <>
            <State is={held.length === 0 ? status : "held"}>
              {TABLE_WORDS[status]}
              {held.length > 0 && `, held back: ${shortList(held)}`}
            </State>
            {status !== "ok" && <Reason text={detail} />}
          </>,
          newest?.publication ?? "–",
          <When at={lastSuccessAt} />,
        ])}
      />
    </section>
  );
}

const MOST_NAMED = 5;

function shortList(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [];
  return [...names.slice(0, MOST_NAMED), ...more].join(", ");
}

const IDLE: ReadonlySet<string> = new Set(["unused", "off", "waiting", "never"]);

/** Green for `ok` alone. */
function State({ is, children }: { readonly is: string; readonly children: ComponentChildren }) {
  const tone = is === "ok" ? "live" : IDLE.has(is) ? "" : "stale";
  return <span class={`source ${tone}`}>{children}</span>;
}

interface Status extends Recorded {
  readonly report: ServiceStatus;
  /** The collection that the start began with; null once it is done. */
  readonly first: FirstCollection | null;
  /** Whether any currency has a latest rate. */
  readonly hasRates: boolean;
  readonly startedAt: Instant;
  /** Null where the record cannot be read. */
  readonly incidents: readonly ShownIncident[] | null;
}
