/** The EU's customs rates, which no document has: made of the ECB's figures as the dataset has them now. */

import { createHash } from "node:crypto";
import { CURRENCY_COUNT, currencyCode } from "#domain/currency.ts";
import type { Dataset } from "#domain/dataset.ts";
import { type Day, formatDay } from "#domain/day.ts";
import { formatDecimal, powerOfTen } from "#domain/decimal.ts";
import { periodEnd, periodStart } from "#domain/periods.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import type { ComputedTable, ReadPublication } from "#ingest/official/deps.ts";
import type { Clock } from "#ports.ts";
import {
  EUE_CUSTOMS,
  type EuroFigure,
  euCustomsReading,
  secondToLastWednesday,
} from "#sources/official/eu-customs.ts";

/** Where the figures are published that it is computed from. */
const FIGURES_URL =
  "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html";
const ECB = DAILY_SOURCES.indexOf("ecb_daily");
/** Figures around the Wednesday: those before it that may stand in, and a later one that says that it has passed. */
const DAYS_BEFORE = 7;
const DAYS_AFTER = 10;

export function euCustomsTable(dataset: () => Dataset | null, clock: Clock): ComputedTable {
  return {
    ...EUE_CUSTOMS,
    /** The months that a window touches, and the one after it, whose rates are fixed some days before it begins. */
    compute: ({ from, to }) => {
      const data = dataset();
      if (data === null || data.history.observations.count === 0) return null;
      if ((data.damaged ?? []).length > 0) return null;
      const found: ReadPublication[] = [];
      const last = periodEnd("1mo", to) + 1;
      for (let month = periodStart("1mo", from); month <= last; month = periodEnd("1mo", month) + 1) {
        const figures = figuresAround(data, secondToLastWednesday(month - 1));
        const reading = euCustomsReading(month, figures);
        if (reading === null) continue;
        const document = { url: FIGURES_URL, sha256: hashOf(figures), retrievedAt: clock.now() };
        found.push({ reading, document });
      }
      return found;
    },
  };
}

function figuresAround({ history }: Dataset, wednesday: Day): readonly EuroFigure[] {
  const { units, scale, decimals } = history.observations;
  const figures: EuroFigure[] = [];
  for (let day = wednesday - DAYS_BEFORE; day <= wednesday + DAYS_AFTER; day++) {
    for (let currency = 0; currency < CURRENCY_COUNT; currency++) {
      const row = history.row(ECB, day, currency);
      if (row < 0) continue;
      // Some of the ECB's formats leave out zeros at the end that it prints.
      const places = Math.max(scale[row] as number, decimals[row] as number);
      const whole = BigInt(units[row] as number) * powerOfTen(places - (scale[row] as number));
      const printed = formatDecimal(whole, places);
      figures.push({ date: day, base: "EUR", quote: currencyCode(currency), printed });
    }
  }
  return figures;
}

/** In place of a document's: of the figures that the rates could be made of. */
function hashOf(figures: readonly EuroFigure[]): string {
  const lines = figures.map(({ date, quote, printed }) => `${formatDay(date)} EUR ${quote} ${printed}`);
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
