/** The shape of /v1/lake/intraday/manifest.json. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { CLOSED, DIGEST_EXAMPLE, entryFields, format, mode, tableVersion } from "./entry.ts";
import { partIn } from "./parameters.ts";

const PATH = partIn("intraday/date=2026-04-13");
const CURRENT = "current/intraday/date=2026-04-13/quotes.parquet";
const OBSERVED = { first: "2026-04-13T00:00:21.000Z", last: "2026-04-13T16:29:20.000Z" };

const IntradayFile = Type.Object(
  {
    ...entryFields(PATH, CURRENT, 25_920, 412_880),
    observed: Type.Object(
      {
        first: field.instant("Earliest observation, UTC, to the millisecond.", OBSERVED.first),
        last: field.instant("Latest observation, UTC, to the millisecond.", OBSERVED.last),
      },
      { ...CLOSED, description: "Range of the observations.", examples: [OBSERVED] },
    ),
  },
  { $id: "IntradayFile", ...CLOSED, description: "The quotes observed on one UTC day." },
);

export const IntradayManifest = Type.Object(
  {
    format,
    mode,
    version: tableVersion,
    files: Type.Array(IntradayFile, { description: "Every date with quotes, ascending.", examples: [[]] }),
  },
  { $id: "IntradayManifest", ...CLOSED, description: "What the intraday archive holds, date by date." },
);

export const INTRADAY_MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  version: 8120,
  files: [
    {
      path: PATH,
      current: CURRENT,
      rows: 25_920,
      bytes: 412_880,
      sha256: DIGEST_EXAMPLE,
      observed: OBSERVED,
    },
  ],
};
