/** The operations of the document: what the application's routes say of themselves. */

import type { AnyElysia } from "elysia";
import type { Parameter, ParameterSchema } from "#api/parameters.ts";
import type { Parameter as Described, Operation } from "#contract/operation.ts";
import { WORDS, type Words } from "./words.ts";

type Routes = AnyElysia["routes"];

/** What the dashboard calls is below it, and has a document of its own. */
export const DASHBOARD_API = "/dashboard/api";

/** The operations of the public interface; `others` are of routes that do not describe themselves. */
export function operationsOf(routes: Routes, others: readonly Operation[]): readonly Operation[] {
  return described(routes, others, (path) => !path.startsWith(`${DASHBOARD_API}/`));
}

/** The same for what the dashboard calls. */
export function dashboardOperationsOf(routes: Routes, others: readonly Operation[]): readonly Operation[] {
  return described(routes, others, (path) => path.startsWith(`${DASHBOARD_API}/`));
}

/** In the order in which the routes were registered. */
function described(routes: Routes, others: readonly Operation[], isPart: (path: string) => boolean) {
  const own = routes.flatMap((route) => {
    const words = route.hooks.detail?.[WORDS] as Words | undefined;
    return words === undefined || !isPart(route.path) ? [] : [operationOf(route, words)];
  });
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...others.filter(({ id }) => !ids.has(id))];
}

function operationOf({ method, path, hooks }: Routes[number], words: Words): Operation {
  const { body, headers = {}, ...rest } = words;
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
    ...(body === undefined ? {} : { body: { ...body, schema: schemaOf(hooks.body) } }),
  };
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
