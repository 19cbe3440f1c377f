/** GET /v1/lake/manifest.json, …/intraday/manifest.json and …/official/manifest.json: what the lake holds, file by file. */

import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { respond } from "#api/response/respond.ts";
import { words } from "#api/words.ts";
import type { ManifestName } from "#ports.ts";
import { digest, identityOf, ifMatch, type LakeRouteDeps, partIn, REVALIDATED } from "./model.ts";

const DIGEST_EXAMPLE = "1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1a1b0f0e5f2d4a9f8c7b";

interface EntryExample {
  readonly path: string;
  readonly current: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** What every entry has. Takes an example of one. */
function entryFields({ path, current, rows, bytes, sha256 }: EntryExample) {
  return {
    path: form.text(
      "Below `/v1/lake/`. What is under this name never changes; a file that was replaced stays for a day at the least.",
      path,
    ),
    current: form.text("Fixed name below `/v1/lake/`, where the newest file of the partition is.", current),
    rows: form.count("Rows in the file.", rows, 1),
    bytes: form.count("Size of the file.", bytes, 1),
    sha256: form.text("Digest of the file in hex; its `ETag`.", sha256, {
      pattern: "^[0-9a-f]{64}$",
    }),
  };
}

const format = form.count("Version of the layout.", 2, 1);

const mode = form.oneOf(["real", "simulated"], "`simulated` in the demo, where all rates are made up.");

const tableVersion = form.count("Version of the Delta table: one more with every change of its files.", 8120);

// ── Daily figures ────────────────────────────────────────────────────────────────────────────────

const DAILY = {
  path: partIn("daily/source=ecb_daily/year=2026"),
  current: "current/daily/source=ecb_daily/year=2026/rates.parquet",
  rows: 2030,
  bytes: 48_213,
  sha256: DIGEST_EXAMPLE,
  dates: { first: "2026-01-02", last: "2026-04-13" },
  values: { least: 0.8702, greatest: 19874.2 },
};

const LakeManifestFile = form.named("LakeManifestFile", "One data file.", {
  ...entryFields(DAILY),
  dates: form.closed(
    "Range of the dates.",
    {
      first: form.day("Earliest date.", DAILY.dates.first),
      last: form.day("Latest date.", DAILY.dates.last),
    },
    DAILY.dates,
  ),
  values: Type.Union(
    [
      form.named("LakeValueRange", "Smallest and largest value of a file.", {
        least: Type.Number({ description: "Smallest value.", examples: [0.8702] }),
        greatest: Type.Number({ description: "Largest value.", examples: [19874.2] }),
      }),
      Type.Null(),
    ],
    {
      description: "Range of the values; null for the figures held back, which need not be numbers.",
      examples: [DAILY.values],
    },
  ),
});

const LakeCoverage = form.named("LakeCoverage", "How far a source's documents reach.", {
  source: form.meaning(field.SourceModel, "The source.", "ecb_daily"),
  covered_through: form.day("Last day that the source's documents cover.", "2026-04-13"),
  retrieved_at: form.instant("When that was last seen, UTC.", "2026-04-13T14:05:00Z"),
});

const otherManifests = form.closed("Manifests of tables that change at other times than this one.", {
  intraday: form.text("That of the intraday quotes, below `/v1/lake/`.", "intraday/manifest.json"),
  official: Type.Optional(
    form.text(
      "That of the official publications, below `/v1/lake/`; absent where none are collected, and before the first.",
      "official/manifest.json",
    ),
  ),
});

const LakeManifest = form.named("LakeManifest", "What the lake holds of daily figures, file by file.", {
  format,
  mode,
  version: form.text(
    "Version of the daily figures: changes with every commit that changes data, and is never used again.",
    "412-mm0k3f1c",
  ),
  coverage: form.list(LakeCoverage, "One entry a source.", []),
  files: form.list(
    LakeManifestFile,
    "Every data file of this version: `daily`, then `revisions`, then `held`, each by path.",
    [],
  ),
  manifests: otherManifests,
});

export const MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  version: "412-mm0k3f1c",
  coverage: [
    { source: "ecb_daily" as const, covered_through: "2026-04-13", retrieved_at: "2026-04-13T14:05:00Z" },
  ],
  files: [DAILY],
  manifests: { intraday: "intraday/manifest.json", official: "official/manifest.json" },
};

// ── Other tables ─────────────────────────────────────────────────────────────────────────────────

/** The manifest of a table that has a file a partition. */
function manifestOf<T extends TSchema>(name: string, description: string, file: T, order: string) {
  return form.named(name, description, {
    format,
    mode,
    version: tableVersion,
    files: form.list(file, order, []),
  });
}

const INTRADAY = {
  path: partIn("intraday/date=2026-04-13"),
  current: "current/intraday/date=2026-04-13/quotes.parquet",
  rows: 25_920,
  bytes: 412_880,
  sha256: DIGEST_EXAMPLE,
  observed: { first: "2026-04-13T00:00:21.000Z", last: "2026-04-13T16:29:20.000Z" },
};

const IntradayFile = form.named("IntradayFile", "The quotes observed on one UTC day.", {
  ...entryFields(INTRADAY),
  observed: form.closed(
    "Range of the observations.",
    {
      first: form.instant("Earliest observation, UTC, to the millisecond.", INTRADAY.observed.first),
      last: form.instant("Latest observation, UTC, to the millisecond.", INTRADAY.observed.last),
    },
    INTRADAY.observed,
  ),
});

const IntradayManifest = manifestOf(
  "IntradayManifest",
  "What the intraday archive holds, date by date.",
  IntradayFile,
  "Every date with quotes, ascending.",
);

export const INTRADAY_MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  version: 8120,
  files: [INTRADAY],
};

const OFFICIAL = {
  path: partIn("official/table_id=mex_fix"),
  current: "current/official/table_id=mex_fix/publications.parquet",
  rows: 8612,
  bytes: 96_120,
  sha256: DIGEST_EXAMPLE,
  valid_from: { first: "1991-11-12", last: "2026-04-13" },
};

const OfficialFile = form.named("OfficialFile", "Every publication of one official table.", {
  ...entryFields(OFFICIAL),
  valid_from: form.closed(
    "Range of the publications' first days.",
    {
      first: form.day("Earliest first day of a publication.", OFFICIAL.valid_from.first),
      last: form.day("Latest first day of a publication.", OFFICIAL.valid_from.last),
    },
    OFFICIAL.valid_from,
  ),
});

const OfficialManifest = manifestOf(
  "OfficialManifest",
  "What the lake holds of official publications.",
  OfficialFile,
  "Every official table, by its id.",
);

export const OFFICIAL_MANIFEST_EXAMPLE = {
  format: 2,
  mode: "real" as const,
  version: 318,
  files: [OFFICIAL],
};

// ── Routes ───────────────────────────────────────────────────────────────────────────────────────

const metered = { isLarge: true } as const;

const ERRORS = ["precondition_failed", "data_unavailable", "service_unavailable"] as const;

const SHARED = { tag: "Lake", headers: { "If-Match": ifMatch }, errors: ERRORS } as const;

function okOf(schema: TSchema, example: unknown) {
  return { description: "The manifest.", conditional: true, headers: [digest], schema, example };
}

export const manifests = ({ house, ...deps }: LakeRouteDeps) => {
  /** Always whole: a part of JSON is no JSON. */
  const send = async (request: Request, of: ManifestName) => {
    const { text, sha256 } = await deps.lakeFiles.manifest(of);
    const fields = { ...identityOf(sha256), mime: "application/json", cacheControl: REVALIDATED };
    return respond(request, deps, fields, () => ({ body: text, bytes: Buffer.byteLength(text) }));
  };
  return new Elysia({ name: "lake-manifests" })
    .use(house)
    .get("/v1/lake/manifest.json", async ({ request }) => await send(request, "daily"), {
      metered,
      detail: words({
        ...SHARED,
        id: "getLakeManifest",
        summary: "What the lake holds",
        description:
          "Every file of daily figures in their newest version, with its rows, size, digest and ranges. `version` changes with every commit of data. `manifests` leads to those of the other tables.",
        ok: okOf(LakeManifest, MANIFEST_EXAMPLE),
      }),
    })
    .get("/v1/lake/intraday/manifest.json", async ({ request }) => await send(request, "intraday"), {
      metered,
      detail: words({
        ...SHARED,
        id: "getIntradayManifest",
        summary: "What the intraday archive holds",
        description:
          "Every date with its quotes, size, digest and range of observations. Apart from the other manifests because it changes every few minutes.",
        ok: okOf(IntradayManifest, INTRADAY_MANIFEST_EXAMPLE),
      }),
    })
    .get("/v1/lake/official/manifest.json", async ({ request }) => await send(request, "official"), {
      metered,
      detail: words({
        ...SHARED,
        id: "getOfficialManifest",
        summary: "What the lake holds of official publications",
        description: "Every official table with its rows, size, digest and range of validity.",
        ok: okOf(OfficialManifest, OFFICIAL_MANIFEST_EXAMPLE),
        errors: [...ERRORS, "source_unavailable"],
      }),
    });
};
