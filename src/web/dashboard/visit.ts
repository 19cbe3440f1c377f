/** The input of a dashboard page, the results of its forms, and the checks of all pages. */

import type { SessionCaller } from "#accounts/identity/session-caller.ts";
import type { AccountRouteDeps } from "#api/account/model.ts";
import type { AuthDeps } from "#api/auth/model.ts";
import type { BillingRouteDeps } from "#api/billing/checkout.ts";
import type { WebhookRouteDeps } from "#api/webhooks/endpoints.ts";
import { Failure, type ValidationIssue } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import type { Site } from "#web/shared/page.tsx";
import type { Personal, Said } from "./frame.tsx";
import type { NoticeCode, Refusal } from "./words.ts";

/** What the dashboard of an installation with accounts needs. */
export interface DashboardDeps {
  readonly identity: AuthDeps;
  readonly account: AccountRouteDeps;
  readonly billing: BillingRouteDeps;
  readonly webhooks: WebhookRouteDeps;
  /** Who sends a request, as limits count callers. */
  readonly callerOf: (request: Request) => string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly simulated: boolean;
}

/** Segments of the path. */
export type Params = Readonly<Record<string, string>>;

/** A request for a page, with what the form before it came to. */
export interface Visit {
  readonly request: Request;
  readonly params: Params;
  readonly site: Site;
  readonly said: Said;
}

/** The same of a person who is signed in. */
export interface PersonalVisit extends Visit {
  readonly caller: SessionCaller;
}

/** What becomes of a form: on to a page of this site with a message, or a page at once. */
export type Done =
  | { readonly to: string; readonly notice?: NoticeCode; readonly cookies?: readonly string[] }
  | {
      readonly html: string;
      readonly status?: 200 | 201;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A page, or where to go in its place. */
export type View<V> = (visit: V) => Promise<string | { readonly to: string }>;
export type Act<V> = (form: URLSearchParams, visit: V) => Promise<Done>;

export const SIGN_IN = "/dashboard/sign-in";

/** What every page of a person shows of them. */
export function personal({ site, caller, said }: PersonalVisit): Personal {
  return { site, email: caller.identity.email, said };
}

export function refusalOf(failure: Failure): Refusal {
  const issues = failure.details.members?.["errors"];
  return {
    code: failure.code,
    message: failure.message,
    retryAfterSeconds: failure.retryAfterSeconds ?? null,
    issues: Array.isArray(issues) ? (issues as readonly ValidationIssue[]) : [],
  };
}

/** Passwords are typed again. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["password", "current", "new"]);

/** What was typed, for the form that is shown again. */
export function typedIn(form: URLSearchParams): Said["typed"] {
  return (name) => (SECRET_FIELDS.has(name) ? "" : (form.get(name) ?? ""));
}

/** Failure `validation_error` where the box of a form that cannot be undone is not ticked. */
export function requireConfirmed(form: URLSearchParams): void {
  if (form.get("confirm") === "yes") return;
  throw notConfirmed("tick the box to confirm");
}

export function notConfirmed(message: string): Failure {
  return new Failure("validation_error", { members: { errors: [{ path: "/confirm", message }] } });
}

const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]{0,500}$/;

/** The page to go on to, where it is a path of this site; else null. */
export function nextPage(next: string | null): string | null {
  return next !== null && OWN_PATH.test(next) && !next.includes("\\") ? next : null;
}
