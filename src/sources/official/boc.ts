/** The Bank of Canada's daily exchange rates through its Valet service. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { type JsonObject, textAt } from "#sources/json.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import {
  daysSince,
  publicationOf,
  stretches,
  type TableContent,
  tableReader,
  tableSource,
} from "./reading.ts";

const GROUP = "https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json";
/** A year of 26 series is about 750 kilobytes. */
const DAYS_A_REQUEST = 366;

export const CAN_DAILY = tableSource({
  id: "can_daily",
  country: "CAN",
  types: ["daily"],
  title: "Bank of Canada daily exchange rates",
  authority: "Bank of Canada",
  homepage: "https://www.bankofcanada.ca/rates/exchange/daily-exchange-rates/",
  terms:
    "Source: Bank of Canada, daily average exchange rates, reproduced under its terms of use. " +
    "All Bank of Canada exchange rates are indicative rates only.",
  cadence: "daily",
  zone: "America/Toronto",
  currency: "CAD",
  // Earlier rates were noon and closing rates: another method under other names.
  days: daysSince("2017-01-03", 10),
  routes: (days) => [
    {
      name: "Valet JSON",
      requests: stretches(days, DAYS_A_REQUEST).map(({ from, to }) =>
        get("json", `${GROUP}?start_date=${formatDay(from)}&end_date=${formatDay(to)}`),
      ),
      read: readValet,
    },
  ],
});

const reader = tableReader("Bank of Canada rates", CAN_DAILY.zone);
const SERIES = /^FX([A-Z]{3})CAD$/;

/** Every business day that has figures, named by its date and valid from that date until the next publication. */
function readValet(document: UpstreamDocument): TableContent {
  const answer = reader.json(document);
  const message = textAt(answer, "message");
  if (message !== null && !answer.has("observations"))
    throw new UpstreamFault("status", `${reader.what}: ${quoted(message)}`);
  const unknown = new Set<string>();
  const readings = reader
    .objects(answer, "observations")
    .flatMap((day) => readingOf(day, document, unknown) ?? []);
  const note =
    unknown.size === 0 ? undefined : `series that are no rate in CAD, left out: ${[...unknown].join(", ")}`;
  return { readings, note };
}

function readingOf(
  line: JsonObject,
  document: UpstreamDocument,
  unknown: Set<string>,
): OfficialReading | null {
  const printed = textAt(line, "d") ?? "";
  const day = reader.day(document, printed);
  const rows: OfficialRow[] = [];
  for (const name of line.keys()) {
    if (name === "d") continue;
    const base = SERIES.exec(name)?.[1];
    if (base === undefined) {
      unknown.add(quoted(name));
      continue;
    }
    const figure = textAt(reader.object(line, name), "v");
    if (figure === null) throw reader.broken(`${name} on ${printed} has no text as its value`);
    const rate = reader.rate(figure, `${name} on ${printed}`);
    rows.push({ base, quote: "CAD", rate, unit: 1, kind: "average" });
  }
  return rows.length === 0 ? null : publicationOf(printed, day, rows);
}
