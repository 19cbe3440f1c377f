/** Connects the Model Context Protocol: the guides, and the official tables that this server collects. */

import type { McpExchange } from "#api/mcp/mcp.ts";
import { openGuides } from "#guides/pages.ts";
import type { NamedTable } from "#mcp/resources.ts";
import type { OfficialDeps } from "#official/deps.ts";
import type { Emit } from "#telemetry.ts";

export interface McpOptions {
  readonly version: string;
  readonly emit: Emit;
  readonly officialTables: readonly NamedTable[];
}

/** Loaded with the first message: the protocol's library takes some ten megabytes that many servers never need. */
export function openMcp({ version, emit, officialTables }: McpOptions): McpExchange {
  const load = async () => {
    const { newMcpExchange } = await import("#mcp/exchange.ts");
    return newMcpExchange({ version, emit, guides: openGuides(), officialTables });
  };
  let loading: Promise<McpExchange> | null = null;
  return async (message) => {
    loading ??= load();
    return await (await loading)(message);
  };
}

/** The official tables that are collected; none where they are not open here (null). */
export function collectedTables(official: Pick<OfficialDeps, "tables"> | null): readonly NamedTable[] {
  const collected = official?.tables.filter(({ missing }) => missing === null) ?? [];
  return collected.map(({ table }) => table);
}
