/** What the hostile clients ask for: every route of the running server's OpenAPI documents, every page of the site and every static asset, at its largest. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { COVERAGE_START, formatDay } from "#domain/time/day.ts";

/** One request, complete but for what a kind of client does to it. */
export interface Target {
  /** Method and template, such as "GET /v1/range"; with a suffix where a route has several large answers. */
  readonly name: string;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: string;
}

const CODES = CURRENCY_CODES.join(",");
const ALL = `symbols=${CODES}&start_date=1999-01-04&end_date=2026-04-13`;
const RECENT = `symbols=${CODES}&start_date=2024-06-03&end_date=2026-04-13`;
const QUOTES = "symbols=EUR,JPY,GBP,CHF&start_date=2026-03-14&end_date=2026-04-13";
const KNOWN = "as_of=2026-04-13T16:00:00Z";
const SINCE = "1991-01-01T00:00:00Z";
/** Frankfurter's second version, for clients that take no path. */
const ROOT = "/v2";

/** Paths by template; one that is not here is requested as it is written. `{…}` of the lake is replaced by a file that a manifest names. */
const LARGEST: Readonly<Record<string, readonly string[]>> = {
  "/v1/latest": ["/v1/latest", "/v1/latest?base=EUR&dp=10"],
  "/v1/latest/{path_base}": ["/v1/latest/EUR"],
  "/v1/average": ["/v1/average?start_date=1999-01-04&end_date=2026-04-13&method=calendar"],
  "/v1/fluctuation": ["/v1/fluctuation?start_date=1999-01-04&end_date=2026-04-13"],
  "/v1/{date}": ["/v1/2015-06-15", `/v1/2015-06-15?${KNOWN}`],
  "/v1/{date}/{path_base}": ["/v1/2015-06-15/EUR"],
  "/v1/rate/{slug}": ["/v1/rate/usd-mxn-fix"],
  "/v1/explain/{from_ccy}/{to_ccy}": ["/v1/explain/USD/EUR", "/v1/explain/JPY/GBP?date=2015-06-15"],
  "/v1/convert/{from_ccy}/{to_ccy}": ["/v1/convert/USD/EUR?amount=123456789.12"],
  "/v1/convert/{from_ccy}/{to_ccy}/{amount}": ["/v1/convert/USD/EUR/123456789.12"],
  "/v1/range": [
    `/v1/range?${RECENT}`,
    `/v1/range?${RECENT}&base=ISK`,
    `/v1/range?${RECENT}&${KNOWN}`,
    `/v1/range?${ALL}&interval=1w&aggregate=mean`,
    `/v1/range?${RECENT}&updated_after=${SINCE}`,
    `/v1/range?${RECENT}&layout=long`,
    `/v1/range?${QUOTES}&interval=1m`,
    `/v1/range?${ALL}&estimate=1`,
    `/v1/range?${ALL}&format=csv`,
    `/v1/range?${ALL}&format=csv&layout=long`,
    `/v1/range?${ALL}&format=ndjson`,
    `/v1/range?${ALL}&format=parquet`,
    `/v1/range?${ALL}&format=arrow`,
    `/v1/range?${ALL}&format=csv&${KNOWN}`,
    `/v1/range?${QUOTES}&interval=tick&format=csv`,
    `/v1/range?${QUOTES}&interval=1m&format=ndjson`,
  ],
  "/v1/official/changes": [`/v1/official/changes?since=${SINCE}&limit=500`],
  "/v1/official/{country}/{type}/publications": [
    "/v1/official/MEX/fix/publications?from=1991-01-01&limit=366",
    "/v1/official/GBR/customs/publications?from=1991-01-01&limit=366",
    "/v1/official/POL/a/publications?from=1991-01-01&limit=366",
  ],
  "/v1/official/{country}/{type}/rates": [
    "/v1/official/POL/a/rates?period=2026&versions=all&limit=366",
    `/v1/official/MEX/fix/rates?start_date=1991-01-01&end_date=2026-04-13&format=csv&${KNOWN}`,
  ],
  "/v1/official/{country}/{type}/in-force": [
    `/v1/official/POL/a/in-force?on=2026-04-10&${KNOWN}`,
    "/v1/official/POL/a/in-force?on=2026-04-10&format=parquet",
  ],
  "/v1/official/{country}/{type}/convert/{from_ccy}/{to_ccy}": [
    `/v1/official/MEX/fix/convert/USD/MXN?on=2026-04-10&${KNOWN}`,
  ],
  "/v1/official/{country}/{type}/convert/{from_ccy}/{to_ccy}/{amount}": [
    "/v1/official/MEX/fix/convert/USD/MXN/1000?on=2015-06-15",
  ],
  "/v1/official/{country}/{type}/publications/latest": ["/v1/official/GBR/customs/publications/latest"],
  "/v1/official/{country}/{type}/publications/{publication_id}": [
    "/v1/official/MEX/fix/publications/2026-04-10",
  ],
  "/v1/account/usage/daily": ["/v1/account/usage/daily?days=90"],
  "/dashboard/api/webhooks/{id}": ["/dashboard/api/webhooks/whe_none"],
  "/dashboard/api/webhooks/{id}/rotate": ["/dashboard/api/webhooks/whe_none/rotate"],
  "/dashboard/api/webhooks/{id}/test": ["/dashboard/api/webhooks/whe_none/test"],
  "/dashboard/api/webhooks/{id}/deliveries": ["/dashboard/api/webhooks/whe_none/deliveries?limit=100"],
  "/dashboard/api/webhooks/deliveries/{id}/replay": ["/dashboard/api/webhooks/deliveries/dlv_none/replay"],
  "/v1/auth/sessions/{id}": ["/v1/auth/sessions/ses_none"],
  "/compat/frankfurter/v1/{period}": [
    "/compat/frankfurter/v1/1999-01-04..",
    "/compat/frankfurter/v1/2015-06-15",
  ],
  ...frankfurter("/compat/frankfurter/v2"),
  ...frankfurter(ROOT),
  ...oxr("/compat/oxr"),
  ...oxr("/compat/oxr/api"),
};

function frankfurter(prefix: string): Record<string, readonly string[]> {
  return {
    [`${prefix}/rates`]: [
      `${prefix}/rates?from=1999-01-04`,
      `${prefix}/rates?from=1999-01-04&group=week&base=USD`,
    ],
    [`${prefix}/rates.csv`]: [`${prefix}/rates.csv?from=1999-01-04`],
    [`${prefix}/rate/{base}/{quote}`]: [`${prefix}/rate/USD/EUR`],
    [`${prefix}/currency/{code}`]: [`${prefix}/currency/EUR`],
  };
}

function oxr(prefix: string): Record<string, readonly string[]> {
  return {
    [`${prefix}/latest.json`]: [`${prefix}/latest.json`],
    [`${prefix}/historical/{date}.json`]: [`${prefix}/historical/2015-06-15.json`],
    [`${prefix}/time-series.json`]: [`${prefix}/time-series.json?start=1999-01-04&end=2026-04-13`],
    [`${prefix}/convert/{value}/{from}/{to}`]: [`${prefix}/convert/1234.5/USD/EUR`],
    [`${prefix}/convert.json`]: [`${prefix}/convert.json?value=1234.5&from=USD&to=EUR`],
    [`${prefix}/ohlc.json`]: [`${prefix}/ohlc.json?start_time=2026-03-30T00:00:00Z&period=1w`],
  };
}

/** What the OpenAPI documents do not name: files, pages for people, and what pages ask for. */
const UNDOCUMENTED = [
  ...["shared.js", "landing.js", "site.css", "inter.woff2", "icon.svg", "preview.png"].map(
    (file) => `/site/${file}`,
  ),
  ...["/", "/?base=ISK&amount=123456789.12&search=a", "/?base=GBP&to=JPY"],
  ...["/usd-eur", "/jpy-gbp?date=2015-06-15"],
  ...["/official", "/official/gbr/customs", "/official/pol/a", "/official/mex/fix/2026-04-10"],
  ...[
    "/docs",
    "/search",
    "/search?q=the",
    "/site/search?q=dollar",
    "/docs/lake",
    "/docs/lake.md",
    "/docs/reference",
  ],
  ...["/status/page", "/sitemap.xml", "/robots.txt"],
  ...["/llms.txt", "/llms-full.txt", "/v1/mcp/", "/v2/openapi.json"],
  ...[
    "/?base=ISK",
    "/site/series/usd/eur",
    "/site/series/usd/eur/file?format=csv",
    "/pair?from=usd&to=eur",
    "/pricing",
  ],
  ...["/site/stream?base=ISK", "/site/provenance/JPY/GBP?date=2015-06-15"],
  ...["/account", "/verify-email", "/reset-password"],
  ...["", "/keys", "/plan", "/webhooks", "/webhooks/whe_none", "/account", "/nothing"].map(
    (page) => `/dashboard${page}`,
  ),
  ...["sign-in", "sign-up", "password-reset", "verify-email"].map((page) => `/dashboard/${page}?next=/docs`),
];

const BATCH = {
  from: "EUR",
  pairs: CURRENCY_CODES.flatMap((code) => Array.from({ length: 3 }, (_, nth) => [code, nth + 1])),
};
const BODIES: Readonly<Record<string, unknown>> = {
  "/v1/convert": BATCH,
  "/v1/convert/dated": {
    items: Array.from({ length: 1000 }, (_, nth) => ({
      ...{ from: "USD", to: "EUR", amount: nth },
      date: formatDay(COVERAGE_START + nth),
    })),
  },
  "/v1/auth/sign-up": { email: "hostile@example.org", password: "x".repeat(200) },
  "/v1/auth/sign-in": { email: "hostile@example.org", password: "x".repeat(200) },
};

/** The public interface, the dashboard's, and Frankfurter's second version at the root. */
const DOCUMENTS = ["/openapi.json", "/dashboard/api/openapi.json", `${ROOT}/openapi.json`];

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Every route, page and static asset of a running server. `ask` gets a path and returns the parsed answer. Throws where an OpenAPI
 * document has a route with parameters that no path is known for: a new route must not be left out.
 */
export async function findTargets(ask: (path: string) => Promise<unknown>): Promise<readonly Target[]> {
  const documents = (await Promise.all(DOCUMENTS.map(ask))) as readonly Document[];
  const routes = documents.flatMap(({ servers, paths }) => {
    const [server = { url: "/" }] = servers;
    const before = server.url === "/" ? "" : server.url;
    return Object.entries(paths).map(([path, operations]) => [`${before}${path}`, operations] as const);
  });
  const files = await lakeFiles(ask);
  const documented = routes.flatMap(([template, operations]) =>
    Object.keys(operations)
      .filter((method) => ["get", "post", "delete"].includes(method))
      .flatMap((method) => targetsOf(method.toUpperCase(), template, files)),
  );
  return [...documented, ...UNDOCUMENTED.map((path) => ({ name: `GET ${path}`, method: "GET", path }))];
}

function targetsOf(method: string, template: string, files: ReadonlyMap<string, string>): Target[] {
  const found = files.get(template);
  const ways = found === undefined ? (LARGEST[template] ?? [template]) : [found];
  return ways.flatMap((path): Target[] => {
    if (path.includes("{")) {
      // A lake without such a file has nothing to ask for.
      if (template.startsWith("/v1/lake/")) return [];
      throw new Error(`bench/hostile/targets.ts has no path for ${method} ${template}`);
    }
    const way = ways.length === 1 ? "" : ` ${path.slice(path.lastIndexOf("?") + 1).replace(CODES, "all")}`;
    const name = `${method} ${template}${way}`;
    if (method !== "POST") return [{ name, method, path }];
    return [{ name, method, path, body: JSON.stringify(BODIES[template] ?? {}) }];
  });
}

interface Manifest {
  /** None in the refusal of a table that has nothing yet. */
  readonly files?: readonly { readonly path: string; readonly current: string; readonly bytes: number }[];
}

/** The largest file that each route of the lake serves, by the route's template. */
async function lakeFiles(ask: (path: string) => Promise<unknown>): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, { readonly path: string; readonly bytes: number }>();
  for (const folder of ["", "intraday/", "official/"]) {
    const { files = [] } = (await ask(`/v1/lake/${folder}manifest.json`)) as Manifest;
    for (const { path, current, bytes } of files)
      for (const name of [path, current]) {
        const template = templateOf(name);
        if (bytes > (found.get(template)?.bytes ?? -1))
          found.set(template, { path: `/v1/lake/${name}`, bytes });
      }
  }
  return new Map([...found].map(([template, { path }]) => [template, path]));
}

/** `daily/source=ecb_daily/year=2026/part-….parquet` is of `/v1/lake/daily/{source}/{year}/{file}`. */
function templateOf(name: string): string {
  const template = name
    .replace(/source=[^/]+/, "{source}")
    .replace(/year=[^/]+/, "{year}")
    .replace(/(?:date|table_id)=[^/]+/, "{partition}");
  return `/v1/lake/${template.startsWith("current/") ? template : template.replace(/[^/]+$/, "{file}")}`;
}
