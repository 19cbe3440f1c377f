/** Builds what acceptance judges from readable rows. */

import { accept } from "#domain/acceptance/acceptance.ts";
import type { Acceptance, DocumentReading, HeldCommand } from "#domain/acceptance/judgement.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Withdrawal } from "#domain/intake/reading.ts";
import { ecbObservedAt } from "#domain/time/calendar.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { day } from "#test/domain/history/columns.ts";
import { KnownInMemory } from "./known-in-memory.ts";

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
export class Judged extends KnownInMemory {
  readonly #kinds: readonly string[];

  /** Kinds of routes that can be asked. */
  constructor(kinds: readonly string[] = ["files", "sdmx"]) {
    super();
    this.#kinds = kinds;
  }

  /** Judges documents of one collection on the day they were retrieved, and applies the judgement. */
  judge(...readings: readonly [DocumentReading, ...DocumentReading[]]): Acceptance {
    const today = Math.floor(readings[0].provenance.retrievedAt / MILLISECONDS_PER_DAY);
    return this.take(accept(this.known, "ecb_daily", readings, today, { kinds: this.#kinds }));
  }

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

  take(judgement: Acceptance): Acceptance {
    this.apply(judgement);
    return judgement;
  }
}
