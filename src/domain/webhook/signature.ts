/** The signature of an event: an HMAC over the time and the body. */

import { createHmac, timingSafeEqual } from "node:crypto";
import { type Random, randomText } from "#domain/account/key.ts";
import type { Instant } from "#domain/time/day.ts";
import { TOLERANCE_SECONDS } from "./endpoint.ts";

const SECRET_PREFIX = "whsec_";
/** 190 bits. */
const SECRET_CHARACTERS = 32;

const TIME = /^(?:0|[1-9]\d{0,11})$/;
const HEX = /^[0-9a-f]{64}$/;
/** Far more than our own header has; a receiver splits no more than this. */
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

/** The value of a name that is there exactly once; other names are left to versions to come. */
function onlyValue(header: string, name: string): string | null {
  if (header.length > LONGEST_HEADER) return null;
  const values = header
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null;
}

/** 64 digits, lower case. */
function hashOf(secret: string, t: string, body: string | Uint8Array): string {
  return createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** As the vault takes it. */
export function secretSealedFor(organizationId: string, endpointId: string) {
  return { org: organizationId, id: endpointId, purpose: "webhook_secret" } as const;
}
