/** The operator's pages: sign-in by the listener's token, then accounts, figures and the audit log. */

import type { Door } from "#admin/access.ts";
import { type AdminTools, formOf } from "#admin/request.ts";
import type { Random } from "#domain/account/key-format.ts";
import { withLedger } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import { redactTokens } from "#domain/net/redact.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import { roomPage, signInPage } from "#web/operator/frame.tsx";
import { ACCOUNT_FORMS, showAccount, showAccounts, showAudit } from "./accounts.ts";
import { FIGURE_FORMS, showFigures } from "./figures.ts";
import { document, nothing, openRoomAssets, seeOther } from "./respond.ts";
import { admitPage, openRoomSessions } from "./session.ts";

export interface RoomOptions {
  readonly tools: AdminTools;
  /** Null where the process holds no daily figures. */
  readonly figures: FigureReview | null;
  readonly door: Door;
  readonly port: number;
  readonly random: Random;
  /** Logs a fault that is no refusal; returns the id of its line. */
  readonly failed: (path: string, fault: unknown) => string;
}

export interface Room {
  /** Never rejects. */
  answer(request: Request): Promise<Response>;
}

const SIGN_IN = "/operator/sign-in";
/** Pages, and files that pages need. */
const OWN = /^\/(?:$|favicon\.ico$|(?:operator|site)(?:\/|$))/;
const PERSON = /^\/operator\/people\/(\w{1,64})(?:\/([a-z/-]+))?$/;
const FIGURES = /^\/operator\/figures\/([a-z-]+)$/;

export function openRoom({ tools, figures, door, port, random, failed }: RoomOptions): Room {
  const sessions = openRoomSessions(door, { port, clock: tools.clock, random });
  const asset = openRoomAssets();

  const show = async ({ pathname: path, searchParams: query }: URL): Promise<Response> => {
    if (path === "/operator") return await showAccounts(tools, query);
    if (path === "/operator/audit") return await showAudit(tools, query);
    if (path === "/operator/figures" && figures !== null)
      return await showFigures(figures, { done: query.get("done") });
    const [, id, more] = PERSON.exec(path) ?? [];
    if (id !== undefined && more === undefined)
      return await showAccount(tools, id, { done: query.get("done") });
    throw unknown(path);
  };
  const act = async (path: string, fields: URLSearchParams): Promise<Response> => {
    const [, id = "", form = ""] = PERSON.exec(path) ?? [];
    const onAccount = Object.hasOwn(ACCOUNT_FORMS, form) ? ACCOUNT_FORMS[form] : undefined;
    if (onAccount !== undefined) {
      return await onAccount(tools, id, fields).catch((thrown: unknown) =>
        refused(thrown, (refusal, status) => showAccount(tools, id, { refusal, status })),
      );
    }
    const [, decision = ""] = FIGURES.exec(path) ?? [];
    const onFigure = Object.hasOwn(FIGURE_FORMS, decision) ? FIGURE_FORMS[decision] : undefined;
    if (onFigure !== undefined && figures !== null) {
      return await onFigure(tools, figures, fields).catch((thrown: unknown) =>
        refused(thrown, (refusal, status) => showFigures(figures, { refusal, status })),
      );
    }
    throw unknown(path);
  };
  const signIn = async (request: Request): Promise<Response> => {
    try {
      return seeOther("/operator", sessions.begin((await formOf(request)).get("token") ?? ""));
    } catch (thrown) {
      return await refused(thrown, async (refusal, status) => document(signInPage(refusal), status));
    }
  };
  const respond = async (request: Request, url: URL | null): Promise<Response> => {
    admitPage(door, request);
    if (url === null || !OWN.test(url.pathname)) throw unknown(url?.pathname ?? "");
    const { pathname: path } = url;
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && path === "/favicon.ico") return nothing();
    if (isRead && path.startsWith("/site/")) return await asset(path.slice("/site/".length));
    if (isRead && path === "/") return seeOther("/operator");
    if (!isRead && request.method !== "POST")
      throw new Failure("method_not_allowed", { method: request.method, allow: "GET, POST" });
    if (path === SIGN_IN) return isRead ? document(signInPage(null)) : await signIn(request);
    if (!sessions.isSignedIn(request)) {
      return isRead ? seeOther(SIGN_IN) : document(signInPage("Your session has ended."), 401);
    }
    if (isRead) return await withLedger(() => show(url));
    if (path === "/operator/sign-out") return seeOther(SIGN_IN, sessions.end(request));
    const fields = await formOf(request);
    return await withLedger(() => act(path, fields));
  };
  return {
    answer: async (request) => {
      const url = URL.parse(request.url);
      try {
        return await respond(request, url);
      } catch (thrown) {
        const failure = thrown instanceof Failure ? thrown : new Failure("internal_error", {}, thrown);
        const answer = faultPage(failure);
        if (failure.code === "internal_error")
          answer.headers.set("X-Request-Id", failed(url?.pathname ?? "", failure.cause));
        return answer;
      }
    },
  };
}

/** The page of the form with the sentence of the refusal; other faults pass. */
async function refused(
  thrown: unknown,
  page: (refusal: string, status: number) => Promise<Response>,
): Promise<Response> {
  if (!(thrown instanceof Failure)) throw thrown;
  return await page(redactTokens(thrown.message), thrown.status);
}

function unknown(path: string): Failure {
  return new Failure("not_found", { wording: "no such page: {path}", path });
}

function faultPage({ status, message, details, retryAfterSeconds }: Failure): Response {
  const title = status === 404 ? "Not found" : "Refused";
  const refusal = redactTokens(message);
  const answer = document(roomPage({ title, section: null, refusal, children: null }), status);
  if (details.allow !== undefined) answer.headers.set("Allow", details.allow);
  if (retryAfterSeconds !== undefined) answer.headers.set("Retry-After", String(retryAfterSeconds));
  return answer;
}
