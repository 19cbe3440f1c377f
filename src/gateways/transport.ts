/** What the clients of this folder share: credentials in addresses, bounded answers. */

/** A name or password of an address; null where a % is not escaped. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The host without the brackets that a URL puts around an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Like fetch, with the whole body read and decoded; null beyond `most` bytes. Redirects would take secrets along: not followed. */
export async function boundedFetch(
  address: string,
  init: RequestInit,
  most: number,
): Promise<Response | null> {
  const answer = await fetch(address, { ...init, redirect: "manual" });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest of the answer.
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > most) return null;
    parts.push(part);
  }
  const headers = new Headers(answer.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(bytes === 0 ? null : Buffer.concat(parts), { status: answer.status, headers });
}
