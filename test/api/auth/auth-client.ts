/** Browsers and command lines that sign in: each stores its credentials and sends them as its kind does. */

import { SITE } from "#test/accounts/identity/fixture.ts";
import { post, type TestApp } from "#test/api/harness.ts";

/** On a page of this site, unless `origin` names another; null sends none. Stores the session cookie. */
export function browser(app: TestApp, origin: string | null = SITE) {
  const client = {
    cookie: null as string | null,
    /** A JSON body makes it a POST; `method` says otherwise. */
    ask: async (path: string, body?: object, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      if (client.cookie !== null) headers.set("cookie", client.cookie);
      if (origin !== null) headers.set("origin", origin);
      const response = await app.ask(path, withBody(body, init, headers));
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        if (pair.startsWith("__Host-crossrate_session=")) client.cookie = pair.endsWith("=") ? null : pair;
      }
      return response;
    },
  };
  return client;
}

export function commandLine(app: TestApp, token: string) {
  return (path: string, body?: object, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    return app.ask(path, withBody(body, init, headers));
  };
}

function withBody(body: object | undefined, init: RequestInit, headers: Headers): RequestInit {
  if (body === undefined) return { ...init, headers };
  return { ...init, ...post(body, Object.fromEntries(headers)) };
}

export async function codeIn(response: Response): Promise<string | undefined> {
  return (await response.clone().json()).code;
}
