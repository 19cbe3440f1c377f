/** The real ECB and H.10 documents beside the checkout as plain figures, read as naively as possible. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { parseDay } from "#domain/time/day.ts";
import { fred, type PlainObservation } from "#test/domain/history/columns.ts";
import { sharedDocument } from "#test/support/shared-data.ts";

/** Every figure of the catalog's currencies since 1999; empty where the documents are not there. */
export async function realFigures(): Promise<readonly PlainObservation[]> {
  const ecbPath = sharedDocument("ecb/eurofxref-hist.csv");
  const fredPath = sharedDocument("fred/DEXTAUS-spliced.csv");
  const figures: PlainObservation[] = [];
  if (ecbPath !== null) {
    const [head = "", ...lines] = (await Bun.file(ecbPath).text()).trim().split("\n");
    const names = head.split(",");
    for (const line of lines) {
      const cells = line.split(",");
      const date = parseDay(cells[0] as string);
      for (const [column, name] of names.entries()) {
        const quote = CURRENCY_CODES.find((code) => code === name);
        const printed = cells[column] ?? "";
        if (quote !== undefined && date !== null && /^[\d.]+$/.test(printed))
          figures.push({ source: "ecb_daily", date, base: "EUR", quote, printed });
      }
    }
  }
  if (fredPath !== null) {
    for (const line of (await Bun.file(fredPath).text()).trim().split("\n").slice(1)) {
      const [date = "", printed = "."] = line.split(",");
      if (date >= "1999-01-04" && /\d/.test(printed)) figures.push(fred(date, "TWD", printed, 2));
    }
  }
  return figures;
}
