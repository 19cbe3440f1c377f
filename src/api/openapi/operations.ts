/** The operations of the document: what the application's routes say of themselves. */

import { Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import type { Parameter as Described, Operation } from "#api/operation.ts";
import type { Parameter, ParameterSchema } from "#api/parameters.ts";
import { WORDS, type Words } from "#api/words.ts";
import { exampleOf } from "./components.ts";

type Routes = AnyElysia["routes"];

/** What the dashboard calls is below it, and has a document of its own. */
export const DASHBOARD_API = "/dashboard/api";

/** A page, which is no part of these routes, that the public document names. */
const DOCS: Operation = {
  id: "getDocs",
  method: "get",
  path: "/docs",
  tag: "Service",
  summary: "Documentation pages",
  description:
    "The guides as pages for people; the reference is at `/docs/reference`. With `q` it is what was found in them: a page without an ETag that counts as a call.",
  ok: {
    description: "A page.",
    mime: "text/html",
    schema: Type.String({ description: "HTML." }),
    conditional: true,
  },
  errors: [],
};

/** The operations of the public interface. */
export function operationsOf(routes: Routes): readonly Operation[] {
  return [...described(routes, (path) => !path.startsWith(`${DASHBOARD_API}/`)), DOCS];
}

/** The same for what the dashboard calls. */
export function dashboardOperationsOf(routes: Routes): readonly Operation[] {
  return described(routes, (path) => path.startsWith(`${DASHBOARD_API}/`));
}

/** In the order in which the routes were registered. */
function described(routes: Routes, isPart: (path: string) => boolean) {
  return routes.flatMap((route) => {
    const words = route.hooks.detail?.[WORDS] as Words | undefined;
    return words === undefined || !isPart(route.path) ? [] : [operationOf(route, words)];
  });
}

function operationOf({ method, path, hooks }: Routes[number], words: Words): Operation {
  const { body, headers = {}, ok, ...rest } = words;
  const parameters = [
    ...listed("path", (hooks.params as Schema)?.parameters ?? {}).map(beforeEnding),
    ...listed("query", (hooks.query as Schema)?.parameters ?? {}),
    ...listed("header", headers),
  ];
  return {
    ...rest,
    method: method.toLowerCase() as Operation["method"],
    path: path.replace(/:(\w+)/g, "{$1}"),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { body: withExample({ ...body, schema: schemaOf(hooks.body) }, "request") }),
    ok: withExample(ok, "answer"),
  };
}

/** With the example that its schema composes, where it states no other. */
function withExample<T extends { readonly schema: object; readonly example?: unknown }>(
  described: T,
  of: "request" | "answer",
): T {
  const example = described.example ?? exampleOf(described.schema, of);
  return example === undefined ? described : { ...described, example };
}

/** The router takes what is behind a parameter in its segment as a part of the name: ":date.json". */
function beforeEnding(parameter: Described): Described {
  return { ...parameter, name: parameter.name.replace(/\.\w+$/, "") };
}

type Schema = Pick<ParameterSchema<Readonly<Record<string, Parameter>>>, "parameters"> | undefined;

function schemaOf(body: unknown): NonNullable<Operation["body"]>["schema"] {
  return (body as { readonly schema?: never }).schema ?? (body as never);
}

function listed(
  place: Described["in"],
  parameters: Readonly<Record<string, Omit<Parameter, "parse">>>,
): readonly Described[] {
  return Object.entries(parameters).map(
    ([name, { schema, description, example, inSampleCall, isRequired }]) => ({
      name,
      in: place,
      required: place === "path" || isRequired === true,
      schema,
      description,
      ...(example === undefined ? {} : { example }),
      ...(inSampleCall === undefined ? {} : { inSampleCall }),
    }),
  );
}
