/** The credentials of a request, as the use cases take them. */

import type { Credentials } from "#accounts/identity/session-caller.ts";

export function credentialsOf({ headers, method }: Request): Credentials {
  return {
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
    origin: headers.get("origin"),
    mutates: method !== "GET" && method !== "HEAD",
  };
}
