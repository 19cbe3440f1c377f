/** The first collection after a start: which sources are done, and which could not be collected. Pages that show it reload by themselves. */
/* @jsxImportSource preact */

import { withHosts } from "#domain/faults/upstream.ts";
import { formatDay } from "#domain/time/day.ts";
import type { FirstCollection } from "#rates/status.ts";
import { dateOf, When } from "./figure.tsx";
import { SOURCE_NAMES } from "./words.ts";

/** Works without JavaScript. */
export function reloadHeader({ isRunning }: FirstCollection): Readonly<Record<string, string>> {
  return { Refresh: isRunning ? "3" : "30" };
}

export function firstCollectionTitle({ isRunning, newestDay }: FirstCollection): string {
  if (!isRunning) return newestDay === null ? "No rates yet" : "No current rates";
  return newestDay === null
    ? "Collecting the history since 1999…"
    : `Collecting the days since ${dateOf(formatDay(newestDay))}…`;
}

export function CollectionSteps({ isRunning, sources }: FirstCollection) {
  const next = sources.find(({ outcome }) => outcome === "never")?.source;
  return (
    <>
      <ul class="plain-list lines">
        {sources.map(({ source, outcome, detail, nextAt }) => (
          <li key={source}>
            <b>{SOURCE_NAMES[source]?.long ?? source}</b>:{" "}
            {outcome === "never" ? (
              <span class="dim">{isRunning && source === next ? "being collected…" : "waiting"}</span>
            ) : outcome === "failed" ? (
              <span class="source stale">
                <span>
                  could not be collected: {withHosts(detail)}
                  {nextAt !== null && (
                    <>
                      . Tried again at <When at={nextAt} />
                    </>
                  )}
                </span>
              </span>
            ) : (
              <span class="source live">collected</span>
            )}
          </li>
        ))}
      </ul>
      <p class="dim">This page reloads by itself.</p>
    </>
  );
}
