/** A route that answers with a Response. */

import type { Wire } from "./wire.ts";

export type Params = Readonly<Record<string, string>>;

export interface Route extends Wire {
  /** GET answers HEAD too. */
  readonly method: "GET" | "POST" | "DELETE";
  /** With `:name` segments. */
  readonly path: string;
  handle(request: Request, params: Params): Response | Promise<Response>;
}
