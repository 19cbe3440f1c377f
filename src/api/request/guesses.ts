/** Suggests a path for one without a resource: a guess, or a path of another service. */

/** By the first segment, lower case. */
const PLACES: Readonly<Record<string, string>> = {
  "": "/v1/latest",
  ...Object.fromEntries(["latest", "rates", "live", "current", "quotes"].map((name) => [name, "/v1/latest"])),
  convert: "/v1/convert/EUR/USD",
  conversion: "/v1/convert/EUR/USD",
  currencies: "/v1/currencies",
  symbols: "/v1/currencies",
  rate: "/v1/rate/eur-usd",
  pair: "/v1/rate/eur-usd",
  pairs: "/v1/rate/eur-usd",
  historical: "/v1/2026-01-02",
  history: "/v1/2026-01-02",
  range: "/v1/range",
  timeseries: "/v1/range",
  "time-series": "/v1/range",
  stream: "/v1/stream",
  official: "/v1/official",
  mcp: "/v1/mcp/",
  lake: "/v1/lake/manifest.json",
  openapi: "/openapi.json",
  swagger: "/openapi.json",
  healthz: "/health",
  livez: "/health",
  ping: "/health",
  ready: "/status",
  readyz: "/status",
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the suggested path, or null. `exists` returns whether a path has a resource. /latest/EUR leads to
 * /v1/latest/EUR, and /v1/rates to /v1/latest.
 */
export function placeNear(path: string, exists: (path: string) => boolean): string | null {
  const [, rest = ""] = /^(?:\/api)?(?:\/v\d{1,2})?(?:\/(.*))?$/i.exec(path) ?? [];
  const bare = rest.replace(/\/+$/, "");
  const [first = "", ...more] = bare.split("/");
  const [name = ""] = first.toLowerCase().split(".");
  const place = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;
  // A date's place accepts any text: only a date, or the name of a resource, shows that a path below /v1 was meant.
  const isMeant = DATE.test(first) || (more.length > 0 && place?.startsWith(`/v1/${first}`) === true);
  const below = `/v1/${bare}`;
  if (isMeant && below !== path && exists(below)) return below;
  return place !== undefined && place !== path && exists(place) ? place : null;
}
