/** The description of one operation as data. The OpenAPI document and the contract tests are derived from it. */

import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "#domain/faults/errors.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  /** Of the text as sent: numbers in a path or query are described by the form of their text. */
  readonly schema: TSchema;
  readonly description: string;
  /** Absent only where no value could work for every reader, such as a cursor. */
  readonly example?: string | number;
  /** False leaves it out of the sample call on the documentation page; readers can switch it on. */
  readonly inSampleCall?: false;
}

export interface ResponseHeader {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

export interface OkResponse {
  /** 200 by default. A redirect has no body. */
  readonly status?: 201 | 202 | 302;
  readonly description: string;
  /** By default application/json. */
  readonly mime?: string;
  readonly schema: TSchema;
  /** Where the schema's own, composed of its members' examples, does not fit. */
  readonly example?: unknown;
  /** Other representations of the same answer. */
  readonly otherTypes?: readonly {
    readonly mime: string;
    readonly description: string;
    readonly example?: string;
  }[];
  /** In addition to the headers of every answer. */
  readonly headers?: readonly ResponseHeader[];
  /** True when the answer has an ETag, so that If-None-Match can be answered with 304. */
  readonly conditional?: boolean;
  /** Range can request a part of it, answered with 206; "beside JSON" of its other types alone, which is said of the 200. */
  readonly ranged?: true | "beside JSON";
  /** Statuses besides it that carry the same body, or one of their own, with what they mean. */
  readonly alsoAs?: Readonly<Record<number, string | Pick<OkResponse, "description" | "schema" | "example">>>;
}

/** Refusals in the form of another service: in place of ours where a status has both. */
export interface ForeignRefusals {
  readonly schema: TSchema;
  readonly byStatus: Readonly<Record<number, { readonly description: string; readonly example: unknown }>>;
}

export interface Operation {
  /** operationId: unique, camel case. */
  readonly id: string;
  /** A "get" answers HEAD too. */
  readonly method: "get" | "post" | "delete";
  /** OpenAPI style: "/v1/latest/{path_base}". */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** None by default. */
  readonly parameters?: readonly Parameter[];
  readonly body?: {
    readonly schema: TSchema;
    readonly example?: unknown;
    readonly description: string;
    /** True where the request may come without one. */
    readonly optional?: true;
  };
  /** How the caller is identified: any one of these. Absent: an API key, or none. */
  readonly security?: readonly SecurityScheme[];
  readonly ok: OkResponse;
  /** What this operation itself can refuse with; EVERYWHERE comes on top. */
  readonly errors: readonly ErrorCode[];
  readonly foreign?: ForeignRefusals;
}

/** By their names in the document. */
export const SECURITY_SCHEMES = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key: `Authorization: Bearer fxk_…`. Data endpoints answer without one, within the limits of an address; account endpoints are not opened by it.",
  },
  session: {
    type: "http",
    scheme: "bearer",
    description:
      "A session: `Authorization: Bearer fxs_…` as signing in gives it, or a JWT of the identity provider that this server trusts.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-crossrate_session",
    description:
      "The same session in a browser: set by signing in. Whatever changes something by cookie has to come from this server's own pages, by its `Origin`. On plain HTTP, on loopback only, the cookie's name is `crossrate_session`.",
  },
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description:
      "Stripe's signature of the body, `t=<unix seconds>,v1=<hex>`, made with the signing secret of the webhook endpoint.",
  },
} as const;

export type SecurityScheme = keyof typeof SECURITY_SCHEMES;

/** A person who signed in, by token or by cookie. */
export const BY_SESSION: readonly SecurityScheme[] = ["session", "sessionCookie"];

export const TAGS = {
  Rates: "The newest rates, the rates of a past day, and single pairs.",
  Stream: "The newest rates, and every change of them as it comes, over one connection.",
  Conversion: "Amounts from one currency into another, one by one or in a batch.",
  Series: "Time series of daily rates, weeks, months, bars and quotes, as JSON pages or as one file.",
  Lake: "Every figure as published, as Parquet files that DuckDB, Polars, pandas and others open by their address.",
  Official:
    "Rates that authorities publish under their own name, for customs, tax and contracts: every publication in every version, and what has changed.",
  Catalog: "What is covered.",
  Account:
    "The caller's own organization: its key, its plan, what it has used, and its end. For a person who is signed in; API keys do not open these.",
  Webhooks:
    "Webhook endpoints of an organization, in the dashboard's own document, `/dashboard/api/openapi.json`.",
  Billing: "Buying a plan, and the events of the payment provider. Where no plans are sold these answer 501.",
  "Sign-in":
    "Opening an account, sessions, passwords. Only where the installation has accounts; API keys do not open these.",
  Compatibility:
    "The same rates in the shapes of Frankfurter (v1, v2) and Open Exchange Rates, for clients that change their base URL only. Where a rate comes from is in headers. Frankfurter's v2 is at `/v2` too, described at `/v2/openapi.json`.",
  Service: "Probes and the description of this interface.",
} as const;

export type Tag = keyof typeof TAGS;

/** Refusals that any operation can answer with. */
const EVERYWHERE = [
  "method_not_allowed",
  "uri_too_long",
  "misdirected_request",
  "internal_error",
] as const satisfies readonly ErrorCode[];

/** Tags whose operations are admitted: they count against limits, and may need a plan. */
const METERED_TAGS: ReadonlySet<Tag> = new Set([
  "Rates",
  "Stream",
  "Conversion",
  "Series",
  "Lake",
  "Official",
  "Catalog",
]);

const METERED = [
  "invalid_api_key",
  "forbidden",
  "rate_limited",
  "ip_rate_limited",
  "quota_exceeded",
  "auth_unavailable",
  "quota_unavailable",
] as const satisfies readonly ErrorCode[];

export function isMetered({ tag }: Pick<Operation, "tag">): boolean {
  return METERED_TAGS.has(tag);
}

/** Everything that an operation can refuse with, each once. */
export function refusalsOf(operation: Operation): readonly ErrorCode[] {
  const own = isMetered(operation) ? [...operation.errors, ...METERED] : operation.errors;
  return [...new Set([...own, ...EVERYWHERE])];
}
