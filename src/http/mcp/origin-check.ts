/** Rejects messages that pages of other sites send: a name that was rebound to this server's address makes such a page look like its own. */

import { Failure } from "#domain/faults/errors.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

export interface OriginRules {
  /** Names that this server answers for; the Host header was held against them. Empty: any. */
  readonly allowedHosts: readonly string[];
  /** Origins besides the server's own; `*` for any. */
  readonly mcpOrigins: readonly string[];
  /** Origin under which people reach the server. */
  readonly publicUrl: string;
}

/**
 * Failure `forbidden` for a page of a foreign origin. Programs send no Origin. A page of this server's own name passes where the name
 * is known to be its own: it is that of PUBLIC_URL, in ALLOWED_HOSTS, or the loopback's.
 */
export function admitOrigin(
  { headers }: Request,
  { allowedHosts, mcpOrigins, publicUrl }: OriginRules,
): void {
  const origin = headers.get("origin");
  if (origin === null || mcpOrigins.includes("*") || mcpOrigins.includes(origin.toLowerCase())) return;
  if (origin === publicUrl) return;
  const page = URL.parse(origin);
  if (page !== null && page.host === headers.get("host")?.toLowerCase()) {
    if (allowedHosts.length > 0 || LOOPBACK.has(page.hostname)) return;
  }
  throw new Failure("forbidden", {
    reason: "pages of other sites may not use /v1/mcp/; the operator can allow an origin by MCP_ORIGINS",
  });
}
