/**
 * The types of webhooks (endpoint, event, delivery with its outcome, test event), the constants that owners and receivers rely
 * on, and the signature: an HMAC over the time and the body.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { type Random, randomText } from "#domain/account/key.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";

export const EVENT_TYPES = ["official.published", "official.corrected", "webhook.test"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The types that an owner can subscribe to; a test event goes to the endpoint that is tested. */
export const CHOSEN_TYPES = ["official.published", "official.corrected"] as const;
export type ChosenType = (typeof CHOSEN_TYPES)[number];

export interface WebhookEndpoint {
  readonly id: string;
  readonly organizationId: string;
  /** As registered: https, port 443, a public host name. */
  readonly url: string;
  /** At most 200 characters; empty for no description. */
  readonly description: string;
  readonly events: readonly ChosenType[];
  /** False: its owner has disabled it. */
  readonly isEnabled: boolean;
  readonly createdAt: Instant;
  /** When the secret was made or last rotated. */
  readonly secretAt: Instant;
}

/** An event as it is sent: the bytes are made once. */
export interface WebhookEvent {
  /** `evt_<table>_<publication>_v<version>` or `evt_test_<milliseconds>`. */
  readonly id: string;
  readonly type: EventType;
  readonly createdAt: Instant;
  readonly body: string;
}

/** pending: an attempt is due at `dueAt`. delivered: a 2xx came. failed: the last attempt failed. dropped: ended for its `reason`. */
export const DELIVERY_STATES = ["pending", "delivered", "failed", "dropped"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** endpoint_deleted: its endpoint is gone. over_plan: the plan had no room for its endpoint while it was queued. */
export const DROP_REASONS = ["endpoint_deleted", "over_plan"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** active: receives. disabled: by its owner. over_plan: too many for the plan, newest first. suspended: with its organization. */
export const ENDPOINT_STATES = ["active", "disabled", "over_plan", "suspended"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly state: DeliveryState;
  /** Set for a dropped delivery; else null. */
  readonly reason: DropReason | null;
  readonly attempts: number;
  /** Null without another attempt to come. */
  readonly dueAt: Instant | null;
}

export interface EndpointWithState extends WebhookEndpoint {
  readonly state: EndpointState;
}

export const ATTEMPT_FAULTS = [
  "url",
  "dns",
  "address",
  "connect",
  "tls",
  "timeout",
  "closed",
  "response",
] as const;
export type AttemptFault = (typeof ATTEMPT_FAULTS)[number];

/** How one attempt ended: with a status, or with a named fault before one came. */
export interface AttemptOutcome {
  readonly status: number | null;
  readonly fault: AttemptFault | null;
  readonly milliseconds: number;
  /** The address that was connected to; null without a connection. */
  readonly address: string | null;
  /** Request line and headers as sent; null where nothing was sent. The body is the event's. */
  readonly head: string | null;
}

export interface DeliveryWithAttempts extends Delivery {
  readonly event: WebhookEvent;
  readonly tries: readonly (AttemptOutcome & { readonly at: Instant })[];
}

/** `evt_test_<unix milliseconds>`; compact JSON, with the endpoint's id as the only datum. */
export function testEvent(endpointId: string, at: Instant): WebhookEvent {
  const [id, type] = [`evt_test_${at}`, "webhook.test"] as const;
  const body = JSON.stringify({ id, type, created_at: formatInstant(at), data: { endpoint: endpointId } });
  return { id, type, createdAt: at, body };
}

export const LONGEST_URL = 2048;
export const LONGEST_DESCRIPTION = 200;

/** Seconds from one failure to the next attempt: after the first failure, the second, and so on. */
export const RETRY_SECONDS = [60, 300, 1800, 7200, 21_600] as const;
/** A wait is lengthened by up to this part of it, never shortened: attempts that failed together do not return together. */
export const MOST_JITTER = 0.1;
export const longestWaitMilliseconds = (seconds: number) => Math.ceil(seconds * 1000 * (1 + MOST_JITTER));
export const LONGEST_WAIT_MILLISECONDS = longestWaitMilliseconds(Math.max(...RETRY_SECONDS));

/** From the look-up of the name to the end of the response's headers. */
export const ATTEMPT_MILLISECONDS = 10_000;
/** How often a worker that holds claims sends a heartbeat. */
export const BEAT_MILLISECONDS = 1_000;
/** A worker that has been silent for this long, by the ledger's clock, loses its claims. */
export const DEAD_MILLISECONDS = 4_000;
/** Attempts at one endpoint at a time: a slow receiver delays no other. */
export const MOST_AT_ONCE = 2;

/** By how much a signature's time may differ from the receiver's clock, either way. */
export const TOLERANCE_SECONDS = 300;

/** Deliveries in a list: by default, and at most. */
export const DEFAULT_DELIVERIES = 25;
export const MOST_DELIVERIES = 100;

export const CONTENT_TYPE = "application/json";
export const USER_AGENT = "webhook-delivery/1";
export const SIGNATURE_HEADER = "Webhook-Signature";

/** Any 2xx. Every other status is a failure, also 410 and redirects. */
export function outcomeIsSuccess({ status }: Pick<AttemptOutcome, "status">): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** Whether the newest attempt of these deliveries failed; false without an attempt. */
export function isFailing(deliveries: readonly Pick<DeliveryWithAttempts, "tries">[]): boolean {
  const newest = deliveries.flatMap(({ tries }) => tries).sort((a, b) => b.at - a.at)[0];
  return newest !== undefined && !outcomeIsSuccess(newest);
}

/** When to try again, or null after the last failure. `attempts` counts this failure. The wait is lengthened at random by up to a tenth. */
export function nextAttempt(attempts: number, failedAt: Instant, random: Random): Instant | null {
  const seconds = RETRY_SECONDS[attempts - 1];
  if (seconds === undefined) return null;
  const milliseconds = seconds * 1000;
  return failedAt + milliseconds + Math.floor(milliseconds * MOST_JITTER * fraction(random));
}

/** A number in [0, 1). */
function fraction(random: Random): number {
  return random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;
}

const SECRET_PREFIX = "whsec_";
const SECRET_CHARACTERS = 32;

const TIME = /^(?:0|[1-9]\d{0,11})$/;
const HEX = /^[0-9a-f]{64}$/;
/** Far more than our own header has; a longer one is malformed. */
const LONGEST_HEADER = 1000;

/** `whsec_` and 32 random characters of base62. */
export function newSecret(random: Random): string {
  return `${SECRET_PREFIX}${randomText(random, SECRET_CHARACTERS)}`;
}

/** The value of `Webhook-Signature`, made for each attempt. The whole secret, with `whsec_`, is the key. */
export function signatureHeader(secret: string, unixSeconds: number, body: string | Uint8Array): string {
  return `t=${unixSeconds},v1=${hashOf(secret, String(unixSeconds), body)}`;
}

/** malformed: not one `t` and one `v1`. stale: `t` is too far from now, either way. mismatch: another secret, or other bytes. */
export type SignatureVerdict = "genuine" | "malformed" | "stale" | "mismatch";

/** What a receiver does, in the five steps of the specification. `body` is what arrived, byte for byte. */
export function checkSignature(
  header: string,
  body: string | Uint8Array,
  secret: string,
  now: Instant,
): SignatureVerdict {
  const [t, v1] = [onlyValue(header, "t"), onlyValue(header, "v1")];
  if (t === null || v1 === null || !TIME.test(t) || !HEX.test(v1)) return "malformed";
  if (Math.abs(now - Number(t) * 1000) > TOLERANCE_SECONDS * 1000) return "stale";
  return timingSafeEqual(bytesOf(v1), bytesOf(hashOf(secret, t, body))) ? "genuine" : "mismatch";
}

function onlyValue(header: string, name: string): string | null {
  if (header.length > LONGEST_HEADER) return null;
  const values = header
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null;
}

function hashOf(secret: string, t: string, body: string | Uint8Array): string {
  return createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function secretSealedFor(organizationId: string, endpointId: string) {
  return { org: organizationId, id: endpointId, purpose: "webhook_secret" } as const;
}
