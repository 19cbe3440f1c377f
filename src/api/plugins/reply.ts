/** `reply` answers with a handler's result: a body, a text, or a Response, which passes unchanged. */

import { Elysia, ElysiaCustomStatusResponse } from "elysia";
import { cacheFor } from "#api/response/headers.ts";
import { type JsonDeps, respondJson, respondTagged } from "#api/response/json.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import type { RangedReads } from "#api/response/ranged-reads.ts";
import type { Reply, ReplyOptions } from "#api/response/reply.ts";
import { respondFile } from "#api/response/respond.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { routed } from "./wire.ts";

/**
 * The caching of a body: never stored; with a Cache-Control of its own and an ETag; or shared by equal URLs while the
 * content holds, here and in caches.
 */
export type Storing = "no-store" | { readonly cacheControl: string } | ReplyOptions;

export interface ReplyPluginDeps extends JsonDeps {
  readonly dataset: () => Dataset | null;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
  readonly ready: Pick<Reply, "send" | "basis">;
}

/** A text that programs read by its URL, in parts: the other form of a JSON answer. */
export class FileText {
  readonly mime: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(mime: string, text: string, headers: Readonly<Record<string, string>> = {}) {
    this.mime = mime;
    this.text = text;
    this.headers = headers;
  }
}

export const reply = (deps: ReplyPluginDeps) => {
  const answer = (request: Request, storing: Storing, made: unknown): Response | undefined => {
    if (made instanceof Response || typeof made !== "object" || made === null) return undefined;
    if (made instanceof ElysiaCustomStatusResponse)
      return respondJson(request, deps, made.response, made.code);
    if (made instanceof FileText) {
      const { mime, headers } = made;
      return respondFile(request, deps, { mime, cacheControl: cacheControlOf(storing), headers }, made.text);
    }
    if (storing === "no-store") return respondJson(request, deps, made);
    if ("cacheControl" in storing) return respondTagged(request, deps, storing.cacheControl, made);
    const { charge, basis } = routed(request) ?? {};
    if (charge === undefined) throw new Error("an answer that others share is of a metered route");
    return deps.ready.send(request, storing, made, charge, basis);
  };
  const cacheControlOf = (storing: Storing): string => {
    if (storing === "no-store") return "no-store";
    if ("cacheControl" in storing) return storing.cacheControl;
    // While a source was never collected, the next answer may have more.
    return cacheFor(deps.dataset()?.pending === undefined ? storing.maxAgeSeconds : 0);
  };
  return new Elysia({ name: "reply" }).macro({
    reply: (storing: Storing) => ({
      /** Comes after `metered`: an answer is cached for the figures at its beginning. */
      beforeHandle({ request }: { request: Request }) {
        const route = routed(request);
        if (route?.charge === undefined || typeof storing === "string" || "cacheControl" in storing) return;
        route.basis = deps.ready.basis(storing.turnsWith, route.charge.admission.delayMinutes);
      },
      afterHandle({ request, responseValue }: { request: Request; responseValue: unknown }) {
        const made = answer(request, storing, responseValue);
        if (made !== undefined) return made;
        return undefined;
      },
    }),
  });
};
