/** A call of the REST interface on behalf of one caller, whichever way it goes: inside this process, or over the network. */

export interface RestRequest {
  readonly method: "GET" | "POST";
  /** With its query, from the slash: `/v1/rate/usd-jpy?dp=4`. */
  readonly path: string;
  /** JSON; of a POST only. */
  readonly body?: string;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as sent, not decoded as JSON: numbers keep their digits. */
  readonly text: string;
}

/**
 * Sends a request with the caller's own key, address and request id, and resolves with the answer, whatever its status. Rejects
 * where there is none: the server is out of reach, or `signal` was aborted.
 */
export type RestCall = (request: RestRequest, signal: AbortSignal) => Promise<RestAnswer>;
