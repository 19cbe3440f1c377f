/** Requests that stand for another one. Limits, logs and bounds use the outer request's client: only that has a connection. */

class StandIn extends Request {
  readonly outer: Request;

  constructor(outer: Request, url: string, init: RequestInit) {
    // A client that leaves ends the work begun for it.
    super(url, { ...init, signal: outer.signal });
    this.outer = outer;
  }
}

/** A request that this process makes to itself for another request. */
export class InnerRequest extends StandIn {}

/** For a HEAD Elysia would read the whole body to count its bytes: routes get a GET. */
class HeadAsGet extends StandIn {
  constructor(outer: Request) {
    super(outer, outer.url, { headers: outer.headers });
  }
}

/** A request without a Host has only a path for its URL: routes get it under the loopback's address. */
class Placed extends StandIn {
  constructor(outer: Request) {
    const { url, method, headers, body } = outer;
    super(outer, `http://localhost${url}`, { method, headers, body });
  }
}

/** Returns the client's own request: only that has a connection. */
export function outerOf(request: Request): Request {
  return request instanceof StandIn ? outerOf(request.outer) : request;
}

export function isHead(request: Request): boolean {
  return request instanceof HeadAsGet || (request instanceof Placed && isHead(request.outer));
}

/** Converts the request for routes: a HEAD to GET, and a path to a whole URL. */
export function asRouted(request: Request): Request {
  const placed = request.url.startsWith("/") ? new Placed(request) : request;
  return placed.method === "HEAD" ? new HeadAsGet(placed) : placed;
}
