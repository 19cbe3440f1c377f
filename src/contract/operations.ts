/** All operations of the public interface, and the schemas that the document names, in its order. */

import type { TSchema } from "@sinclair/typebox";
import { ERROR_SCHEMAS } from "./errors.ts";
import { CurrencyCodeModel, MarketSessionModel, SourceModel } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { PROBES } from "./status/probes.ts";

export const OPERATIONS: readonly Operation[] = [...PROBES];

/** Named schemas whose own description is the component's; other places may add a meaning of their own. */
export const VOCABULARY: readonly TSchema[] = [
  CurrencyCodeModel,
  SourceModel,
  MarketSessionModel,
  ...ERROR_SCHEMAS,
];
