/** What the document says of a route beside its schemas; `detail` of every described route holds it. */

import type { TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { ErrorCode } from "#domain/faults/errors.ts";
import type { Described } from "./parameters.ts";

/** Headers of an answer by name. */
export type ResponseHeaders = Readonly<Record<string, readonly [description: string, example: string]>>;

export interface OtherType {
  readonly mime: string;
  readonly description: string;
  readonly example?: string;
}

export interface OkResponse {
  /** 200 by default. A redirect has no body. */
  readonly status?: 201 | 202 | 302;
  /** The schema's description by default. */
  readonly description?: string;
  /** application/json by default. */
  readonly mime?: string;
  readonly schema: TSchema;
  /** Replaces the example composed from the schema's members. */
  readonly example?: unknown;
  readonly otherTypes?: readonly OtherType[];
  /** In addition to the headers of every answer. */
  readonly headers?: ResponseHeaders;
  /** True: Range gets a part, as 206. "beside JSON": only parts of the other types, described with the 200. */
  readonly ranged?: true | "beside JSON";
  /** Further statuses: a description for the same body, or a body of their own. */
  readonly alsoAs?: Readonly<Record<number, string | Pick<OkResponse, "description" | "schema" | "example">>>;
}

/** Refusals in the form of another service; they replace ours with the same status. */
export interface ForeignRefusals {
  readonly schema: TSchema;
  readonly byStatus: Readonly<Record<number, { readonly description: string; readonly example: unknown }>>;
}

export interface Words {
  /** operationId: unique, camel case. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Request headers that matter here, by name; the handler reads them itself. */
  readonly headers?: Readonly<Record<string, Described>>;
  /** Ways to identify the caller, any one of them. Absent means an API key, or no credentials. */
  readonly security?: readonly SecurityScheme[];
  /** A schema alone, where nothing else is to be said. */
  readonly ok: OkResponse | TSchema;
  /** True when the answer has an ETag: If-None-Match can get 304. By default where the route has a `reply` with a lifetime. */
  readonly conditional?: boolean;
  /** Refusals of this route alone. Those of its parameters, body and ranges, and of every route, are added. */
  readonly errors?: readonly ErrorCode[];
  readonly foreign?: ForeignRefusals;
}

export const NO_LATEST_RATE = ["no_data_for_date", "data_unavailable", "live_unavailable"] as const;
export const NO_PAST_RATE = ["plan_gated", "no_data_for_date", "data_unavailable"] as const;

/** Key of `Words` in `detail`. */
export const WORDS = "x-words";

export function words(of: Words): DocumentDecoration {
  return { [WORDS]: of } as DocumentDecoration;
}

type OwnOption =
  | ("metered" | "reply" | "wire" | "accounts" | "session" | "compatible")
  | ("params" | "query" | "body" | "parse" | "transform");

/** Allows the names of words, and of options that Elysia and the plugins take. Any other name is a type error. */
export type Known<Options> = Readonly<Record<Exclude<keyof Options, keyof Words | OwnOption>, never>>;

/** Makes the options of a route that the document has: its own and its words, side by side. */
export function operation<const Options extends Words>(options: Options & Known<Options>) {
  return withWords<Options>(options);
}

/** The same without a check of the names. */
export function withWords<const Options extends Words & { readonly reply?: unknown }>(options: Options) {
  const { id, tag, summary, description, headers, security, ok, conditional, errors, foreign, ...own } =
    options;
  return { ...own, detail: words({ conditional: typeof options.reply === "object", ...options }) };
}

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
