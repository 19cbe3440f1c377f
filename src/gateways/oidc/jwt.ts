/** Verifies a JWT of the configured provider: signature, issuer, audience, algorithm and time. Each failure has a name. */

import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { BearerTokens, ExternalIdentity, IdentityRefusal } from "#ports/identity.ts";
import type { Clock } from "#ports.ts";
import { ProviderUnavailable } from "./fetch.ts";

interface JwtRules {
  readonly issuer: string;
  readonly audience: string;
  /** Asymmetric ones. */
  readonly algorithms: readonly string[];
  readonly keys: JWTVerifyGetKey;
  readonly clock: Clock;
}

const TOLERANCE_SECONDS = 30;
const LONGEST_SUBJECT = 255;
const LONGEST_EMAIL = 254;
/** Databases drop NUL, and replace every broken character by the same one: two people would become one. */
const TEXT = /^[^\p{Cc}\p{Cs}]+$/u;
/**
 * One bare address in any script; operators see it and the payment provider gets it. It must be in NFC already: to normalize it would
 * turn the Kelvin sign into a K, which can be another person's address, and the Greek question mark into a semicolon.
 */
const EMAIL = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[^\s\p{C}@"(),:;<>[\]\\]+$/u;
/** Types of JWT that identify a person. Others of the same issuer, such as logout tokens, grant no access. */
const TYPES: readonly (string | undefined)[] = [undefined, "jwt", "at+jwt", "application/at+jwt"];

export function openBearerTokens(rules: JwtRules): BearerTokens {
  return { verify: (jwt) => verifyJwt(rules, jwt) };
}

async function verifyJwt(rules: JwtRules, jwt: string): Promise<ExternalIdentity | IdentityRefusal> {
  try {
    const { payload, protectedHeader } = await jwtVerify(jwt, rules.keys, {
      issuer: rules.issuer,
      audience: rules.audience,
      algorithms: [...rules.algorithms],
      requiredClaims: ["iss", "aud", "sub", "exp"],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(rules.clock.now()),
    });
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase()) || "events" in payload)
      return unacceptable("a JWT for another use");
    return identityOf(payload);
  } catch (error) {
    return refusalOf(error);
  }
}

function identityOf({ iss, sub, email, email_verified }: JWTPayload): ExternalIdentity | IdentityRefusal {
  if (typeof iss !== "string" || typeof sub !== "string" || sub.length > LONGEST_SUBJECT || !TEXT.test(sub))
    return unacceptable("no usable subject");
  const isUsable = typeof email === "string" && email.length <= LONGEST_EMAIL && EMAIL.test(email);
  const address = isUsable && email === email.normalize("NFC") ? email : null;
  return { iss, sub, email: address, email_verified: address !== null && email_verified === true };
}

/** The provider's answer is not JSON, or no key set, or too late. */
const KEY_SET_FAULTS = ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"];

function refusalOf(error: unknown): IdentityRefusal {
  if (error instanceof ProviderUnavailable) return { refused: "provider_unavailable", detail: error.message };
  if (error instanceof errors.JOSEError && KEY_SET_FAULTS.includes(error.code))
    return { refused: "provider_unavailable", detail: error.message };
  if (error instanceof errors.JWTClaimValidationFailed) return unacceptable(`claim ${error.claim}`);
  return unacceptable(error instanceof errors.JOSEError ? error.code : "not a JWT");
}

function unacceptable(detail: string): IdentityRefusal {
  return { refused: "unacceptable", detail };
}
