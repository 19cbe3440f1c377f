/** Every tool, in the order in which clients list them. */

import type { Tool } from "#mcp/tool.ts";
import { convert, convertBatch } from "./convert.ts";
import { getOfficialPublication, listOfficialChanges } from "./official.ts";
import { getRange } from "./range.ts";
import { getHistorical, getLatest, getRate, listCurrencies } from "./rates.ts";
import { getUsage, searchDocs } from "./server.ts";

export const TOOLS: readonly Tool[] = [
  listCurrencies,
  getRate,
  getLatest,
  getHistorical,
  convert,
  convertBatch,
  getRange,
  searchDocs,
  listOfficialChanges,
  getOfficialPublication,
  getUsage,
];

export const TOOLS_BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));
