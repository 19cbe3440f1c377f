/** GET /v1/lake/manifest.json, …/intraday/manifest.json and …/official/manifest.json: the lake's content, file by file. */

import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { Parameter } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { type RespondDeps, respond } from "#api/response/respond.ts";
import { operation, type Words } from "#api/words.ts";
import type { LakeFiles, ManifestName } from "#ports.ts";

export const CHAIN_PATH = "/v1/lake/chain";
export const PROOF_PATH = "/v1/lake/proof";
export const WELL_KNOWN_PATH = "/.well-known/crossrate.json";

export interface LakeRouteDeps extends RespondDeps {
  readonly house: House;
  readonly lakeFiles: LakeFiles;
}

/** Any commit may replace a file: caches must confirm their copies by the tag, byte for byte. */
export const REVALIDATED = "public, no-cache, no-transform";

export function identityOf(sha256: string) {
  const digest = Buffer.from(sha256, "hex").toString("base64");
  return {
    etag: `"${sha256}"`,
    vary: "Accept",
    headers: { "Repr-Digest": `sha-256=:${digest}:` },
  };
}

export const digest = {
  "Repr-Digest": [
    "SHA-256 of the whole file, in base64 (RFC 9530): the same digest as in `ETag`.",
    "sha-256=:Hwsw6P+fbR9dC7byuNnB8PJMX3xtehobDw5fLUqfjHs=:",
  ],
} as const;

export const TAG = {
  schema: Type.String({ maxLength: 512 }),
  example: '"1f0b0e8f9f6d1f5d0bb6f2b8d9c1f0f24c5f7c6d7a1f1b0f0e5f2d4a9f8c7b6a"',
  inSampleCall: false,
} as const;

export const ifMatch: Omit<Parameter, "parse"> = {
  ...TAG,
  description: "`ETag` of the version wanted; another one is refused with `precondition_failed`.",
};

export const PART_NAME = "part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet";

/** Returns an example path below a folder such as `daily/source=ecb_daily/year=2026`. */
export function partIn(folder: string): string {
  return `${folder}/${PART_NAME}`;
}

/** Describes the members of every entry. The arguments are examples: a partition's folder, its fixed name, and its size. */
function entryFields(folder: string, file: string, rows: number, bytes: number) {
  return {
    path: form.text(
      "Below `/v1/lake/`. What is under this name never changes; a file that was replaced stays for a day at the least.",
      partIn(folder),
    ),
    current: form.text("Below `/v1/lake/`: the fixed name of the newest file.", `current/${folder}/${file}`),
    rows: form.count("Rows in the file.", rows, 1),
    bytes: form.count("Size of the file.", bytes, 1),
    sha256: form.sha256("Digest of the file in hex; its `ETag`.", "1f0b30e8ff9f6d1f5d0bb6f2b8d9c1f0"),
  };
}

function spanOf(description: string, what: string, of: typeof form.day, first: string, last: string) {
  return form.closed(description, {
    first: of(`Earliest ${what}.`, first),
    last: of(`Latest ${what}.`, last),
  });
}

export const mode = form.oneOf(
  ["real", "simulated"],
  "`simulated` in the demo, where only the history of the ECB that it began with is real.",
);

const HEAD = { format: form.count("Version of the layout.", 2, 1), mode };

const tableVersion = form.count("Version of the Delta table: one more with every change of its files.", 8120);

const LakeManifestFile = form.named("LakeManifestFile", "One data file.", {
  ...entryFields("daily/source=ecb_daily/year=2026", "rates.parquet", 2030, 48_213),
  dates: spanOf("Range of the dates.", "date", form.day, "2026-01-02", "2026-04-13"),
  values: form.orNull(
    form.named("LakeValueRange", "Smallest and largest value of a file.", {
      least: Type.Number({ description: "Smallest value.", examples: [0.8702] }),
      greatest: Type.Number({ description: "Largest value.", examples: [19874.2] }),
    }),
    "Range of the values; null for the figures held back, which need not be numbers.",
  ),
});

const LakeCoverage = form.named("LakeCoverage", "How far a source's documents reach.", {
  source: form.meaning(field.SourceModel, "The source.", "ecb_daily"),
  covered_through: form.day("Last day that the source's documents cover.", "2026-04-13"),
  retrieved_at: form.instant("When that was last seen, UTC.", "2026-04-13T14:05:00Z"),
});

export const LakeManifest = form.named("LakeManifest", "What the lake holds of daily figures, by file.", {
  ...HEAD,
  version: form.text("Version of the daily figures: a new one with every change of data.", "412-mm0k3f1c"),
  coverage: form.list(LakeCoverage, "One entry a source."),
  files: form.list(
    LakeManifestFile,
    "Every data file of this version: `daily`, then `revisions`, then `held`, each by path.",
  ),
  manifests: form.closed("Manifests of tables that change at other times than this one.", {
    intraday: form.text("That of the intraday quotes, below `/v1/lake/`.", "intraday/manifest.json"),
    official: Type.Optional(
      form.text(
        "That of the official publications, below `/v1/lake/`; absent where no table is collected, and before the first publication.",
        "official/manifest.json",
      ),
    ),
  }),
});

const IntradayFile = form.named("IntradayFile", "The quotes observed on one UTC day.", {
  ...entryFields("intraday/date=2026-04-13", "quotes.parquet", 25_920, 412_880),
  observed: spanOf(
    "Range of the observations.",
    "observation, UTC, to the millisecond",
    form.instant,
    "2026-04-13T00:00:21.000Z",
    "2026-04-13T16:29:20.000Z",
  ),
});

export const IntradayManifest = form.named("IntradayManifest", "What the intraday archive holds, by date.", {
  ...HEAD,
  version: tableVersion,
  files: form.list(IntradayFile, "Every date with quotes, ascending."),
});

const OfficialFile = form.named("OfficialFile", "Every publication of one official table.", {
  ...entryFields("official/table_id=mex_fix", "publications.parquet", 8612, 96_120),
  valid_from: spanOf(
    "Range of the publications' first days.",
    "first day of a publication",
    form.day,
    "1991-11-12",
    "2026-04-13",
  ),
});

export const OfficialManifest = form.named("OfficialManifest", "What the lake holds of official tables.", {
  ...HEAD,
  version: tableVersion,
  files: form.list(OfficialFile, "Every official table, by its id."),
});

const ERRORS = ["precondition_failed", "data_unavailable", "service_unavailable"] as const;

export const manifests = ({ house, ...deps }: LakeRouteDeps) => {
  /** Sends the whole manifest even with Range: a part of JSON is no JSON. */
  const send = async (request: Request, of: ManifestName) => {
    const { text, sha256 } = await deps.lakeFiles.manifest(of);
    const fields = { ...identityOf(sha256), mime: "application/json", cacheControl: REVALIDATED };
    return respond(request, deps, fields, () => ({ body: text, bytes: Buffer.byteLength(text) }));
  };
  const route = (schema: TSchema, said: Pick<Words, "id" | "summary" | "description" | "errors">) =>
    operation({
      metered: { isLarge: true } as const,
      tag: "Lake",
      headers: { "If-Match": ifMatch },
      errors: ERRORS,
      ok: { headers: digest, schema },
      conditional: true,
      ...said,
    });
  return new Elysia({ name: "lake-manifests" })
    .use(house)
    .get(
      "/v1/lake/manifest.json",
      async ({ request }) => await send(request, "daily"),
      route(LakeManifest, {
        id: "getLakeManifest",
        summary: "What the lake holds",
        description:
          "Every file of daily figures in their newest version, with its rows, size, digest and ranges. `version` changes with every commit of data. `manifests` leads to those of the other tables.",
      }),
    )
    .get(
      "/v1/lake/intraday/manifest.json",
      async ({ request }) => await send(request, "intraday"),
      route(IntradayManifest, {
        id: "getIntradayManifest",
        summary: "What the intraday archive holds",
        description:
          "Every date with its quotes, size, digest and range of observations. Apart from the other manifests because it changes every few minutes.",
      }),
    )
    .get(
      "/v1/lake/official/manifest.json",
      async ({ request }) => await send(request, "official"),
      route(OfficialManifest, {
        id: "getOfficialManifest",
        summary: "What the lake holds of official publications",
        description: "Every official table with its rows, size, digest and range of validity.",
        errors: [...ERRORS, "source_unavailable"],
      }),
    );
};
