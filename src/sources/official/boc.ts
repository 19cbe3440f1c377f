/** The Bank of Canada's daily exchange rates through its Valet service: identity, requests, and the JSON read. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay, parseDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { type JsonObject, textAt } from "#sources/json.ts";
import { quoted } from "#sources/text.ts";
import { tableReader } from "./reader.ts";
import { publicationOf, requestedWindow, type Span, stretches } from "./reading.ts";

const GROUP = "https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json";
/** Before it there were noon and closing rates, another method under other names. */
const BEGAN = dayOf(2017, 1, 3) as Day;
const LATEST_LOOKBACK_DAYS = 10;
/** A year of 26 series is about 750 kilobytes. */
const DAYS_A_REQUEST = 366;
const SERIES = /^FX([A-Z]{3})CAD$/;

export const CAN_DAILY: OfficialAdapter = {
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

  routes(window) {
    const requested = requestedWindow(window, BEGAN, LATEST_LOOKBACK_DAYS);
    if (requested === null) return [];
    const requests = stretches(requested, DAYS_A_REQUEST).map(request);
    return [{ name: "Valet JSON", requests, parse: (document) => parseValet(document, requested) }];
  },
};

const reader = tableReader("Bank of Canada rates", CAN_DAILY);

function request({ from, to }: Span): UpstreamRequest {
  return {
    url: `${GROUP}?start_date=${formatDay(from)}&end_date=${formatDay(to)}`,
    accept: "application/json",
    maxBytes: 4 * 1024 * 1024,
    timeoutSeconds: 60,
  };
}

/** Every business day that has figures, named by its date and valid from it until the next. */
function parseValet(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const answer = reader.json(document);
  const message = textAt(answer, "message");
  if (message !== null && !answer.has("observations")) {
    throw new UpstreamFault("status", `${reader.what}: ${quoted(message)}`);
  }
  const unknown = new Set<string>();
  const readings = reader.objects(answer, "observations").map((day) => readingOf(day, document, unknown));
  const note =
    unknown.size === 0 ? undefined : `series that are no rate in CAD, left out: ${[...unknown].join(", ")}`;
  const published = readings.filter((reading): reading is OfficialReading => reading !== null);
  return reader.conclude(window, published, note);
}

function readingOf(
  line: JsonObject,
  document: UpstreamDocument,
  unknown: Set<string>,
): OfficialReading | null {
  const printed = textAt(line, "d") ?? "";
  const day = reader.day(document, parseDay(printed), printed);
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
