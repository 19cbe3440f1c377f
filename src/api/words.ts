/** What the document says of a route beside its schemas: `detail` of every route that is described. */

import type { DocumentDecoration } from "elysia";
import type { ErrorCode } from "#domain/faults/errors.ts";
import type { ForeignRefusals, OkResponse, SecurityScheme, Tag } from "./operation.ts";
import type { Parameter } from "./parameters.ts";

export interface Words {
  /** operationId: unique, camel case. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Of the body, where the route takes one. Its schema composes the example, unless one is stated here. */
  readonly body?: { readonly example?: unknown; readonly description: string; readonly optional?: true };
  /** Request headers that mean something here, by name; the handler reads them itself. */
  readonly headers?: Readonly<Record<string, Omit<Parameter, "parse">>>;
  /** How the caller is identified: any one of these. Absent: an API key, or none. */
  readonly security?: readonly SecurityScheme[];
  readonly ok: OkResponse;
  /** What this route itself can refuse with; those of every route come on top. */
  readonly errors: readonly ErrorCode[];
  readonly foreign?: ForeignRefusals;
}

/** Member of `detail`; the document's own form is made of it. */
export const WORDS = "x-words";

export function words(of: Words): DocumentDecoration {
  const { id, tag, summary, description } = of;
  return { operationId: id, tags: [tag], summary, description, [WORDS]: of } as DocumentDecoration;
}
