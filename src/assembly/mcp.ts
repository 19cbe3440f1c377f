/** Connects the Model Context Protocol: the guides, and the official tables that this server collects. */

import type { McpExchange } from "#api/mcp/mcp.ts";
import { once } from "#domain/queues/once.ts";
import { openGuides } from "#guides/pages.ts";
import type { NamedTable } from "#mcp/resources.ts";
import type { OfficialDeps } from "#official/deps.ts";
import type { Emit } from "#telemetry.ts";

/** Loaded with the first message: the library takes some ten megabytes. */
export function openMcp(options: {
  readonly version: string;
  readonly emit: Emit;
  readonly officialTables: readonly NamedTable[];
}): McpExchange {
  const exchange = once(async () => {
    const { newMcpExchange } = await import("#mcp/transports.ts");
    return newMcpExchange({ ...options, guides: openGuides() });
  });
  return async (message) => (await exchange.get())(message);
}

/** Empty without official tables. */
export function collectedTables(official: Pick<OfficialDeps, "tables"> | null): readonly NamedTable[] {
  const collected = official?.tables.filter(({ missing }) => missing === null) ?? [];
  return collected.map(({ table }) => table);
}
