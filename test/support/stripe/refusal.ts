/** Stripe's error envelope. */

type RefusalType = "invalid_request_error" | "idempotency_error" | "api_error" | "card_error";

interface RefusalFacts {
  readonly type?: RefusalType;
  readonly code?: string;
  readonly param?: string;
}

export class StripeRefusal extends Error {
  readonly status: number;
  readonly facts: RefusalFacts;

  constructor(status: number, message: string, facts: RefusalFacts = {}) {
    super(message);
    this.status = status;
    this.facts = facts;
  }

  /** `{ error: { … } }` as on the wire. */
  body(requestId: string): object {
    const { type = "invalid_request_error", code, param } = this.facts;
    return {
      error: {
        ...(code === undefined ? {} : { code, doc_url: `https://stripe.com/docs/error-codes/${code}` }),
        message: this.message,
        ...(param === undefined ? {} : { param }),
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
        type,
      },
    };
  }
}

/** `No such customer: 'cus_…'`, as for every kind of object. */
export function noSuch(kind: string, id: string, param: string): StripeRefusal {
  return new StripeRefusal(statusFor(param), `No such ${kind}: '${id}'`, {
    code: "resource_missing",
    param,
  });
}

/** For an object of live mode that is requested with a key of test mode. */
export function onlyInLiveMode(status: number, kind: string, id: string, param: string): StripeRefusal {
  const message = `No such ${kind}: '${id}'; a similar object exists in live mode, but a test mode key was used to make this request.`;
  return new StripeRefusal(status, message, { code: "resource_missing", param });
}

/** 404 for the address itself, 400 for something named in the parameters. */
function statusFor(param: string): number {
  return param === "id" ? 404 : 400;
}
