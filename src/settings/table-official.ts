/** Settings of official publications, in the order of the README's table. */

import type { Setting } from "./setting.ts";

export const OFFICIAL_SETTINGS = [
  {
    name: "OFFICIAL_TABLES",
    fallback: "all",
    meaning:
      "official tables to collect and serve: `all`, `off`, or ids, comma-separated; `crossrate official` lists them",
  },
  {
    name: "BANXICO_TOKEN",
    fallback: null,
    secret: true,
    meaning: "Banxico's free SIE token; without one its FIX and settlement tables are left out",
  },
] as const satisfies readonly Setting[];
