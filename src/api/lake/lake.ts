/** GET /v1/lake/… and /.well-known/crossrate.json: the lake's manifests, files and signed history, and views for DuckDB. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { createStaticBody, type StaticDeps } from "#api/response/static-body.ts";
import { operation } from "#api/words.ts";
import { LAKE_VIEWS } from "#guides/pages.ts";
import { chain } from "./chain.ts";
import { files } from "./files.ts";
import { manifests } from "./manifests.ts";
import { proof } from "./proof.ts";

type LakeDeps = Parameters<typeof manifests>[0] &
  Parameters<typeof files>[0] &
  Parameters<typeof chain>[0] &
  Parameters<typeof proof>[0] &
  StaticDeps;

export const lake = (deps: LakeDeps) =>
  new Elysia({ name: "lake" })
    .use(manifests(deps))
    .use(files(deps))
    .use(views(deps))
    .use(chain(deps))
    .use(proof(deps));

const VIEWS = {
  mime: "application/sql",
  cacheControl: "public, max-age=300, must-revalidate",
  load: () => LAKE_VIEWS,
};

const views = (deps: StaticDeps) => {
  const send = createStaticBody(VIEWS, deps);
  return new Elysia({ name: "lake-views" }).get(
    "/v1/lake/views.sql",
    async ({ request }) => await send(request),
    operation({
      id: "getLakeViews",
      tag: "Lake",
      summary: "Views for DuckDB",
      description:
        "Views and macros over the lake, on disk or by its address: current figures and all revisions, rates on any base, what was known at an instant, quotes, bars and official publications. Its first lines say how to use it.",
      conditional: true,
      ok: {
        description: "SQL for DuckDB 1.5 or newer.",
        mime: "application/sql",
        schema: Type.String({ description: "Statements to run once a session." }),
        example: "SET VARIABLE lake = 'http://localhost:3000/v1/lake';",
      },
    }),
  );
};
