/** A request that this process makes to itself on behalf of another one: limits and logs see who sent that one. */

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
