/** Answers pages of the dashboard: requires a session, accepts forms from this site only, and shows the refusal of a form on its page. */

import { publicFault, type SessionCaller, sessionCaller } from "#accounts/identity/sessions.ts";
import type { AccountRouteDeps } from "#api/account/account.ts";
import { type AuthDeps, withCookies } from "#api/auth/model.ts";
import type { BillingRouteDeps } from "#api/billing/billing.ts";
import { credentialsOf } from "#api/plugins/session.ts";
import { readForm } from "#api/request/body.ts";
import { pathOf } from "#api/response/failures.ts";
import { respondEmpty } from "#api/response/respond.ts";
import type { WebhookRouteDeps } from "#api/webhooks/endpoints.ts";
import { Failure, type ValidationIssue } from "#domain/faults/errors.ts";
import { isOwnPath } from "#domain/net/message.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import type { Frame } from "#web/frame.ts";
import type { Site } from "#web/shared/page.tsx";
import { NOTICES, type NoticeCode, type Refusal } from "./words.ts";

export interface DashboardDeps {
  readonly identity: AuthDeps;
  readonly account: AccountRouteDeps;
  readonly billing: BillingRouteDeps;
  readonly webhooks: WebhookRouteDeps;
  /** The caller of a request, as limits count callers. */
  readonly callerOf: (request: Request) => string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly simulated: boolean;
}

export type Params = Readonly<Record<string, string>>;

/** The result of the previous form. */
export interface Said {
  readonly notice: NoticeCode | null;
  readonly refusal: Refusal | null;
  /** What was typed into the refused form; never a password. */
  readonly typed: (name: string) => string;
  /** The boxes of this name that were ticked in it. */
  readonly ticked: (name: string) => readonly string[];
}

interface Context {
  readonly request: Request;
  readonly params: Params;
}

export interface Visit extends Context {
  readonly site: Site;
  readonly said: Said;
}

export interface PersonalVisit extends Visit {
  readonly caller: SessionCaller;
  /** Who changes something now, for the audit log. */
  readonly by: ReturnType<SessionCaller["by"]>;
}

/** The answer to a form: a redirect to a page of this site with a message, or a page. */
export type Done =
  | { readonly to: string; readonly notice?: NoticeCode; readonly cookies?: readonly string[] }
  | {
      readonly html: string;
      readonly status?: 200 | 201;
      readonly cookies?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A page as HTML, or a path to redirect to. */
export type View<V> = (visit: V) => Promise<string | { readonly to: string }>;
export type Act<V> = (form: URLSearchParams, visit: V) => Promise<Done>;

export const SIGN_IN = "/dashboard/sign-in";

function refusalOf(failure: Failure): Refusal {
  const issues = failure.details.members?.["errors"];
  return {
    code: failure.code,
    message: failure.message,
    retryAfterSeconds: failure.retryAfterSeconds ?? null,
    issues: Array.isArray(issues) ? (issues as readonly ValidationIssue[]) : [],
  };
}

/** Fields that a form never shows again. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["password", "current", "new"]);

/** Throws Failure `validation_error` unless the form's confirmation box is ticked. */
export function requireConfirmed(form: URLSearchParams): void {
  if (form.get("confirm") === "yes") return;
  throw notConfirmed("tick the box to confirm");
}

export function notConfirmed(message: string): Failure {
  return new Failure("validation_error", { members: { errors: [{ path: "/confirm", message }] } });
}

/** `next` if it is a path of this site, else null. */
export function nextPage(next: string | null): string | null {
  return next !== null && isOwnPath(next) ? next : null;
}

/** Browsers send the origin with forms, and no address to other sites. */
const HEADERS = { "Referrer-Policy": "same-origin" };
/** A message that no page has shown within this time is dropped. */
const NOTICE_SECONDS = 60;
const NOTHING: Said = { notice: null, refusal: null, typed: () => "", ticked: () => [] };

export type Dashboard = ReturnType<typeof openDashboard>;

/** Makes handlers: `view` for a GET, `form` for a POST. `ownView` and `ownForm` redirect to the sign-in without a live session. */
export function openDashboard(deps: DashboardDeps, frame: Frame) {
  const { identity } = deps;
  const { session, notice: noticeCookie } = identity.cookies;

  const send = (
    request: Request,
    html: string,
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ) => frame.page(request, html, { status, isPrivate: true, headers: { ...HEADERS, ...headers } });
  const goTo = (request: Request, to: string, cookies: readonly string[] = []) => {
    const fields = {
      status: 303,
      cacheControl: "no-store",
      exposed: null,
      headers: { ...HEADERS, Location: to },
    };
    return withCookies(respondEmpty(request, deps, fields), cookies);
  };
  const toSignIn = (request: Request, next: string) =>
    goTo(request, `${SIGN_IN}?next=${encodeURIComponent(next)}`);

  /** The message from the previous form, shown once; null without one. */
  const noticeOf = (request: Request): NoticeCode | null => {
    const name = noticeCookie.read(request.headers.get("cookie"));
    return name !== null && Object.hasOwn(NOTICES, name) ? (name as NoticeCode) : null;
  };
  const show = async <V extends Visit>(visit: V, view: View<V>): Promise<Response> => {
    const notice = noticeOf(visit.request);
    const shown = await view({ ...visit, said: { ...NOTHING, notice } });
    if (typeof shown !== "string") return goTo(visit.request, shown.to);
    const answer = send(visit.request, shown);
    return notice === null ? answer : withCookies(answer, [noticeCookie.clear()]);
  };
  const finish = (request: Request, done: Done): Response => {
    if ("html" in done)
      return withCookies(send(request, done.html, done.status, done.headers), done.cookies ?? []);
    const { to, notice, cookies = [] } = done;
    const noticeCookies = notice === undefined ? [] : [noticeCookie.set(notice, NOTICE_SECONDS)];
    return goTo(request, to, [...cookies, ...noticeCookies]);
  };
  const visitOf = async (request: Request, params: Params): Promise<Visit> => ({
    request,
    params,
    site: await frame.site(request),
    said: NOTHING,
  });
  const callerOf = async (request: Request): Promise<SessionCaller> => {
    // Pages are for browsers: a session counts by its cookie alone.
    return await sessionCaller(identity, { ...credentialsOf(request), authorization: null });
  };
  const personalVisitOf = async (request: Request, params: Params): Promise<PersonalVisit> => {
    const caller = await callerOf(request);
    return { ...(await visitOf(request, params)), caller, by: caller.by(deps.clock.now()) };
  };

  /** Runs a form. A refusal is shown on the form's page, with what was typed. */
  const acted = async <V extends Visit>(visit: V, view: View<V>, act: Act<V>): Promise<Response> => {
    const { request } = visit;
    if (!identity.cookies.isOwnOrigin(request.headers.get("origin"))) throw foreignPage(identity.publicUrl);
    let form = new URLSearchParams();
    try {
      form = await readForm(request);
      return finish(request, await act(form, visit));
    } catch (thrown) {
      const fault = publicFault(thrown);
      if (!(fault instanceof Failure) || fault.code === "session_required") throw fault;
      const typed = (name: string) => (SECRET_FIELDS.has(name) ? "" : (form.get(name) ?? ""));
      const ticked = (name: string) => form.getAll(name);
      const shown = await view({
        ...visit,
        said: { notice: null, refusal: refusalOf(fault), typed, ticked },
      });
      if (typeof shown !== "string") throw fault;
      const { retryAfterSeconds } = fault;
      const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
      return send(request, shown, fault.status, headers);
    }
  };

  const isSignedIn = async (request: Request): Promise<boolean> => {
    if (session.read(request.headers.get("cookie")) === null) return false;
    return await callerOf(request).then(
      () => true,
      (fault: unknown) => {
        if (fault instanceof Failure && fault.code !== "auth_unavailable") return false;
        throw fault;
      },
    );
  };
  return {
    isSignedIn,
    /** Whether the browser still has the cookie of a session, live or not. */
    hadSession: (request: Request) => session.read(request.headers.get("cookie")) !== null,
    /** A page that needs no session. */
    view:
      (view: View<Visit>) =>
      async ({ request, params }: Context) =>
        await show(await visitOf(request, params), view),
    /** A form that needs no session, on the page of `view`. */
    form:
      (view: View<Visit>, act: Act<Visit>) =>
      async ({ request, params }: Context) =>
        await acted(await visitOf(request, params), view, act),
    ownView:
      (view: View<PersonalVisit>) =>
      async ({ request, params }: Context) => {
        try {
          return await show(await personalVisitOf(request, params), view);
        } catch (fault) {
          if (!needsSession(fault)) throw fault;
          return toSignIn(request, pathOf(request.url) + new URL(request.url).search);
        }
      },
    /** A form for the person who is signed in, on the page of `view` at `page`. */
    ownForm:
      (
        { page, view }: { readonly page: (params: Params) => string; readonly view: View<PersonalVisit> },
        act: Act<PersonalVisit>,
      ) =>
      async ({ request, params }: Context) => {
        try {
          return await acted(await personalVisitOf(request, params), view, act);
        } catch (fault) {
          if (!needsSession(fault)) throw fault;
          const notice = noticeCookie.set("form_not_taken" satisfies NoticeCode, NOTICE_SECONDS);
          return withCookies(toSignIn(request, page(params)), [notice]);
        }
      },
  };
}

function needsSession(fault: unknown): boolean {
  return fault instanceof Failure && fault.code === "session_required";
}

/** Names the configured address: the browser may have opened this site under another one. */
function foreignPage(publicUrl: string): Failure {
  return new Failure("forbidden", {
    reason: `only forms of this site's own pages are accepted; open ${publicUrl}/dashboard and try again there`,
  });
}
