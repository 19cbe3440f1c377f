/**
 * GET /v1/lake/…/part-….parquet and /v1/lake/current/…: the lake's Parquet files by versioned and by fixed names. Byte
 * ranges let tools query them remotely.
 */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Parameter, path, segment } from "#api/parameters.ts";
import { isHead } from "#api/request/inner-request.ts";
import type { Charge } from "#api/request/metering.ts";
import type { Part, RangedReads } from "#api/response/conditions.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { partPayload, respond, wholeFile } from "#api/response/respond.ts";
import { type OkResponse, operation, type Words } from "#api/words.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { COVERAGE_START, type Day, type Instant, MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import type { Clock, LakeFile } from "#ports.ts";
import { publishedUntil } from "#rates/archive.ts";
import { digest, identityOf, ifMatch, type LakeRouteDeps, PART_NAME, REVALIDATED, TAG } from "./manifests.ts";

/** Describes one folder of a path; `=` is part of its name. A file is sent only if a manifest has exactly its name. */
function folder(what: string, pattern: string, maxLength: number, example: string): Parameter<string> {
  return segment({
    schema: Type.String({ pattern: `^${pattern}$`, maxLength }),
    description: `The folder of ${what} as the manifest writes it; \`=\` may come as \`%3D\`.`,
    example,
  });
}

const SOURCE_AND_YEAR = {
  source: folder("a source", `source=(${DAILY_SOURCES.join("|")})`, 32, "source=ecb_daily"),
  year: folder("a year", "year=\\d{4}", 9, "year=2026"),
};
/** Named `partition`: a parameter `date` is a plain day. */
const DAY = { partition: folder("a UTC day", "date=\\d{4}-\\d{2}-\\d{2}", 15, "date=2026-04-13") };
const TABLE = { partition: folder("an official table", "table_id=[a-z0-9_]+", 64, "table_id=mex_fix") };

const file = segment({
  schema: Type.String({ pattern: "^part-[0-9a-f-]{36}\\.parquet$", maxLength: 49 }),
  description: "Name of the file as the manifest writes it.",
  example: PART_NAME,
});

interface LakeTable {
  readonly id: string;
  readonly folder: string;
  readonly partitions: Readonly<Record<string, Parameter<string>>>;
  readonly currentFile: string;
  readonly what: string;
  readonly description: string;
}

const TABLES: readonly LakeTable[] = [
  {
    id: "Daily",
    folder: "daily",
    partitions: SOURCE_AND_YEAR,
    currentFile: "rates.parquet",
    what: "figures of a source and year",
    description: "Every current figure exactly once, ordered by date, base and quote.",
  },
  {
    id: "Revisions",
    folder: "revisions",
    partitions: SOURCE_AND_YEAR,
    currentFile: "revisions.parquet",
    what: "corrected and withdrawn figures of a source and year",
    description: "Figures that were corrected or withdrawn. There is a file only where there are any.",
  },
  {
    id: "Held",
    folder: "held",
    partitions: {},
    currentFile: "held.parquet",
    what: "figures held back",
    description: "Figures held back as implausible. There is a file only while there are any.",
  },
  {
    id: "Intraday",
    folder: "intraday",
    partitions: DAY,
    currentFile: "quotes.parquet",
    what: "quotes of a day",
    description:
      "Every accepted live quote observed on a UTC day, as it was delivered, ordered by base, quote, observation, retrieval and feed.",
  },
  {
    id: "OfficialFile",
    folder: "official",
    partitions: TABLE,
    currentFile: "publications.parquet",
    what: "publications of an official table",
    description: "Every row of every version of every publication.",
  },
];

/** Returns a file's oldest day by the year or date in its name; without either, the start of coverage. */
function firstDayIn(name: string): Day {
  const date = /date=(\d{4}-\d{2}-\d{2})/.exec(name)?.[1];
  const year = /year=(\d{4})/.exec(name)?.[1];
  const first = parseDay(date ?? (year === undefined ? "" : `${year}-01-01`)) ?? COVERAGE_START;
  // Coverage begins after 1 January of its first year.
  return Math.max(first, COVERAGE_START) as Day;
}

/** Fails with `forbidden` for a day of quotes that ends after `until`: a file is sent whole, with its newest quotes. */
function refuseTooNew(name: string, until: Instant | null): void {
  const day = parseDay(/^(?:current\/)?intraday\/date=([\d-]{10})\//.exec(name)?.[1] ?? "");
  if (until === null || day === null || (day + 1) * MILLISECONDS_PER_DAY <= until) return;
  throw new Failure("forbidden", {
    reason:
      "this file has quotes that are newer than your plan shows: request it after the end of its day, or request bars with interval",
  });
}

const NAMED =
  "The file under this name never changes: what was read of it by ranges belongs together. One that was replaced stays for a day at the least.";
const NEWEST =
  "The newest file of the partition, replaced as a whole with a commit; its `ETag` is its SHA-256.";

const OK: OkResponse = {
  description: "A Parquet file, or with `Range` a part of it.",
  ranged: true,
  headers: { "Accept-Ranges": ["Ranges may be requested.", "bytes"], ...digest },
  mime: "application/vnd.apache.parquet",
  schema: Type.String({ description: "A Parquet file.", format: "binary" }),
};

const ERRORS = ["not_found", "data_unavailable"] as const;

const HEADERS: Readonly<Record<string, Omit<Parameter, "parse">>> = {
  "If-Match": ifMatch,
  Range: {
    schema: Type.String({ pattern: "^bytes=(\\d{1,15}-\\d{0,15}|-\\d{1,15})$" }),
    description:
      "One range of bytes, also counted from the end. Several at once, and what is no range, are ignored: the whole file comes.",
    example: "bytes=0-3",
    inSampleCall: false,
  },
  "If-Range": {
    ...TAG,
    description: "`ETag` of the version that `Range` is meant for; of another one the whole file comes.",
  },
};

interface FileDeps extends LakeRouteDeps {
  readonly clock: Clock;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
}

/** Makes two routes per table: names in the manifests, and fixed names. */
export const files = ({ house, ...deps }: FileDeps) => {
  const app = new Elysia({ name: "lake-files" }).use(house);
  const send = (request: Request, name: string, caller: Charge) => {
    // Publications have no limit of age, as in /v1/official: plans limit the history of rates.
    if (!/^(?:current\/)?official\//.test(name)) caller.reach(firstDayIn(name));
    refuseTooNew(name, publishedUntil(deps.clock.now(), caller.delayMinutes));
    return sendFile(deps, request, name);
  };
  for (const { id, folder, partitions, currentFile, what, description } of TABLES) {
    const below = [folder, ...Object.keys(partitions).map((name) => `:${name}`)].join("/");
    const route = <P extends Readonly<Record<string, Parameter<string>>>>(
      params: P,
      said: Pick<Words, "id" | "summary" | "description">,
    ) =>
      operation({
        metered: { isLarge: true } as const,
        params: path(params),
        tag: "Lake",
        ok: OK,
        conditional: true,
        headers: HEADERS,
        errors: folder === "official" ? ERRORS : ["plan_gated", ...ERRORS],
        ...said,
      });
    app
      .get(
        `/v1/lake/${below}/:file`,
        async ({ request, params, caller }) =>
          await send(request, [folder, ...Object.values(params)].join("/"), caller),
        route(
          { ...partitions, file },
          { id: `getLake${id}`, summary: `The ${what}`, description: `${description} ${NAMED}` },
        ),
      )
      .get(
        `/v1/lake/current/${below}/${currentFile}`,
        async ({ request, params, caller }) =>
          await send(request, ["current", folder, ...Object.values(params), currentFile].join("/"), caller),
        route(partitions, {
          id: `getLakeCurrent${id}`,
          summary: `The newest ${what}`,
          description: `${description} ${NEWEST}`,
        }),
      );
  }
  return app;
};

/** A data file never changes under its own name; the target of a fixed name does. */
const IMMUTABLE = "private, max-age=86400, immutable, no-transform";

/** Fails with `not_found` for a name outside the manifests. */
async function sendFile(
  deps: Omit<FileDeps, "house" | "clock">,
  request: Request,
  name: string,
): Promise<Response> {
  const file = await deps.lakeFiles.open(name);
  if (file === null) throw new Failure("not_found");
  const { etag, headers, ...identity } = identityOf(file.sha256);
  const about = {
    ...identity,
    etag,
    headers: { ...headers, "Accept-Ranges": "bytes" },
    mime: "application/vnd.apache.parquet",
    cacheControl: name.startsWith("current/") ? REVALIDATED : IMMUTABLE,
  };
  return await respond(request, deps, about, async () => {
    const size = file.bytes;
    const part = deps.reads.partOf(request, etag, size);
    if (isHead(request)) return { body: null, bytes: size };
    if (part === "whole" && size > IN_MEMORY_BYTES)
      return { body: wholeFile(request, Bun.file(file.path)), bytes: size };
    const sent = await bodyOf(deps.large, request, file, part === "whole" ? { start: 0, end: size } : part);
    return part === "whole" ? { body: sent, bytes: size } : partPayload(sent, part, size, {});
  });
}

/** Larger files are sent from the disk, in bounded memory for any reader. */
const IN_MEMORY_BYTES = 256 * 1024;

async function bodyOf(large: LargeBodies, request: Request, file: LakeFile, part: Part): Promise<BodyInit> {
  const { start, end } = part;
  const sent = Bun.file(file.path).slice(start, end);
  return end - start > IN_MEMORY_BYTES ? sent : large.own(request, await sent.bytes());
}
