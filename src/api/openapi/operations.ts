/** The operations of the documents, made from the words of the application's routes. */

import { Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { exampleOf } from "#api/forms.ts";
import type { Described } from "#api/parameters.ts";
import type { Wire } from "#api/plugins/wire.ts";
import type { DescribedBody } from "#api/request/body.ts";
import { type OkResponse, WORDS, type Words } from "#api/words.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";

type Routes = AnyElysia["routes"];

export interface Operation extends Omit<Words, "headers" | "ok" | "errors" | "security" | "foreign"> {
  readonly security?: Words["security"] | undefined;
  readonly foreign?: Words["foreign"] | undefined;
  readonly ok: OkResponse & { readonly description: string };
  /** A "get" answers HEAD too. */
  readonly method: "get" | "post" | "delete";
  /** In OpenAPI style: "/v1/latest/{path_base}". */
  readonly path: string;
  readonly parameters: readonly ReturnType<typeof listed>[number][];
  readonly body?: (DescribedBody & { description: string; example: unknown }) | undefined;
  readonly isMetered: boolean;
  readonly refusals: readonly ErrorCode[];
}

/** The prefix of the dashboard's API, which has a document of its own. */
export const DASHBOARD_API = "/dashboard/api";

const EVERYWHERE: readonly ErrorCode[] = [
  "method_not_allowed",
  "uri_too_long",
  "misdirected_request",
  "internal_error",
];

const METERED: readonly ErrorCode[] = [
  "invalid_api_key",
  "forbidden",
  "rate_limited",
  "ip_rate_limited",
  "quota_exceeded",
  "auth_unavailable",
  "quota_unavailable",
];

/** The public document names this page, which is no route here. */
const DOCS: Operation = {
  id: "getDocs",
  method: "get",
  path: "/docs",
  tag: "Service",
  summary: "Documentation pages",
  description:
    "The guides as pages for people; the reference is at `/docs/reference`, the search at `/search`.",
  parameters: [],
  ok: {
    description: "A page.",
    mime: "text/html",
    schema: Type.String({ description: "HTML." }),
  },
  conditional: true,
  isMetered: false,
  refusals: EVERYWHERE,
};

/** Leaves out Frankfurter's version 2 at the root: the document has the same below its prefix. */
export function operationsOf(routes: Routes): readonly Operation[] {
  const isPublic = (path: string) => !path.startsWith(`${DASHBOARD_API}/`) && !path.startsWith("/v2/");
  return [...described(routes, isPublic), DOCS];
}

export interface ReferenceDeps {
  readonly table: () => Routes;
}

let referenced: readonly Operation[] | null = null;

/** Returns the operations for pages. Made once: they are the same for every server of this version. */
export function referenceOperations({ table }: ReferenceDeps): readonly Operation[] {
  referenced ??= operationsOf(table());
  return referenced;
}

export function dashboardOperationsOf(routes: Routes): readonly Operation[] {
  return described(routes, (path) => path.startsWith(`${DASHBOARD_API}/`));
}

function described(routes: Routes, isPart: (path: string) => boolean) {
  return routes.flatMap((route) => {
    const words = route.hooks.detail?.[WORDS] as Words | undefined;
    return words === undefined || !isPart(route.path) ? [] : [operationOf(route, words)];
  });
}

interface Hooks {
  readonly params?: { readonly parameters: Readonly<Record<string, Described>> };
  readonly query?: {
    readonly parameters: Readonly<Record<string, Described>>;
    readonly refusals?: readonly ErrorCode[];
  };
  readonly body?: DescribedBody;
  readonly wire?: Wire;
}

const OF_PARTS: readonly ErrorCode[] = ["precondition_failed", "range_not_satisfiable"];

function operationOf({ method, path, hooks }: Routes[number], words: Words): Operation {
  const { id, tag, summary, description, security, headers = {}, errors = [], foreign } = words;
  const ok = okOf(words);
  const { params, query, body, wire }: Hooks = hooks;
  // Routes of an imitated service describe neither our limits nor our refusals.
  const isMetered = wire?.isMetered === true && wire.dialect === undefined;
  const isForeign = foreign !== undefined;
  const read = Object.values({ ...params?.parameters, ...query?.parameters });
  return {
    ...{ id, tag, summary, description, security, foreign, ok, conditional: words.conditional ?? false },
    method: method.toLowerCase() as Operation["method"],
    path: path.replace(/:(\w+)/g, "{$1}"),
    parameters: [
      ...listed("path", params?.parameters ?? {}),
      ...listed("query", query?.parameters ?? {}),
      ...listed("header", headers),
    ],
    body: body && {
      ...{ ...body, description: body.schema.description ?? "" },
      example: exampleOf(body.schema, "request"),
    },
    isMetered,
    refusals: [
      ...new Set([
        ...errors,
        ...(isForeign ? [] : [...read, query].flatMap((one) => one?.refusals ?? [])),
        ...(ok.ranged !== undefined && !isForeign ? OF_PARTS : []),
        ...(body?.refusals ?? []),
        ...(isMetered ? METERED : []),
        ...EVERYWHERE,
      ]),
    ],
  };
}

/** Completes what the words leave to the schema. */
function okOf({ ok }: Words): Operation["ok"] {
  const said = "schema" in ok ? (ok as OkResponse) : { schema: ok };
  const { schema } = said;
  return { description: schema.description ?? "", example: exampleOf(schema, "answer"), ...said };
}

function listed(place: "path" | "query" | "header", parameters: Readonly<Record<string, Described>>) {
  return Object.entries(parameters).map(([name, { isRequired, refusals: _, ...parameter }]) => ({
    ...parameter,
    // The router takes the ending of a segment into the parameter's name: ":date.json".
    name: name.replace(/\.\w+$/, ""),
    in: place,
    required: place === "path" || isRequired === true,
  }));
}
