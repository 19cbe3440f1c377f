/** Every tool, in the order in which clients list them. */

import type { Tool } from "#mcp/tool.ts";
import * as conversions from "./convert.ts";
import * as official from "./official.ts";
import * as rates from "./rates.ts";
import * as server from "./server.ts";

export const TOOLS: readonly Tool[] = [
  ...[rates.listCurrencies, rates.getRate, rates.getLatest, rates.getHistorical],
  ...[conversions.convert, conversions.convertBatch, rates.getRange, rates.getFluctuation, rates.averageRate],
  server.searchDocs,
  ...[official.listOfficialChanges, official.getOfficialPublication, official.convertOfficial],
  server.getUsage,
];
