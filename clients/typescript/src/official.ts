/** What authorities publish under their own name, as printed and in every version. */

import { bodyOf, type CallOptions, type Connection, initOf } from "./connection.ts";
import { pagesOf } from "./pages.ts";
import type {
  Day,
  OfficialChangesQuery,
  OfficialConvertQuery,
  OfficialInForceQuery,
  OfficialPublicationsQuery,
  OfficialRatesQuery,
  Schemas,
} from "./parameters.ts";

/** A table by its country (ISO 3166 alpha-3) and one of its types: `{ country: "MEX", type: "fix" }`. */
export interface OfficialTableName {
  readonly country: string;
  readonly type: string;
}

export class Official {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The tables that there are, with authority, cadence and terms. */
  tables(options: CallOptions = {}): Promise<Schemas["OfficialTablesResponse"]> {
    return bodyOf(this.#connection, this.#connection.http.GET("/v1/official", initOf(options)));
  }

  /** Publications and corrections in the order in which they were recorded, from `since` on: one page. */
  changes(
    query: OfficialChangesQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["OfficialChangesResponse"]> {
    const { http } = this.#connection;
    return bodyOf(
      this.#connection,
      http.GET("/v1/official/changes", { params: { query }, ...initOf(options) }),
    );
  }

  /** Every event from `since` on: the same that webhooks send. */
  async *events(
    query: OfficialChangesQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas["OfficialEvent"], void, undefined> {
    const page = (cursor: string | undefined) =>
      this.changes(cursor === undefined ? query : { ...query, cursor }, options);
    for await (const { changes } of pagesOf(page, query.cursor)) yield* changes;
  }

  /** What a table has published, without the rates: one page. */
  publications(
    { country, type }: OfficialTableName,
    query: OfficialPublicationsQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["OfficialPublicationsResponse"]> {
    const params = { path: { country, type }, query };
    const { http } = this.#connection;
    return bodyOf(
      this.#connection,
      http.GET("/v1/official/{country}/{type}/publications", { params, ...initOf(options) }),
    );
  }

  /** One publication with its rates; without `version` the newest one. */
  publication(
    { country, type }: OfficialTableName,
    publication: string,
    { version, ...options }: CallOptions & { readonly version?: number } = {},
  ): Promise<Schemas["OfficialPublicationResponse"]> {
    const path = { country, type, publication_id: publication };
    const params = { path, ...(version === undefined ? {} : { query: { version } }) };
    const { http } = this.#connection;
    return bodyOf(
      this.#connection,
      http.GET("/v1/official/{country}/{type}/publications/{publication_id}", { params, ...initOf(options) }),
    );
  }

  /** The newest publication of a table, or the one that is valid on a day. */
  latest(
    { country, type }: OfficialTableName,
    { validOn, ...options }: CallOptions & { readonly validOn?: Day } = {},
  ): Promise<Schemas["OfficialPublicationResponse"]> {
    const params = {
      path: { country, type },
      ...(validOn === undefined ? {} : { query: { valid_on: validOn } }),
    };
    const { http } = this.#connection;
    return bodyOf(
      this.#connection,
      http.GET("/v1/official/{country}/{type}/publications/latest", { params, ...initOf(options) }),
    );
  }

  /** The rates of a table over a time, a row a validity, the newest first: one page. */
  rates(
    { country, type }: OfficialTableName,
    query: OfficialRatesQuery,
    options: CallOptions = {},
  ): Promise<Schemas["OfficialRatesResponse"]> {
    const params = { path: { country, type }, query };
    const { http } = this.#connection;
    return bodyOf(
      this.#connection,
      http.GET("/v1/official/{country}/{type}/rates", { params, ...initOf(options) }),
    );
  }

  /** Every row of the same over the pages. */
  async *validities(
    table: OfficialTableName,
    query: OfficialRatesQuery,
    options: CallOptions = {},
  ): AsyncGenerator<Schemas["OfficialValidRate"], void, undefined> {
    const page = (cursor: string | undefined) =>
      this.rates(table, cursor === undefined ? query : { ...query, cursor }, options);
    for await (const { rows } of pagesOf(page, query.cursor)) yield* rows;
  }

  /** The whole table of a day, each rate with its publication and validity; today without `on`. */
  inForce(
    { country, type }: OfficialTableName,
    query: OfficialInForceQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["OfficialInForceResponse"]> {
    const params = { path: { country, type }, query };
    const { http } = this.#connection;
    return bodyOf(
      this.#connection,
      http.GET("/v1/official/{country}/{type}/in-force", { params, ...initOf(options) }),
    );
  }

  /** An amount by the publication of a day, with the printed rates and a line to cite. */
  convert(
    { country, type }: OfficialTableName,
    from: string,
    to: string,
    query: OfficialConvertQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["OfficialConvertResponse"]> {
    const params = { path: { country, type, from_ccy: from, to_ccy: to }, query };
    const { http } = this.#connection;
    return bodyOf(
      this.#connection,
      http.GET("/v1/official/{country}/{type}/convert/{from_ccy}/{to_ccy}", { params, ...initOf(options) }),
    );
  }
}
