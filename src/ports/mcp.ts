/** The Model Context Protocol as HTTP sees it. */

import type { RestCall } from "./rest.ts";

export interface McpMessage {
  /** For its headers and its signal; its body was read. */
  readonly request: Request;
  /** The JSON of its body: no array. */
  readonly message: object;
  /** Of the request, as its answer names it. */
  readonly id: string;
  /** Reaches the REST interface as the sender of the request. */
  readonly call: RestCall;
}

export interface McpAnswer {
  /** Of HTTP. */
  readonly status: number;
  /** JSON; null where there is no body. */
  readonly text: string | null;
}

/** The protocol's answer to one POST. */
export type McpExchange = (message: McpMessage) => Promise<McpAnswer>;
