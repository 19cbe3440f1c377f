/** Bytes as text in one canonical form: different texts are never the same bytes. */

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** The bytes of canonical base64url without padding; null for any other spelling. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Buffer.from(text, "base64url"));
  return base64url(bytes) === text ? bytes : null;
}

/** The bytes that an operator gave as base64 in either alphabet, padded or not; null for anything else. */
export function fromAnyBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return fromBase64url(text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_"));
}
