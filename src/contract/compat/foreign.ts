/** Parts of all compatible operations: provenance headers, parameters, and refusals in the form of the other service. */

import { type TSchema, Type } from "@sinclair/typebox";
import * as form from "#contract/forms.ts";
import type { ForeignRefusals, OkResponse, Parameter, ResponseHeader } from "#contract/operation.ts";

const PROVENANCE: readonly ResponseHeader[] = [
  {
    name: "X-Source",
    description:
      "The least fresh contributing source, as `source` of the rate answers; absent without a rate.",
    example: "ecb_daily",
  },
  {
    name: "X-Data-Updated-At",
    description: "Time of the oldest contributing observation, UTC; absent without a rate.",
    example: "2026-04-13T12:15:00Z",
  },
];

const UNAVAILABLE: ResponseHeader = {
  name: "X-Unavailable-Symbols",
  description:
    "Requested currencies that are not in the catalog and so not in the body; absent where there are none.",
  example: "AED,XAU",
};

/** A foreign body with our provenance beside it. */
export function foreignOk(
  description: string,
  schema: TSchema,
  example: unknown,
  extra: { readonly leavesOut?: boolean } & Partial<OkResponse> = {},
): OkResponse {
  const { leavesOut = false, ...rest } = extra;
  const headers = leavesOut ? [...PROVENANCE, UNAVAILABLE] : PROVENANCE;
  return { description, schema, example, headers, conditional: true, ...rest };
}

export function queryParameter(
  name: string,
  description: string,
  example: string,
  schema: TSchema = Type.String(),
  inSampleCall?: false,
): Parameter {
  const parameter = { name, in: "query", required: false, schema, description, example } as const;
  return inSampleCall === false ? { ...parameter, inSampleCall } : parameter;
}

export const dayText = Type.String({ format: "date", pattern: form.DAY_PATTERN });

const MEANINGS: Readonly<Record<number, string>> = {
  400: "The request cannot be served as it is; `message` is a code, `description` gives the reason.",
  403: "This server has no such data.",
  404: "There is no such resource, or no rate.",
  412: "`If-Match` names another version.",
  416: "`Range` begins after the end of the file.",
  422: "The request cannot be understood; `message` gives the reason.",
  500: "A fault of this server; nothing is wrong with the request.",
  503: "No rates have been collected yet; `Retry-After` is when to try again.",
};

/** Refusals of some statuses, each with an example in the service's form. */
export function foreignRefusals(
  schema: TSchema,
  examples: Readonly<Record<number, unknown>>,
): ForeignRefusals {
  const byStatus = Object.entries(examples).map(([status, example]) => [
    status,
    { description: MEANINGS[Number(status)] ?? "", example },
  ]);
  return { schema, byStatus: Object.fromEntries(byStatus) };
}

/** The same without statuses that an operation never answers with. */
export function without({ schema, byStatus }: ForeignRefusals, ...statuses: number[]): ForeignRefusals {
  const left = Object.entries(byStatus).filter(([status]) => !statuses.includes(Number(status)));
  return { schema, byStatus: Object.fromEntries(left) };
}

/** The refusals of callers: operations without limits have none of them. */
export const CALLER = [401, 403, 429] as const;
