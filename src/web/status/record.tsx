/** The installation's own record: for each source a bar per day, uptime and time to publication; and incidents. */
/* @jsxImportSource preact */

import { dayAt, formatDay, type Instant } from "#domain/time/day.ts";
import type { Incident, PartDay } from "#ports/ledger.ts";
import { dayOf, When } from "#web/shared/figure.tsx";
import { durationText, SOURCE_NAMES } from "#web/shared/words.ts";

export const BAR_DAYS = 90;
const STEP = 4;
const WIDTH = 3;
const HEIGHT = 20;
/** A day with more faults than this share is red. */
const DOWN_SHARE = 0.5;
const MOST_NAMED = 4;
const SHOWN_INCIDENTS = 8;

export interface Recorded {
  readonly now: Instant;
  /** Names of sources and tables by their ids. */
  readonly titles: Readonly<Record<string, string>>;
  readonly days: readonly PartDay[];
  readonly delays: ReadonlyMap<string, readonly number[]>;
}

/** `since` is null for a fault that is not in the record. */
export type ShownIncident = Omit<Incident, "since"> & { readonly since: Instant | null };

export function nameOf(part: string, titles: Recorded["titles"]): string {
  return PART_NAMES[part] ?? SOURCE_NAMES[part]?.long ?? titles[part] ?? part;
}

const PART_NAMES: Readonly<Record<string, string>> = {
  live: "Live rates",
  database: "Accounts",
  limits: "Call counts",
  cache: "Newest rates",
  lake: "Rates on disk",
  clock: "This machine's clock",
};

/** Each of `sources` has a row. */
export function NinetyDays({ sources, ...recorded }: Recorded & { readonly sources: readonly string[] }) {
  if (recorded.days.length === 0) return null;
  return (
    <section>
      <h2>Last {BAR_DAYS} days</h2>
      <ul class="plain-list ninety">
        {sources.map((part) => (
          <Row key={part} part={part} {...recorded} />
        ))}
      </ul>
      <p class="hint">
        A bar is a day: green without a fault, amber with some, red when at fault for most of it, grey where
        this server was not running. Time to publication is the median from the authority's publication to its
        collection here.
      </p>
    </section>
  );
}

function Row({ part, now, titles, days, delays }: Recorded & { readonly part: string }) {
  const byDay = new Map(days.filter((one) => one.part === part).map((one) => [one.day, one]));
  const today = dayAt(now);
  const shown = Array.from({ length: BAR_DAYS }, (_, nth) => byDay.get(today - BAR_DAYS + 1 + nth) ?? null);
  const delay = median(delays.get(part) ?? []);
  return (
    <li>
      <div class="row spread">
        <b>{nameOf(part, titles)}</b>
        <span class="dim">
          {uptimeText(shown)}
          {delay !== null &&
            ` · time to publication ${delay < 60_000 ? "under a minute" : durationText(delay)}`}
        </span>
      </div>
      <svg
        class="ninety-bars"
        viewBox={`0 0 ${BAR_DAYS * STEP - 1} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={faultyText(shown)}
      >
        {TONES.map(([tone, colour]) => (
          <path key={tone} fill={`var(--${colour})`} d={pathOf(shown, tone)} />
        ))}
      </svg>
    </li>
  );
}

type Shown = readonly (PartDay | null)[];
const TONES = [
  ["none", "line"],
  ["fine", "live"],
  ["partly", "warn"],
  ["down", "wrong"],
] as const;
type Tone = (typeof TONES)[number][0];

function toneOf(day: PartDay | null): Tone {
  if (day === null) return "none";
  if (day.faults === 0) return "fine";
  return day.faults / day.looks > DOWN_SHARE ? "down" : "partly";
}

function pathOf(shown: Shown, tone: Tone): string {
  return shown
    .map((day, nth) => (toneOf(day) === tone ? `M${nth * STEP} 0h${WIDTH}v${HEIGHT}h-${WIDTH}z` : ""))
    .join("");
}

/** Rounds down: 100 % means not a single fault. */
function uptimeText(shown: Shown): string {
  const days = shown.flatMap((day) => day ?? []);
  const looks = days.reduce((sum, day) => sum + day.looks, 0);
  const faults = days.reduce((sum, day) => sum + day.faults, 0);
  if (looks === 0) return "no record yet";
  const percent = Math.floor((1 - faults / looks) * 10_000) / 100;
  const span = days.length > 1 ? `over ${days.length} days` : shown.at(-1) === null ? "on one day" : "today";
  return `${percent.toFixed(faults === 0 ? 0 : 2)} % up ${span}`;
}

function faultyText(shown: Shown): string {
  const faulty = shown.flatMap((day) => (day !== null && day.faults > 0 ? [dayOf(formatDay(day.day))] : []));
  if (faulty.length === 0) return "No faults recorded.";
  const named = faulty.slice(-MOST_NAMED).join(", ");
  return `Faults on ${faulty.length === 1 ? named : `${faulty.length} days, last on ${named}`}.`;
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

export function Incidents({
  incidents,
  now,
  titles,
}: Pick<Recorded, "now" | "titles"> & {
  /** Null where the record cannot be read. */
  readonly incidents: readonly ShownIncident[] | null;
}) {
  const all = incidents?.map((incident) => (
    <Happened key={`${incident.fault} ${incident.since}`} {...incident} now={now} titles={titles} />
  ));
  const older = all?.splice(SHOWN_INCIDENTS) ?? [];
  return (
    <section>
      <h2>Incidents of the last {BAR_DAYS} days</h2>
      {incidents === null && <p class="dim">The record cannot be read at the moment.</p>}
      {incidents?.length === 0 && <p class="dim">None.</p>}
      <ol>{all}</ol>
      {older.length > 0 && (
        <details>
          <summary>{older.length} earlier incidents</summary>
          <ol>{older}</ol>
        </details>
      )}
    </section>
  );
}

function Happened({ fault, since, until, now, titles }: ShownIncident & Pick<Recorded, "now" | "titles">) {
  const [part = "", state = ""] = fault.split(" ");
  return (
    <li>
      <b>
        {nameOf(part, titles)}: {state}
      </b>{" "}
      {since === null ? (
        "not in the record yet"
      ) : (
        <>
          from <When at={since} />
        </>
      )}{" "}
      {until === null ? (
        <span class="source stale">ongoing</span>
      ) : (
        <>
          to <When at={until} />
        </>
      )}
      {since !== null && (until ?? now) - since >= 60_000 && (
        <span class="dim"> ({durationText((until ?? now) - since)})</span>
      )}
    </li>
  );
}

const LONGEST_FAULT = 140;

/** The reason of a fault. A long one folds after its first words. */
export function Reason({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  if (text.length <= LONGEST_FAULT) return <p class="dim">{text}</p>;
  const cut = text.lastIndexOf(" ", LONGEST_FAULT - 40);
  return (
    <details class="dim">
      <summary>{text.slice(0, cut < 40 ? LONGEST_FAULT - 40 : cut)} …</summary>
      {text}
    </details>
  );
}
