/** A route as data: the app registers it, the router answers 405 from it, the tests compare it with the OpenAPI document. */

export type Params = Readonly<Record<string, string>>;

export interface Route {
  /** GET answers HEAD too. */
  readonly method: "GET" | "POST" | "DELETE";
  /** With `:name` segments. */
  readonly path: string;
  /** Narrows what its parameters may be: any other path is not its own. Absent: anything. */
  accepts?(params: Params): boolean;
  handle(request: Request, params: Params): Response | Promise<Response>;
  /** Calls count against the caller's limits, those too that are refused before they are admitted. */
  readonly isMetered?: boolean;
  /** The answer goes on until the reader leaves. */
  readonly isEndless?: boolean;
  /** False: pages of other sites are not let in; a preflight is answered without leave. */
  readonly isCrossOrigin?: false;
}
