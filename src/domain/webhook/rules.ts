/** The numbers and names of webhooks that owners and receivers rely on (specification, "Events"), in one place. */

/** Characters, of the address as given and of its normal form. */
export const LONGEST_URL = 2048;
/** Characters. */
export const LONGEST_DESCRIPTION = 200;

/** Seconds from one failure to the next attempt: after the first failure, the second, and so on. */
export const RETRY_SECONDS = [60, 300, 1800, 7200, 21_600] as const;
/** The first attempt and one for each wait: about 8.5 hours in all. */
export const MOST_ATTEMPTS = RETRY_SECONDS.length + 1;
/** A wait may be longer by up to this part of it, never shorter, so that what failed together does not come back together. */
export const MOST_JITTER = 0.1;

/** From the look-up of the name to the status line. */
export const ATTEMPT_MILLISECONDS = 10_000;
/** How often a worker that holds claims says that it lives. */
export const BEAT_MILLISECONDS = 1_000;
/** A worker that has been silent for so long loses its claims, by the ledger's clock. */
export const DEAD_MILLISECONDS = 4_000;
/** Attempts at one endpoint at a time: a slow receiver keeps nobody else waiting. */
export const MOST_AT_ONCE = 2;

/** By how much a signature's time may differ from the receiver's clock, either way. */
export const TOLERANCE_SECONDS = 300;

/** Deliveries in a list: without a question for more, and at most. */
export const DEFAULT_DELIVERIES = 25;
export const MOST_DELIVERIES = 100;

export const CONTENT_TYPE = "application/json";
export const USER_AGENT = "webhook-delivery/1";
export const SIGNATURE_HEADER = "Webhook-Signature";
