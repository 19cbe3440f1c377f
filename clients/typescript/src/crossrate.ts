/** Client of a Crossrate server: `new Crossrate({ url, key })`. */

import {
  bodyOf,
  type CallOptions,
  type Connection,
  type CrossrateOptions,
  connect,
  fileOf,
  type Http,
  initOf,
  type RateLimit,
} from "./connection.ts";
import { Lake } from "./lake.ts";
import { Official } from "./official.ts";
import { pagesOf } from "./pages.ts";
import {
  type Amount,
  type AverageQuery,
  amountText,
  type ConvertQuery,
  type CurrencyCode,
  type DatedItem,
  type DatedQuery,
  type Day,
  type ExplainQuery,
  type FluctuationQuery,
  type HistoricalQuery,
  joined,
  type LatestQuery,
  type RangeFileQuery,
  type RangeQuery,
  type RateQuery,
  type Schemas,
  type StreamQuery,
} from "./parameters.ts";
import { type StreamEvent, type StreamOptions, streamEvents } from "./stream.ts";

export type { CallOptions, CrossrateOptions, RateLimit } from "./connection.ts";
export { type Code, CrossrateError, type Details } from "./error.ts";
export type { FileOptions } from "./lake.ts";
export type { OfficialTableName } from "./official.ts";
export type * from "./parameters.ts";
export type { components, operations, paths } from "./schema.ts";
export type { StreamEvent, StreamOptions } from "./stream.ts";
export { isGenuineWebhook, readWebhook, type Webhook, type WebhookEvent } from "./webhook.ts";

/**
 * Every method resolves with the body of the answer, whose members are described at `/docs` of the server, and rejects with
 * CrossrateError. Rates are numbers: a double holds all the digits that the server prints, at most 15.
 */
export class Crossrate {
  readonly #connection: Connection;
  /** Publications of authorities. */
  readonly official: Official;
  /** Parquet files. */
  readonly lake: Lake;

  constructor(options: CrossrateOptions) {
    this.#connection = connect(options);
    this.official = new Official(this.#connection);
    this.lake = new Lake(this.#connection);
  }

  /** Every operation of `/openapi.json` by its path, typed, for what has no method here; it resolves with refusals too. */
  get http(): Http {
    return this.#connection.http;
  }

  /** Limits as the newest answer stated them; null before the first, and where the server has none. */
  get rateLimit(): RateLimit | null {
    return this.#connection.rateLimit();
  }

  /** The newest rates: units of each symbol for 1 unit of the base, USD by default. */
  async latest(query: LatestQuery = {}, options: CallOptions = {}): Promise<Schemas["LatestResponse"]> {
    const init = { params: { query: joined(query) }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/latest", init));
  }

  /** The rates of a day; one without a publication has those of the day before it that had one. */
  async historical(
    date: Day,
    query: HistoricalQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["HistoricalResponse"]> {
    const init = { params: { path: { date }, query: joined(query) }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/{date}", init));
  }

  /** How rates changed between two days, each end with the day of its figures, and the extremes between them. */
  async fluctuation(
    query: FluctuationQuery,
    options: CallOptions = {},
  ): Promise<Schemas["FluctuationResponse"]> {
    const init = { params: { query: joined(query) }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/fluctuation", init));
  }

  /** Means of rates over a period, of published or of calendar days: for tax returns and accounts. */
  async average(query: AverageQuery, options: CallOptions = {}): Promise<Schemas["AverageResponse"]> {
    const init = { params: { query: joined(query) }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/average", init));
  }

  /** One rate by its name: a pair such as `usd-eur`, or an official one such as `usd-mxn-banxico`. */
  rate(slug: string, query: RateQuery = {}, options: CallOptions = {}): Promise<Schemas["RateResponse"]> {
    const init = { params: { path: { slug }, query }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/rate/{slug}", init));
  }

  /** An amount in another currency, at the newest rate or that of `date`; `converted` is not rounded to minor units. */
  convert(
    from: CurrencyCode,
    to: CurrencyCode,
    amount: Amount = 1,
    query: ConvertQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["ConvertResponse"]> {
    const path = { from_ccy: from, to_ccy: to, amount: amountText(amount) };
    const init = { params: { path, query }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/convert/{from_ccy}/{to_ccy}/{amount}", init));
  }

  /** Several amounts of one currency, all at rates of the same data. Counts as one call a pair. */
  convertBatch(
    from: CurrencyCode,
    pairs: readonly (readonly [to: CurrencyCode, amount: Amount])[],
    options: CallOptions = {},
  ): Promise<Schemas["ConvertBatchResponse"]> {
    const body = { from, pairs: pairs.map(([to, amount]): [string, string] => [to, amountText(amount)]) };
    return bodyOf(this.#connection, this.http.POST("/v1/convert", { body, ...initOf(options) }));
  }

  /**
   * Up to 1,000 amounts, each at the reference rate of its own day, or by the official table that it names as `country/type`. All are
   * converted, or the call is refused and names every item with a fault. Counts as one call an item.
   */
  convertDated(
    items: readonly DatedItem[],
    query: DatedQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["ConvertDatedResponse"]> {
    const body = { items: items.map((item) => ({ ...item, amount: amountText(item.amount) })) };
    const init = { body, params: { query }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.POST("/v1/convert/dated", init));
  }

  /** How the newest rate of a pair came about, or that of `date`: published figures, documents, times and the computation. */
  explain(
    from: CurrencyCode,
    to: CurrencyCode,
    query: ExplainQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["ExplainResponse"]> {
    const init = { params: { path: { from_ccy: from, to_ccy: to }, query }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/explain/{from_ccy}/{to_ccy}", init));
  }

  /** One page of a series, 366 rows at most. */
  async range(query: RangeQuery, options: CallOptions = {}): Promise<Schemas["RangeResponse"]> {
    const init = { params: { query: joined(query) }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/range", init)) as Promise<Schemas["RangeResponse"]>;
  }

  /** Every page of a series, each fetched when it is asked for. All are of one version of the data. */
  rangePages(
    query: RangeQuery,
    options: CallOptions = {},
  ): AsyncGenerator<Schemas["RangeResponse"], void, undefined> {
    const page = (cursor: string | undefined) =>
      this.range(cursor === undefined ? query : { ...query, cursor }, options);
    return pagesOf(page, query.cursor);
  }

  /** Every row of a series: `for await (const { date, rates } of crossrate.rangeRows({ … }))`. */
  async *rangeRows(
    query: RangeQuery,
    options: CallOptions = {},
  ): AsyncGenerator<Schemas["RangeRow"], void, undefined> {
    for await (const { data } of this.rangePages(query, options)) yield* data;
  }

  /** A whole series as one file. Resolves once it begins; read it by `text`, `arrayBuffer`, or piece by piece from `body`. */
  async rangeFile(query: RangeFileQuery, options: CallOptions = {}): Promise<Response> {
    const { open } = this.#connection;
    const call = this.http.GET("/v1/range", {
      params: { query: joined(query) },
      parseAs: "stream",
      headers: { Accept: "*/*" },
      fetch: open,
      ...initOf(options),
    });
    const body = call.then(({ response, error }) => ({ response, error, data: response }));
    return fileOf(bodyOf(this.#connection, body));
  }

  /** How many rows and bytes a file would have, and how many calls it counts as; nothing is exported. */
  async rangeEstimate(query: RangeFileQuery, options: CallOptions = {}): Promise<Schemas["ExportEstimate"]> {
    const init = { params: { query: { ...joined(query), estimate: "1" as const } }, ...initOf(options) };
    return bodyOf(this.#connection, this.http.GET("/v1/range", init)) as Promise<Schemas["ExportEstimate"]>;
  }

  /**
   * Latest rates as they change: first a snapshot, then what changed. Reconnects by itself, without a gap, until the loop is
   * left or the signal aborted.
   */
  stream(query: StreamQuery = {}, options: StreamOptions = {}): AsyncGenerator<StreamEvent, void, undefined> {
    return streamEvents(this.#connection, query, options);
  }

  /** The currencies, with their names, sources and first days. */
  currencies(options: CallOptions = {}): Promise<Schemas["CurrenciesResponse"]> {
    return bodyOf(this.#connection, this.http.GET("/v1/currencies", initOf(options)));
  }

  /** Whether the server answers, and its version. */
  health(options: CallOptions = {}): Promise<Schemas["HealthResponse"]> {
    return bodyOf(this.#connection, this.http.GET("/health", initOf(options)));
  }

  /** How old the data is, and why. A server that is `degraded` or `unready` says so in `status`: it is no error here. */
  async status(options: CallOptions = {}): Promise<Schemas["StatusResponse"]> {
    const { once } = this.#connection;
    const call = this.http.GET("/status", { fetch: once, ...initOf(options) });
    const { error } = await call.catch(() => ({ error: undefined }));
    if (error instanceof Object && "checks" in error) return error;
    return await bodyOf(this.#connection, call);
  }
}
