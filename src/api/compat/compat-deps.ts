/** The dependencies of the compatible routes, and the cache lifetimes of their answers. */

import type { AnyElysia } from "elysia";
import { LATEST } from "#api/rates/latest.ts";
import type { StaticDeps } from "#api/response/static-body.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { BarsDeps } from "#rates/range/bars.ts";
import type { RangeDeps } from "#rates/range/range.ts";
import type { LargeDeps } from "./answer.ts";
import type { DialectDeps } from "./refusal.ts";

export type FrankfurterDeps = RangeDeps & RatesDeps & DialectDeps & LargeDeps;
/** Serving its own description, with the product's version. */
export type FrankfurterV2Deps = FrankfurterDeps &
  StaticDeps & { readonly version: string; readonly table: () => AnyElysia["routes"] };
export type OxrDeps = FrankfurterDeps & BarsDeps;

/** As for /v1/latest. */
export const LATEST_SECONDS = LATEST.maxAgeSeconds;
/** Past days change only by corrections. */
export const PAST_SECONDS = 300;
export const CATALOG_SECONDS = 3600;
