/** Puts routes that answer with a Response into the application's table. */

import { type AnyElysia, Elysia } from "elysia";
import type { Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import { Failure } from "#domain/faults/errors.ts";

export const mount = (routes: readonly Route[]): AnyElysia => {
  const app = new Elysia();
  for (const { method, path, handle, ...wire } of routes) {
    app.route(
      method,
      path,
      async ({ request, params }: { request: Request; params?: Record<string, string> }) => {
        const asked = pathOf(request.url);
        if (wire.takes?.(asked) === false) throw new Failure("not_found", { path: asked });
        return await handle(request, params ?? {});
      },
      // Bodies are read by the routes, with bounds.
      { wire, parse: "none" } as object,
    );
  }
  return app;
};
