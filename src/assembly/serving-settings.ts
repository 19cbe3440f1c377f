/** The settings that the HTTP surface reads as they are. */

import type { Config } from "#config.ts";

export function servingSettings({ accounts, port, ...config }: Config) {
  const { answersPerAddress, allowedHosts, batchLimit, streamBounds, mcpOrigins } = config;
  const publicUrl = accounts.publicUrl ?? `http://localhost:${port}`;
  return { answersPerAddress, allowedHosts, batchLimit, streamBounds, mcpOrigins, publicUrl };
}
