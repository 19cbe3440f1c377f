/** The server's Parquet files over HTTP, and the signed history that proves what is in them. */

import { bodyOf, type CallOptions, type Connection, fileOf, initOf, successOf } from "./connection.ts";
import type { ChainQuery, CurrencyCode, Day, ProofQuery, Schemas } from "./parameters.ts";

export interface FileOptions extends CallOptions {
  /** First and last byte, both included; the whole file by default. */
  readonly bytes?: readonly [first: number, last: number];
}

export class Lake {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The files of the daily figures, as of one version. */
  manifest(options: CallOptions = {}): Promise<Schemas["LakeManifest"]> {
    return bodyOf(this.#connection, this.#connection.http.GET("/v1/lake/manifest.json", initOf(options)));
  }

  /** The files of intraday quotes. */
  intraday(options: CallOptions = {}): Promise<Schemas["IntradayManifest"]> {
    return bodyOf(
      this.#connection,
      this.#connection.http.GET("/v1/lake/intraday/manifest.json", initOf(options)),
    );
  }

  /** The files of official publications. */
  official(options: CallOptions = {}): Promise<Schemas["OfficialManifest"]> {
    return bodyOf(
      this.#connection,
      this.#connection.http.GET("/v1/lake/official/manifest.json", initOf(options)),
    );
  }

  /** The newest entry of the signed history and the keys that sign it. A head that is kept elsewhere finds any rewriting later. */
  head(options: CallOptions = {}): Promise<Schemas["WellKnown"]> {
    return bodyOf(
      this.#connection,
      this.#connection.http.GET("/.well-known/crossrate.json", initOf(options)),
    );
  }

  /** A part of the signed history, 1000 entries at most. */
  chain(query: ChainQuery = {}, options: CallOptions = {}): Promise<Schemas["ChainPage"]> {
    const init = { params: { query }, ...initOf(options) };
    return bodyOf(this.#connection, this.#connection.http.GET("/v1/lake/chain", init));
  }

  /** Every entry of the signed history from a sequence on, part by part as they are asked for. */
  async *chainEntries(
    from = 0,
    options: CallOptions = {},
  ): AsyncGenerator<Schemas["ChainEntry"], void, undefined> {
    for (let next: number | null = from; next !== null; ) {
      const page: Schemas["ChainPage"] = await this.chain({ from: next }, options);
      yield* page.entries;
      next = page.next_from;
    }
  }

  /** What proves the rate of a day: its figures, the files that have them, and the signed entry of their version. */
  proof(
    from: CurrencyCode,
    to: CurrencyCode,
    date: Day,
    query: ProofQuery = {},
    options: CallOptions = {},
  ): Promise<Schemas["LakeProof"]> {
    const params = { path: { from_ccy: from, to_ccy: to }, query: { ...query, date } };
    return bodyOf(
      this.#connection,
      this.#connection.http.GET("/v1/lake/proof/{from_ccy}/{to_ccy}", { params, ...initOf(options) }),
    );
  }

  /** A file by the `path` or the `current` of a manifest, or `views.sql`; its body is still to be read. */
  file(path: string, { bytes, signal }: FileOptions = {}): Promise<Response> {
    const headers = {
      Accept: "*/*",
      ...(bytes === undefined ? {} : { Range: `bytes=${bytes[0]}-${bytes[1]}` }),
    };
    const call = this.#connection.open(this.#connection.request(`/v1/lake/${path}`, headers, signal));
    return fileOf(successOf(this.#connection, call));
  }
}
