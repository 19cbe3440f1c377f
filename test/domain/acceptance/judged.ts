/** Builds what acceptance judges from readable rows, and carries a judgement back into what is known, as the lake does. */

import { accept } from "#domain/acceptance/acceptance.ts";
import type {
  Acceptance,
  DocumentReading,
  HeldCommand,
  KnownRates,
  SupersededObservation,
} from "#domain/acceptance/judgement.ts";
import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { NO_OBSERVATIONS, type ObservationColumns } from "#domain/history/history.ts";
import type { Figure, Observation } from "#domain/history/observation.ts";
import type { Withdrawal } from "#domain/intake/reading.ts";
import { ecbObservedAt } from "#domain/time/calendar.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { day } from "#test/domain/history/columns.ts";

export const NOTHING: KnownRates = {
  observations: NO_OBSERVATIONS,
  publishedAt: new Float64Array(0),
  superseded: [],
  held: [],
  statements: [],
  retrievals: [],
};

export function figure(
  date: string,
  quote: CurrencyCode,
  printed: string,
  publishedAt: string | null = null,
): Figure {
  return {
    date: day(date),
    base: "EUR",
    quote,
    printed,
    decimals: printed.split(".")[1]?.length ?? 0,
    observedAt: ecbObservedAt(day(date)),
    publishedAt: publishedAt === null ? null : Date.parse(publishedAt),
  };
}

/** A document retrieved at `at`; its route, address and bytes are named by `name`, so that equal names are the same route. */
export function document(
  name: string,
  at: string,
  figures: readonly Figure[],
  withdrawals: readonly Withdrawal[] = [],
): DocumentReading {
  const documentSha256 = new Bun.CryptoHasher("sha256").update(name + at).digest("hex");
  const provenance = {
    source: "ecb_daily",
    document: name,
    documentSha256,
    retrievedAt: Date.parse(at),
  } as const;
  return { provenance, route: name, figures, withdrawals };
}

/** A history of judgements: documents judged one after the other, each against what the earlier ones left. */
export class Judged {
  current: Observation[] = [];
  superseded: SupersededObservation[] = [];
  known: KnownRates = NOTHING;

  readonly #kinds: readonly string[];

  /** Kinds of routes that can be asked. */
  constructor(kinds: readonly string[] = ["files", "sdmx"]) {
    this.#kinds = kinds;
  }

  /** Judges documents of one collection on the day they were retrieved, and applies the judgement. */
  judge(...readings: readonly [DocumentReading, ...DocumentReading[]]): Acceptance {
    const today = Math.floor(readings[0].provenance.retrievedAt / MILLISECONDS_PER_DAY);
    return this.take(accept(this.known, "ecb_daily", readings, today, { kinds: this.#kinds }));
  }

  /** Judges one document. */
  read(...parts: Parameters<typeof document>): Acceptance {
    return this.judge(document(...parts));
  }

  command(command: HeldCommand, on: string): Acceptance {
    return this.take(accept(this.known, "ecb_daily", [], day(on), { command }));
  }

  /** The figure in force for a key: printed digits and revision; null when there is none. */
  inForce(date: string, quote: CurrencyCode = "USD"): { printed: string; revision: number } | null {
    const found = this.current.find((row) => row.date === day(date) && row.quote === quote);
    return found === undefined ? null : { printed: found.printed, revision: found.revision };
  }

  held(): string[] {
    return this.known.held.map(({ quote, printed, rule }) => `${quote} ${printed} ${rule}`);
  }

  /** Applies a judgement, as the lake does. */
  take(judgement: Acceptance): Acceptance {
    const places = new Map(this.current.map((row, at) => [keyOf(row), at]));
    for (const row of judgement.accepted) {
      const at = places.get(keyOf(row)) ?? -1;
      if (at < 0) places.set(keyOf(row), this.current.length);
      this.#put(row, at);
    }
    for (const gone of judgement.withdrawn) {
      const at = this.current.findIndex((row) => sameKey(row, gone));
      const [row] = this.current.splice(at, 1);
      this.superseded.push({
        ...(row as Observation),
        supersededAt: gone.retrievedAt,
        why: "withdrawn",
        supersededBy: gone.document,
      });
    }
    const { held, statements } = judgement;
    this.known = {
      ...columnsOf(this.current),
      superseded: this.superseded,
      held,
      statements,
      retrievals: this.known.retrievals,
    };
    return judgement;
  }

  #put(row: Observation, at: number): void {
    const before = this.current[at];
    if (before === undefined) {
      this.current.push(row);
    } else if (before.revision === row.revision) {
      this.current[at] = { ...before, publishedAt: before.publishedAt ?? row.publishedAt };
    } else {
      const { retrievedAt: supersededAt, document: supersededBy } = row;
      this.superseded.push({ ...before, supersededAt, why: "revised", supersededBy });
      this.current[at] = row;
    }
  }
}

type Key = Pick<Observation, "date" | "base" | "quote">;
const keyOf = ({ date, base, quote }: Key) => `${date} ${base} ${quote}`;
const sameKey = (a: Key, b: Key) => a.date === b.date && a.base === b.base && a.quote === b.quote;

export function columnsOf(unsorted: readonly Observation[]): {
  observations: ObservationColumns;
  publishedAt: Float64Array;
} {
  const rows = [...unsorted].sort((a, b) => a.date - b.date || (a.quote < b.quote ? -1 : 1));
  const observations = {
    count: rows.length,
    source: Uint8Array.from(rows, (row) => DAILY_SOURCES.indexOf(row.source)),
    date: Int32Array.from(rows, (row) => row.date),
    base: Uint8Array.from(rows, (row) => currencyIndex(row.base)),
    quote: Uint8Array.from(rows, (row) => currencyIndex(row.quote)),
    units: Float64Array.from(rows, (row) => Number(row.printed.replace(".", ""))),
    scale: Uint8Array.from(rows, (row) => row.printed.split(".")[1]?.length ?? 0),
    decimals: Uint8Array.from(rows, (row) => row.decimals),
    observedAt: Float64Array.from(rows, (row) => row.observedAt),
    retrievedAt: Float64Array.from(rows, (row) => row.retrievedAt),
    revision: Uint16Array.from(rows, (row) => row.revision),
  };
  return { observations, publishedAt: Float64Array.from(rows, (row) => row.publishedAt ?? Number.NaN) };
}
