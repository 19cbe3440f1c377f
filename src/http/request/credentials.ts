/** What a request says of who sends it, as the use cases read it. */

import type { Credentials } from "#accounts/identity/session-caller.ts";

export function credentialsOf({ headers, method }: Request): Credentials {
  return {
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
    origin: headers.get("origin"),
    mutates: method !== "GET" && method !== "HEAD",
  };
}
