/** The REST interface called inside this process, as the sender of an MCP message. */

import { InnerRequest } from "#http/request/inner-request.ts";
import type { RestAnswer, RestCall } from "#ports/rest.ts";

/** What identifies a caller and a request; the rest of the headers speaks of the message. */
const CARRIED = ["host", "authorization", "x-api-key", "x-forwarded-for"] as const;

export type AnswerRequest = (request: Request) => Response | Promise<Response>;

export interface InnerCall {
  readonly call: RestCall;
  /** Of the last answer; null while nothing was called. */
  headers(): Headers | null;
}

/** `id` is the request id of all calls. */
export function openInnerCall(outer: Request, id: string, answer: AnswerRequest): InnerCall {
  const carried: Record<string, string> = { "x-request-id": id, accept: "application/json" };
  for (const name of CARRIED) {
    const value = outer.headers.get(name);
    if (value !== null) carried[name] = value;
  }
  const origin = originOf(outer.url);
  let last: RestAnswer | null = null;
  return {
    call: async ({ method, path, body }) => {
      const headers = body === undefined ? carried : { ...carried, "content-type": "application/json" };
      const init = body === undefined ? { method, headers } : { method, headers, body };
      const response = await answer(new InnerRequest(outer, `${origin}${path}`, init));
      last = { status: response.status, headers: response.headers, text: await response.text() };
      return last;
    },
    headers: () => last?.headers ?? null,
  };
}

function originOf(url: string): string {
  return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
}
