/** The one way out to Stripe: where STRIPE_API_BASE says, without redirects, and with a bound on every answer. */

export const STRIPE_API = "https://api.stripe.com";

/** A full page of a hundred events is about half of it. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A `fetch` for the SDK. Rejects on an answer that is too large; a redirect comes back as what it is, unfollowed. */
export function boundedFetch(base: string): typeof fetch {
  const bounded = async (input: string | URL | Request, init?: RequestInit) => {
    const address = String(input instanceof Request ? input.url : input);
    if (!address.startsWith(`${STRIPE_API}/`)) throw new Error("not an address of Stripe's API");
    // A redirect would take the secret key along.
    const response = await fetch(base + address.slice(STRIPE_API.length), { ...init, redirect: "manual" });
    const { status, headers } = response;
    return new Response(await bodyOf(response), { status, headers });
  };
  return bounded as typeof fetch;
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error(`Stripe's answer is larger than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
