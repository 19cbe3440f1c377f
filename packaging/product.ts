/** What every package states of the product: read from package.json, which is the only place that says it. */

import { resolve } from "node:path";
import packageFile from "#package.json" with { type: "json" };

export const ROOT = resolve(import.meta.dir, "..");
export const PRODUCT: typeof packageFile = packageFile;
/** `1.4.5`. */
export const BUN_VERSION = PRODUCT.packageManager.replace("bun@", "");
