/** The cookies of the dashboard, and which pages may use them. They are sent over TLS, or over plain HTTP on loopback only. */

import { isLoopback } from "#domain/net/message.ts";
import type { Cookie, DashboardCookies } from "#ports/identity.ts";

const SESSION = "crossrate_session";
const DEVICE = "crossrate_device";
const SIGN_IN = "crossrate_signin";
const NOTICE = "crossrate_notice";
const VALUE = /^[A-Za-z0-9_-]{1,3800}$/;

/** Faults of a public address for sign-in by cookie; empty for a usable one. */
export function publicUrlFaults(publicUrl: string): readonly string[] {
  const url = URL.parse(publicUrl);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    return ["PUBLIC_URL: an https address is needed"];
  if (
    url.username !== "" ||
    url.password !== "" ||
    url.search !== "" ||
    url.hash !== "" ||
    url.pathname !== "/"
  )
    return ["PUBLIC_URL: only scheme, host and port, such as https://rates.example.com"];
  if (url.protocol === "http:" && !isLoopback(url))
    return ["PUBLIC_URL: http only on loopback; elsewhere cookies and passwords need https"];
  return [];
}

/**
 * Over https the names start with `__Host-`: browsers then insist on Secure, Path=/ and no Domain, and no sibling host can plant
 * one. On plain http, on loopback only, the names have no prefix. For an address without `publicUrlFaults`.
 */
export function openCookies(publicUrl: string): DashboardCookies & { readonly device: Cookie } {
  const url = new URL(publicUrl);
  const secure = url.protocol === "https:";
  return {
    session: cookie(SESSION, secure),
    device: cookie(DEVICE, secure),
    signIn: cookie(SIGN_IN, secure),
    notice: cookie(NOTICE, secure),
    isOwnOrigin: (origin) => origin === url.origin,
  };
}

function cookie(plainName: string, secure: boolean): Cookie {
  const name = secure ? `__Host-${plainName}` : plainName;
  const flags = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return {
    name,
    set(value, maxAgeSeconds) {
      if (!VALUE.test(value)) throw new TypeError("not a value for a cookie of ours");
      return `${name}=${value}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}${flags}`;
    },
    clear: () => `${name}=; Max-Age=0${flags}`,
    read: (header) => (header === null ? null : onlyValue(name, header)),
  };
}

/** Two cookies of one name mean that another site could set one: neither is trusted. */
function onlyValue(name: string, header: string): string | null {
  const values = new Set<string>();
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.add(pair.slice(equals + 1).trim());
  }
  const [value] = values;
  return values.size === 1 && value !== undefined && VALUE.test(value) ? value : null;
}
