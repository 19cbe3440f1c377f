/** Every tool, in the order in which clients list them. */

import type { Tool } from "#mcp/tool.ts";
import { convert } from "./convert.ts";
import { convertBatch } from "./convert-batch.ts";
import { listCurrencies } from "./currencies.ts";
import { getHistorical } from "./historical.ts";
import { getLatest } from "./latest.ts";
import { listOfficialChanges } from "./official-changes.ts";
import { getOfficialPublication } from "./official-publication.ts";
import { getRange } from "./range.ts";
import { getRate } from "./rate.ts";
import { searchDocs } from "./search-docs.ts";
import { getUsage } from "./usage.ts";

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
