/** The Federal Reserve's H.10 rates as FRED delivers them: identity, and the API or the keyless download. */

import type { Window } from "#domain/intake/reading.ts";
import { COVERAGE_START, type Day, formatDay } from "#domain/time/day.ts";
import type { DailyAdapter, Route, UpstreamRequest } from "#ports/upstream.ts";
import { get } from "#sources/reading.ts";
import { FRED_SERIES, parseFredCsv, parseFredJson } from "./documents.ts";

const API = "https://api.stlouisfed.org/fred/series/observations";
const DOWNLOAD = "https://fred.stlouisfed.org/graph/fredgraph.csv";

/** Days to look back at least. H.10 is released weekly and a holiday delays it, so the newest figures may be ten days old. */
const LOOKBACK_DAYS: Record<Window["reach"], number> = { history: 0, recent: 90, latest: 21 };

/**
 * The adapter. With an API key the API comes first, one request a series; without one, or when the API fails,
 * all series come in one download. Should that be refused, they are downloaded one by one.
 */
export function fredAdapter({ fredApiKey }: { readonly fredApiKey: string | null }): DailyAdapter {
  const all = FRED_SERIES.map((series) => series.id);
  const api = (ids: readonly string[], start: Day): readonly Route[] => {
    if (fredApiKey === null) return [];
    const requests = ids.map((id) => apiRequest(id, start, fredApiKey));
    return [{ name: "API", requests, parse: parseFredJson }];
  };
  const csv = (start: Day): Route => ({
    name: "CSV",
    requests: [download(all.join(","), start)],
    parse: parseFredCsv,
  });
  return {
    id: "fred_daily",
    authority: "Board of Governors of the Federal Reserve System, H.10 release, via FRED",
    terms:
      "Source: Board of Governors of the Federal Reserve System (US), H.10 Foreign Exchange Rates. " +
      "This product uses the FRED® API but is not endorsed or certified by the Federal Reserve Bank of St. Louis.",
    currencies: FRED_SERIES.map((series) => series.currency),

    routes(window) {
      const start = Math.max(COVERAGE_START, Math.min(window.from, window.to - LOOKBACK_DAYS[window.reach]));
      const pieces = all.map((id) => download(id, start));
      const bySeries = { name: "CSV per series", voice: "CSV", requests: pieces, parse: parseFredCsv };
      return [...api(all, start), csv(start), bySeries];
    },

    /** The API and the download confirm each other. The download in pieces is left out: it has the same figures. */
    secondRoutes({ from, currencies }) {
      const ids = FRED_SERIES.filter(({ currency }) => currencies.includes(currency)).map(({ id }) => id);
      return [...api(ids, from), csv(from)];
    },
  };
}

/** Commas stay as written: the address is stored as provenance and should read like one. */
function download(ids: string, start: Day): UpstreamRequest {
  const url = `${DOWNLOAD}?id=${ids}&cosd=${formatDay(start)}`;
  return { ...get("csv", url, { kilobytes: 8192, seconds: 60 }), accept: "text/csv, application/csv" };
}

function apiRequest(id: string, start: Day, apiKey: string): UpstreamRequest {
  const url = `${API}?series_id=${id}&file_type=json&observation_start=${formatDay(start)}`;
  return { ...get("json", url, { kilobytes: 8192, seconds: 30 }), secretQuery: { api_key: apiKey } };
}
