/** Requests that stand for another one. Limits, logs and bounds see the client of the outer request, which alone has a connection. */

class StandIn extends Request {
  readonly outer: Request;

  constructor(outer: Request, url: string, init: RequestInit) {
    // A client that leaves ends what was begun for it.
    super(url, { ...init, signal: outer.signal });
    this.outer = outer;
  }
}

/** A request that this process makes to itself for another request. */
export class InnerRequest extends StandIn {}

/** A HEAD, as the GET that answers it: Elysia would read the whole body to count it. */
class HeadAsGet extends StandIn {
  constructor(outer: Request) {
    super(outer, outer.url, { headers: outer.headers });
  }
}

/** A request without a Host, the URL of which is a path alone, under the address of loopback. */
class Placed extends StandIn {
  constructor(outer: Request) {
    const { url, method, headers, body } = outer;
    super(outer, `http://localhost${url}`, { method, headers, body });
  }
}

/** The request as a client sent it: only that one has a connection. */
export function outerOf(request: Request): Request {
  return request instanceof StandIn ? outerOf(request.outer) : request;
}

/** Whether the client asked for the headers alone. */
export function isHead(request: Request): boolean {
  return request instanceof HeadAsGet || (request instanceof Placed && isHead(request.outer));
}

/** The request as routes take it: a HEAD as GET, and with a whole URL. */
export function asRouted(request: Request): Request {
  const placed = request.url.startsWith("/") ? new Placed(request) : request;
  return placed.method === "HEAD" ? new HeadAsGet(placed) : placed;
}
