/** A request that this process makes to itself for another request. Limits and logs see the client of the outer request. */

export class InnerRequest extends Request {
  /** The request that a client sent. */
  readonly outer: Request;

  constructor(outer: Request, url: string, init: RequestInit) {
    // Who leaves ends what was begun for them.
    super(url, { ...init, signal: outer.signal });
    this.outer = outer;
  }
}

/** The request as a client sent it: only that one has a connection. */
export function outerOf(request: Request): Request {
  return request instanceof InnerRequest ? request.outer : request;
}
