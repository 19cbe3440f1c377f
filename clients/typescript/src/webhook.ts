/** Webhooks of Crossrate: whether one is genuine, and what it says. */

import type { Schemas } from "./parameters.ts";

/** What an endpoint receives: an official publication or correction, or a test event. */
export type WebhookEvent =
  | Schemas["OfficialEvent"]
  | {
      readonly id: string;
      readonly type: "webhook.test";
      readonly created_at: string;
      readonly data: { readonly endpoint: string };
    };

export interface Webhook {
  /** The body as it came: parsed and printed again it is another text. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The header `Webhook-Signature`; null where it is missing. */
  readonly signature: string | null | undefined;
  /** `whsec_…`; while a secret is rotated, the old one and the new one. */
  readonly secret: string | readonly string[];
  /** Seconds by which the signature's time may differ from the clock, either way; 300 by default. */
  readonly tolerance?: number;
  /** Milliseconds since 1970; the present by default. */
  readonly now?: number;
}

const TOLERANCE_SECONDS = 300;

/** Whether a delivery was signed with the secret (or one of them), not long ago. Never rejects because of what was sent. */
export async function isGenuineWebhook(webhook: Webhook): Promise<boolean> {
  const { body, signature, secret, tolerance = TOLERANCE_SECONDS, now = Date.now() } = webhook;
  const parts = new Map((signature ?? "").split(",").map((part) => namedPart(part)));
  const [t = "", v1 = ""] = [parts.get("t"), parts.get("v1")];
  if (!/^\d{1,12}$/.test(t) || !/^[0-9a-f]{64}$/.test(v1)) return false;
  if (Math.abs(now / 1000 - Number(t)) > tolerance) return false;
  const signed = signedBytes(t, body);
  const mac = Uint8Array.from({ length: 32 }, (_, nth) =>
    Number.parseInt(v1.slice(2 * nth, 2 * nth + 2), 16),
  );
  const secrets = typeof secret === "string" ? [secret] : secret;
  const answers = await Promise.all(secrets.map((one) => isSignedWith(one, mac, signed)));
  return answers.includes(true);
}

/** The event of a genuine delivery; null where it is not genuine: answer 400 then. Rejects where the body is not JSON. */
export async function readWebhook(webhook: Webhook): Promise<WebhookEvent | null> {
  if (!(await isGenuineWebhook(webhook))) return null;
  const { body } = webhook;
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as WebhookEvent;
}

function namedPart(part: string): readonly [name: string, value: string] {
  const [name = "", ...value] = part.trim().split("=");
  return [name, value.join("=")];
}

/** The time, a full stop, the body. */
function signedBytes(t: string, body: Webhook["body"]): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${t}.`);
  const tail = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}

/** WebCrypto compares in constant time. */
async function isSignedWith(
  secret: string,
  mac: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, [
    "verify",
  ]);
  return await crypto.subtle.verify("HMAC", key, mac, signed);
}
