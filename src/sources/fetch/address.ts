/** The address that a request goes to: UPSTREAM_BASE, credentials, and allowed redirects. Part of fetch.ts. */

import type { UpstreamRequest } from "#ports/upstream.ts";

/**
 * Address to send to: the public one, moved under `base` when there is one, with the credentials appended.
 * Text is joined, not rebuilt: the commas of `id=A,B` stay as written.
 */
export function sendingAddress(request: UpstreamRequest, base: string | null): string {
  const isSecret = request.secretQuery !== undefined || request.secretHeaders !== undefined;
  if (request.withoutTls && isSecret) throw new TypeError(`credentials without TLS: ${request.url}`);
  let address = underBase(request.url, base, request.withoutTls ? "http" : "https");
  for (const [name, value] of Object.entries(request.secretQuery ?? {})) {
    address += `${address.includes("?") ? "&" : "?"}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  }
  return address;
}

/** https://host/path → `${base}/host/path`; unchanged without a base. Throws TypeError on any scheme but `scheme`. */
function underBase(url: string, base: string | null, scheme: "http" | "https" = "https"): string {
  const match = /^(https?):\/\/([^/?#@]+)([^#]*)$/.exec(url);
  if (match?.[1] !== scheme) throw new TypeError(`not an ${scheme} address: ${url}`);
  return base === null ? url : `${base}/${match[2]}${match[3]}`;
}

/**
 * The target of a redirect, or null when it is not followed: only https without a user name or password is followed.
 * With a base, an https target is moved under it, and nothing outside the base is requested.
 */
export function redirectTarget(location: string, from: string, base: string | null): string | null {
  const target = location === "" ? null : URL.parse(location, from);
  if (target === null || target.username !== "" || target.password !== "") return null;
  target.hash = "";
  if (base !== null && target.href.startsWith(`${base}/`)) return target.href;
  return target.protocol === "https:" ? underBase(target.href, base) : null;
}

/** A text from outside made fit for logs: credentials removed, control characters replaced, at most 200 characters. */
export function presentable(text: string, request: UpstreamRequest): string {
  let safe = text;
  for (const value of secretsOf(request)) {
    safe = safe.replaceAll(value, "[secret]").replaceAll(encodeURIComponent(value), "[secret]");
  }
  safe = safe.replace(/[\p{C}\s]+/gu, " ").trim();
  return safe.length > 200 ? `${safe.slice(0, 200)}…` : safe;
}

/** Whole values come before their parts: the key of `Authorization: Bearer key` is also removed where it occurs alone. */
function secretsOf({
  secretQuery = {},
  secretHeaders = {},
  secretPart = "",
}: UpstreamRequest): readonly string[] {
  const values = Object.values(secretHeaders);
  const words = values.flatMap((value) => value.split(/\s+/).slice(1));
  return [...Object.values(secretQuery), ...values, ...words, secretPart].filter((value) => value !== "");
}
