/** The API key of the person who is signed in to this site, read by a page in the browser. */

interface OwnKey {
  readonly key: string | null;
  /** Why there is none. */
  readonly reason: string;
  readonly needsSignIn: boolean;
}

interface AccountAnswer {
  readonly message?: string;
  readonly key?: { readonly plaintext: string | null } | null;
}

const OUT_OF_REACH = "The server cannot be reached. Try again in a moment.";
const UNREADABLE = "This server cannot show your key right now.";
const NO_KEY = "You have no key yet. Create one in the dashboard.";

/** Never rejects. What it resolves with after the signal was aborted means nothing. */
export async function readOwnKey(signal: AbortSignal | null = null): Promise<OwnKey> {
  const without = (reason: string, needsSignIn = false): OwnKey => ({ key: null, reason, needsSignIn });
  const headers = { Accept: "application/json" };
  const answer = await fetch("/v1/account", { headers, signal })
    .then(async (got) => ({ ok: got.ok, status: got.status, body: (await got.json()) as AccountAnswer }))
    .catch(() => null);
  if (answer === null) return without(OUT_OF_REACH);
  const { ok, status, body } = answer;
  if (status === 401) return without("You are not signed in.", true);
  if (!ok) return without(body.message ?? OUT_OF_REACH);
  if (body.key === null || body.key === undefined) return without(NO_KEY);
  return { key: body.key.plaintext, reason: UNREADABLE, needsSignIn: false };
}
