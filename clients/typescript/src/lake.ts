/** The server's Parquet files over HTTP. */

import { bodyOf, type CallOptions, type Connection, initOf, successOf } from "./connection.ts";
import type { Schemas } from "./parameters.ts";

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

  /** A file by the `path` or the `current` of a manifest, or `views.sql`; its body is still to be read. */
  file(path: string, { bytes, signal }: FileOptions = {}): Promise<Response> {
    const headers = {
      Accept: "*/*",
      ...(bytes === undefined ? {} : { Range: `bytes=${bytes[0]}-${bytes[1]}` }),
    };
    return successOf(
      this.#connection,
      this.#connection.open(this.#connection.request(`/v1/lake/${path}`, headers, signal)),
    );
  }
}
