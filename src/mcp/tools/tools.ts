/** Every tool, in the order in which clients list them. */

import type { Tool } from "#mcp/tool.ts";
import { convert, convertBatch } from "./convert.ts";
import { convertOfficial, getOfficialPublication, listOfficialChanges } from "./official.ts";
import {
  averageRate,
  getFluctuation,
  getHistorical,
  getLatest,
  getRange,
  getRate,
  listCurrencies,
} from "./rates.ts";
import { getUsage, searchDocs } from "./server.ts";

export const TOOLS: readonly Tool[] = [
  listCurrencies,
  getRate,
  getLatest,
  getHistorical,
  convert,
  convertBatch,
  getRange,
  getFluctuation,
  averageRate,
  searchDocs,
  listOfficialChanges,
  getOfficialPublication,
  convertOfficial,
  getUsage,
];
