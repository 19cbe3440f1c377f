/** The status page: is every source there, how old are its figures, what is held back and why, what was wrong. */
/* @jsxImportSource preact */

import type { ServiceStatus } from "#domain/rates/status.ts";
import { formatDay } from "#domain/time/day.ts";
import { renderPage } from "#web/shared/page.tsx";
import { SOURCE_NAMES } from "#web/shared/words.ts";
import { State, When } from "./marks.tsx";
import { Daily, Live, Official } from "./sources.tsx";
import type { StatusPageProps } from "./status-data.ts";

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

export function statusPage(props: StatusPageProps): string {
  const { site, report, now, startedAt } = props;
  const [title, explanation] = SUMMARY[report.status];
  return renderPage({
    site,
    title: `Status: ${title.toLowerCase()} · Crossrate`,
    description: explanation,
    path: "/status/page",
    section: "status",
    children: (
      <div class="status sections">
        <h1>
          <span class={`verdict ${report.status}`}>{title}</span>
        </h1>
        <p class="lead">{explanation}</p>
        <p class="dim">
          Checked <When at={now} />. Running since <When at={startedAt} />. As JSON:{" "}
          <a href="/status">/status</a>.
        </p>
        <Daily {...props} />
        <Live report={report} />
        <Official {...props} />
        <Stores report={report} />
        <Held report={report} />
        <Incidents {...props} />
      </div>
    ),
  });
}

function Stores({ report: { lake, database, cache, limits, clock } }: Pick<StatusPageProps, "report">) {
  const stores = [
    ["Rates on disk", lake.damaged.length > 0 ? "damaged" : lake.status, lake.damaged[0] ?? lake.detail],
    ["Accounts", database.status, database.detail],
    ["Newest rates", cache.status, cache.detail],
    ["Call counts", limits.status, limits.detail],
    ["This machine's clock", clock.status, clock.detail],
  ] as const;
  return (
    <section>
      <h2>Stores</h2>
      <dl class="tiles">
        {stores.map(([name, state, detail]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <State isFine={state === "ok" || state === "unused"}>
                {state === "unused" ? "not used here" : state}
              </State>
              {detail !== null && <p class="dim">{detail}</p>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Held({ report }: Pick<StatusPageProps, "report">) {
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
          <ul class="held">
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

function Incidents({ incidents, titles }: StatusPageProps) {
  return (
    <section>
      <h2>Incidents since the start</h2>
      {incidents.length === 0 ? (
        <p class="dim">None.</p>
      ) : (
        <ol class="incidents">
          {incidents.map(({ fault, since, until }) => (
            <li key={`${fault} ${since}`}>
              <b>{faultText(fault, titles)}</b> from <When at={since} />{" "}
              {until === null ? (
                <span class="source stale">ongoing</span>
              ) : (
                <>
                  to <When at={until} />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function faultText(fault: string, titles: StatusPageProps["titles"]): string {
  const [part = "", state = ""] = fault.split(" ");
  return `${SOURCE_NAMES[part]?.long ?? titles[part] ?? part}: ${state}`;
}
