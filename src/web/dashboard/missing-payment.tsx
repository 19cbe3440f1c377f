/** The notice of a missing payment, with the date until which the plan still holds. */
/* @jsxImportSource preact */

import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { When } from "#web/shared/when.tsx";
import { counted } from "./words.ts";

export interface MissingPaymentProps {
  readonly since: Instant;
  readonly graceEndsAt: Instant;
  readonly now: Instant;
}

export function MissingPayment({ since, graceEndsAt, now }: MissingPaymentProps) {
  const left = Math.ceil((graceEndsAt - now) / MILLISECONDS_PER_DAY);
  return (
    <div class="message refusal" role="status">
      <p>
        <strong>A payment is missing</strong> since <When at={since} />.{" "}
        {left > 0 ? (
          <>
            Your plan stays active for {counted(left, "more day")}, until <When at={graceEndsAt} />. After
            that the limits of the free plan apply until you pay.
          </>
        ) : (
          <>The grace period is over: the limits of the free plan apply until you pay.</>
        )}
      </p>
      <form method="post" action="/dashboard/plan/portal">
        <button class="button" type="submit">
          Pay or change the card
        </button>
      </form>
    </div>
  );
}
