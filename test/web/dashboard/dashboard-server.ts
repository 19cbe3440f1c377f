/** The whole product with accounts on a port of its own, and a browser without scripts that follows forms and redirects. */

import { startSmtp } from "#test/gateways/mail/smtp-server.ts";
import { openReplica, runningClock } from "#test/metered/replica.ts";
import { freePort } from "#test/support/free-port.ts";
import { CATALOG_SETTING } from "#test/support/stripe/catalog.ts";
import { startStripe } from "#test/support/stripe/stripe.ts";
import type { Site } from "#web/shared/page.tsx";

const WEBHOOK_SECRET = "whsec_test0000000000000000000000";

export type DashboardServer = Awaited<ReturnType<typeof openDashboardServer>>;

/** Stripe is simulated; mail is sent to a server of this process where `mail` says so. */
export async function openDashboardServer({
  mail,
  settings = {},
  dataDir,
}: {
  readonly mail: boolean;
  readonly settings?: Record<string, string>;
  /** By default the newest daily rates. */
  readonly dataDir?: string;
}) {
  const clock = runningClock();
  const stripe = await startStripe({ now: clock.now });
  const smtp = await startSmtp();
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const replica = await openReplica({
    ...(dataDir === undefined ? {} : { dataDir }),
    clock,
    port,
    settings: {
      PUBLIC_URL: url,
      ALLOW_PRIVATE_WEBHOOKS: "yes",
      POLICY_VERSION: "2026-01",
      POLICY_URL: "https://rates.example/policy",
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
      STRIPE_PRICES: CATALOG_SETTING,
      STRIPE_API_BASE: stripe.base,
      ...(mail ? { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: "rates@example.com" } : {}),
      ...settings,
    },
  });
  stripe.webhooks.endpoint({ url: `${url}/v1/billing/stripe/events`, secrets: [WEBHOOK_SECRET] });
  return {
    ...replica,
    clock,
    stripe,
    smtp,
    linkTo: async (email: string) => {
      for (let look = 0; look < 200; look++) {
        const letter = smtp.mails
          .findLast(({ to }) => to.includes(email))
          ?.data.replace(/=\r\n/g, "")
          .replaceAll("=3D", "=");
        const link = /http:\S+#token=\w+/.exec(letter ?? "")?.[0];
        if (link !== undefined) return link;
        await Bun.sleep(10);
      }
      throw new Error(`no letter to ${email}`);
    },
  };
}

/** What pages say of an installation with accounts. */
export const SITE: Site = {
  ...{ origin: "http://localhost:3000", version: "test", hasAccounts: true },
  ...{ isSimulated: false, realThrough: null, person: null },
  asset: (name) => name,
};

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** What of it a person reads. */
  readonly text: string;
  /** Where the last redirect led. */
  readonly path: string;
}

let browsers = 0;

/** A browser without scripts: it has cookies, follows redirects, and sends its origin with forms. */
export function plainBrowser(url: string) {
  const cookies = new Map<string, string>();
  browsers += 1;
  // Each from an address of its own: the limits of one address are another test's.
  const address = `198.51.${browsers >> 6}.${browsers & 63}`;
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ accept: "text/html", ...init.headers });
    headers.set("x-forwarded-for", address);
    if (cookies.size > 0)
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(url + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const follow = async (path: string, init: RequestInit): Promise<Shown> => {
    const response = await ask(path, init);
    const to = response.headers.get("location");
    if (response.status === 303 && to !== null) return await follow(to, {});
    const html = await response.text();
    return { status: response.status, headers: response.headers, html, text: textOf(html), path };
  };
  return {
    cookies,
    ask,
    get: (path: string) => follow(path, {}),
    /** Sends a form of a page of this site; `origin` null sends none. */
    post: (path: string, fields: Record<string, string> | string[][] = {}, origin: string | null = url) =>
      follow(path, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          ...(origin === null ? {} : { origin }),
        },
        body: new URLSearchParams(fields as Record<string, string>).toString(),
      }),
  };
}

export function textOf(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}
