/** A route as the router has it: admitted callers, counted and noted answers, lengths under HEAD. */

import { standingOf } from "#accounts/limits/admit.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { AnswersUnderWay } from "#http/response/under-way.ts";
import { type CountRequest, countAnswer, sizeOf } from "./count-request.ts";
import type { Meter } from "./metering.ts";
import type { Params, Route, Router } from "./route.ts";

/** The same route, whose large answers are noted as under way. Streams without an end have a bound of their own. */
export function noted(underWay: AnswersUnderWay, route: Route): Route {
  if (route.isEndless === true) return route;
  const note = (request: Request, answer: Response) => {
    underWay.note(request, sizeOf(answer, request.method));
    return answer;
  };
  return {
    ...route,
    handle: (request, params) => {
      const answer = route.handle(request, params);
      return answer instanceof Response ? note(request, answer) : answer.then((made) => note(request, made));
    },
  };
}

/** On paths with parameters the router measures the body of an answer to HEAD, and says 0 where there is none. */
export function newLengths() {
  const told = new WeakMap<Request, string>();
  return {
    note(request: Request, answer: Response | Promise<Response>): Response | Promise<Response> {
      if (request.method !== "HEAD") return answer;
      return Promise.resolve(answer).then((response) => {
        const length = response.headers.get("Content-Length");
        if (length !== null) told.set(request, length);
        return response;
      });
    },
    async restore(request: Request, answer: Response | Promise<Response>): Promise<Response> {
      const response = await answer;
      const length = told.get(request);
      if (length !== undefined) response.headers.set("Content-Length", length);
      return response;
    },
  };
}

/** The same route, whose refusals before admission are noted with the caller. */
export function metered({ meter }: { readonly meter: Meter }, route: Route): Route {
  if (route.isMetered !== true) return route;
  const refused = async (request: Request, thrown: unknown): Promise<never> => {
    if (thrown instanceof Failure && standingOf(thrown) === null) await meter.refused(request, thrown);
    throw thrown;
  };
  return {
    ...route,
    handle: (request, params) => {
      try {
        const answer = route.handle(request, params);
        return answer instanceof Response ? answer : answer.catch((thrown) => refused(request, thrown));
      } catch (thrown) {
        return refused(request, thrown);
      }
    },
  };
}

/** The same route, whose answers are counted; refusals that it throws are counted where they are told. */
export function counted(
  { countRequest }: { readonly countRequest?: CountRequest },
  route: Route,
  refusedFrom: { set(request: Request, began: number): unknown },
): Route {
  if (countRequest === undefined) return route;
  return {
    ...route,
    handle: (request, params) => {
      const began = performance.now();
      const count = (answer: Response) =>
        countAnswer(countRequest, route.path, request.method, began, answer);
      const refused = (thrown: unknown): never => {
        refusedFrom.set(request, began);
        throw thrown;
      };
      try {
        const answer = route.handle(request, params);
        return answer instanceof Response ? count(answer) : answer.then(count, refused);
      } catch (thrown) {
        return refused(thrown);
      }
    },
  };
}

export function register(
  app: Router,
  { method, path, handle }: Route,
  lengths: ReturnType<typeof newLengths>,
): void {
  // The router reads this text to learn whether it may give a promise: a call after the arrow says so.
  const answer = ({ request, params }: { request: Request; params?: Record<string, string> }) =>
    lengths.note(request, handle(request, intact(params)));
  // The body is read by the handler itself, within its own limits.
  if (method === "POST") app.post(path, answer, { parse: "none" });
  else if (method === "DELETE") app.delete(path, answer, { parse: "none" });
  else {
    app.get(path, answer);
    app.head(path, answer);
  }
}

/** The router gives null for a segment whose % escapes are broken: then it stands for nothing that exists. */
function intact(params: Readonly<Record<string, string | null>> | undefined): Params {
  const whole: Record<string, string> = {};
  for (const name in params) whole[name] = params[name] ?? "\uFFFD";
  return whole;
}
