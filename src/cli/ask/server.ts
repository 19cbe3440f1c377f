/** Chooses the server and the key: from the flag, the environment, or what `login` stored. */

import { UsageFault } from "#cli/command.ts";
import { isServerAddress } from "#cli/words/rate-words.ts";
import { readStore, type StoredLogin } from "./store.ts";

export interface Server {
  /** Without a slash at the end. */
  readonly url: string;
  readonly chosenBy: "--url" | "CROSSRATE_URL" | "login" | "default";
  /** null: as a caller without a key. */
  readonly key: string | null;
  readonly keyFrom: "CROSSRATE_API_KEY" | "login" | null;
  readonly login: StoredLogin | null;
}

const DEFAULT_PORT = "3000";
/** Visible ASCII: anything else cannot be sent in a header. */
const KEY = /^[\x21-\x7e]+$/;

/** Throws UsageFault for an address or a key that cannot be one. Rejects where the stored logins cannot be read. */
export async function serverOf(
  environment: Readonly<Record<string, string | undefined>>,
  urlFlag?: string,
): Promise<Server> {
  const store = await readStore(environment);
  const { url, chosenBy } = chosenAddress(environment, urlFlag, store.current);
  const login = store.servers[url] ?? null;
  const given = environment["CROSSRATE_API_KEY"]?.trim() || null;
  if (given !== null && !KEY.test(given))
    throw new UsageFault("CROSSRATE_API_KEY has characters that no key has; copy the key again");
  const key = given ?? login?.key ?? null;
  const keyFrom = key === null ? null : given === null ? "login" : "CROSSRATE_API_KEY";
  return { url, chosenBy, key, keyFrom, login };
}

function chosenAddress(
  environment: Readonly<Record<string, string | undefined>>,
  urlFlag: string | undefined,
  current: string | null,
): Pick<Server, "url" | "chosenBy"> {
  if (urlFlag !== undefined) return { url: plainAddress(urlFlag), chosenBy: "--url" };
  const named = environment["CROSSRATE_URL"]?.trim();
  if (named) {
    if (!isServerAddress(named))
      throw new UsageFault(`CROSSRATE_URL=${named}: an address such as https://rates.example.org is needed`);
    return { url: plainAddress(named), chosenBy: "CROSSRATE_URL" };
  }
  if (current !== null) return { url: current, chosenBy: "login" };
  return { url: `http://127.0.0.1:${environment["PORT"] || DEFAULT_PORT}`, chosenBy: "default" };
}

/** Without query, fragment, user and the slash at the end: one server has one name in the store. */
function plainAddress(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** A server on this machine: its traffic crosses no network. */
export function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
}
