/** Schemas that the document names, in the order it lists them. A schema with an `$id` must stand here. */

import type { TSchema } from "@sinclair/typebox";
import { ERROR_SCHEMAS } from "./errors.ts";
import { CurrencyCodeModel, MarketSessionModel, SourceModel } from "./fields.ts";

/** Named schemas whose own wording is the component's; other places may add a meaning of their own. */
export const VOCABULARY: readonly TSchema[] = [
  CurrencyCodeModel,
  SourceModel,
  MarketSessionModel,
  ...ERROR_SCHEMAS,
];
