/** The product's version, from the one place that states it. */

import packageFile from "#package.json" with { type: "json" };

export const VERSION: string = packageFile.version;
