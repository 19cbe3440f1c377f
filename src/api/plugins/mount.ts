/** Puts routes that answer with a Response into the application's table. */

import { type AnyElysia, Elysia } from "elysia";
import type { Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import { Failure } from "#domain/faults/errors.ts";

/** A segment whose % escapes are broken, as Elysia gives it: no parameter accepts the replacement. */
const UNREADABLE = "\uFFFD";

export const mount = (routes: readonly Route[]): AnyElysia => {
  const app = new Elysia();
  for (const { method, path, handle, ...wire } of routes) {
    app.route(
      method,
      path,
      async ({ request, params }: { request: Request; params: Record<string, string | null> }) => {
        const asked = pathOf(request.url);
        if (wire.takes?.(asked) === false) throw new Failure("not_found", { path: asked });
        const read: Record<string, string> = {};
        for (const name in params) read[name] = params[name] ?? UNREADABLE;
        return await handle(request, read);
      },
      // Bodies are read by the routes, with bounds.
      { wire, parse: "none" } as object,
    );
  }
  return app;
};
