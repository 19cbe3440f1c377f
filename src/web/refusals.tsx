/** Refusals as pages: a browser gets a sentence and a link, a program the JSON envelope. */
/* @jsxImportSource preact */

import { pathOf, withFacts } from "#api/response/failures.ts";
import { typePreference } from "#api/response/negotiation.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { formatDay } from "#domain/time/day.ts";
import type { FirstCollection } from "#rates/status.ts";
import { asSentence, SENTENCES, waitText } from "./dashboard/words.ts";
import type { Frame } from "./frame.ts";
import { dateOf } from "./shared/figure.tsx";
import { CollectionSteps, firstCollectionTitle, reloadHeader } from "./shared/first-collection.tsx";
import { narrowPage } from "./shared/page.tsx";

/** Paths for programs: they get JSON whatever their Accept header says. */
const INTERFACES = /^\/(?:v1|v2|compat|site|dashboard\/api)(?:\/|$)/;
/** The only addresses below /v1 that people open by links. */
const SIGN_IN_ELSEWHERE = /^\/v1\/auth\/oidc\//;

const preference = typePreference([
  ["application/json", "json"],
  ["text/html", "html"],
]);

interface Envelope {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The returned function gives null when the refusal is for a program. `plain` is the refusal as JSON; the page says the same. */
export function refusalPages(frame: Frame, collecting: () => FirstCollection | null) {
  return (request: Request, plain: Response): Promise<Response> | null => {
    const path = pathOf(request.url);
    const isForProgram = INTERFACES.test(path) && !SIGN_IN_ELSEWHERE.test(path);
    const isJson = plain.headers.get("content-type") === "application/json";
    if (!isJson || isForProgram || preference(request.headers.get("accept")) !== "html") return null;
    return pageOf(frame, request, plain, collecting);
  };
}

async function pageOf(
  frame: Frame,
  request: Request,
  plain: Response,
  collecting: () => FirstCollection | null,
): Promise<Response> {
  const path = pathOf(request.url);
  const site = await frame.site(request);
  const { code, message } = (await plain.json()) as Envelope;
  const first = code === "data_unavailable" ? collecting() : null;
  const requestId = code === "internal_error" ? plain.headers.get("x-request-id") : null;
  const ways = [
    ...waysFrom(path, site.hasAccounts, first),
    { href: `/docs/errors#${code}`, text: "About this error" },
  ];
  const html = narrowPage({
    ...{ site, path: "/", description: "A page that could not be shown." },
    title: first === null ? titleOf(code, path) : firstCollectionTitle(first),
    children: (
      <>
        <p class="lead">{sentenceOf({ code, message }, plain.headers.get("retry-after"))}</p>
        {first !== null && <CollectionSteps {...first} />}
        {requestId !== null && (
          <p class="dim">
            Request id for the operator of this server: <code>{requestId}</code>
          </p>
        )}
        <ul class="plain-list">
          {ways.map(({ href, text }) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </>
    ),
  });
  const page = frame.page(request, html, {
    // The first collection is shown as progress: for a browser that is no fault.
    ...{ status: first === null ? plain.status : 200, isPrivate: true },
    headers: first === null ? {} : reloadHeader(first),
  });
  return withFacts(page, plain);
}

const TITLES: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: "Page not found",
  unsupported_base: "Unknown currency",
  invalid_pair: "Unknown currency",
  no_data_for_date: "No rates for this day",
  data_unavailable: "These rates are not available",
  rate_limited: "Too many requests",
  ip_rate_limited: "Too many requests",
  internal_error: "Something went wrong",
};

function titleOf(code: ErrorCode, path: string): string {
  if (SIGN_IN_ELSEWHERE.test(path)) return "The sign-in was not completed";
  return TITLES[code] ?? "This page cannot be shown";
}

const OWN_SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: "Check the address. The page may have been removed.",
  method_not_allowed: "This address only accepts a form. Go back to the page with the form.",
  rate_limited: "Too many requests from your address.",
  ip_rate_limited: "Too many requests from your address.",
  internal_error: SENTENCES.internal_error ?? "",
};

function sentenceOf({ code, message }: Envelope, retryAfter: string | null): string {
  const sentence = OWN_SENTENCES[code] ?? asSentence(message);
  // Some messages already say when to try again.
  if (retryAfter === null || /\bagain\b/.test(sentence)) return sentence;
  return `${sentence} Try again in ${waitText(Number(retryAfter))}.`;
}

/** Links to go on with, the best first. */
function waysFrom(path: string, hasAccounts: boolean, first: FirstCollection | null) {
  if (first !== null) {
    const status = { href: "/status/page", text: "See the status of all sources" };
    if (first.newestDay === null) return [status];
    const day = formatDay(first.newestDay);
    return [
      { href: "/eur-usd", text: `EUR/USD with its history to ${dateOf(day)}` },
      { href: `/v1/${day}`, text: `Rates of ${dateOf(day)}, as JSON` },
      status,
    ];
  }
  const rates = { href: "/", text: "See all rates" };
  const docs = { href: "/docs", text: "Read the documentation" };
  if (!hasAccounts) return [rates, docs];
  if (SIGN_IN_ELSEWHERE.test(path)) return [{ href: "/dashboard/sign-in", text: "Sign in again" }, rates];
  if (path.startsWith("/dashboard")) return [{ href: "/dashboard", text: "Go to the dashboard" }, rates];
  return [rates, docs];
}
