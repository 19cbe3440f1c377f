/** Chooses the server and the key: from the flag, the environment, or the stored login in a file that only its owner can read. */

import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Packaged, UsageFault } from "./command.ts";
import { isServerAddress } from "./words.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Server {
  /** Without a slash at the end. */
  readonly url: string;
  readonly chosenBy: "--url" | "CROSSRATE_URL" | "login" | "default" | "here";
  readonly key: string | null;
  readonly keyFrom: "CROSSRATE_API_KEY" | "login" | null;
  readonly login: StoredLogin | null;
  /** Answers in this process; absent where requests go to the address. */
  readonly answer?: Packaged["answer"];
}

/** No server: requests are answered in this process. */
export function thisMachine(answer: Packaged["answer"]): Server {
  return { url: "http://localhost", chosenBy: "here", key: null, keyFrom: null, login: null, answer };
}

const DEFAULT_PORT = "3000";
/** Visible ASCII: a header cannot have anything else. */
const KEY = /^[\x21-\x7e]+$/;

/** Throws UsageFault for an invalid address or key. Rejects when the stored logins cannot be read. */
export async function serverOf(environment: Environment, urlFlag?: string): Promise<Server> {
  const store = await readStore(environment);
  const { url, chosenBy } = chosenAddress(environment, urlFlag, store.current);
  const login = store.servers[url] ?? null;
  const named = environment["CROSSRATE_API_KEY"]?.trim() || null;
  if (named !== null && !KEY.test(named))
    throw new UsageFault("CROSSRATE_API_KEY has characters that no key has; copy the key again");
  const key = named ?? login?.key ?? null;
  const keyFrom = key === null ? null : named === null ? "login" : "CROSSRATE_API_KEY";
  return { url, chosenBy, key, keyFrom, login };
}

function chosenAddress(
  environment: Environment,
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

/** Removes query, fragment, user and the last slash: one server has one name in the store. */
function plainAddress(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

export interface StoredLogin {
  readonly email: string;
  /** `fxs_…`, for account endpoints. */
  readonly session: string;
  readonly expires_at: string;
  /** `fxk_…`, for rates; null when the server could not show it. */
  readonly key: string | null;
}

interface Stored {
  readonly current: string | null;
  readonly servers: Readonly<Record<string, StoredLogin>>;
}

const NOTHING: Stored = { current: null, servers: {} };

/** Returns `$XDG_CONFIG_HOME/crossrate/logins.json`, or the file below `~/.config`. */
export function storePath(environment: Environment): string {
  const home = environment["HOME"] || homedir();
  return join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "crossrate", "logins.json");
}

async function readStore(environment: Environment): Promise<Stored> {
  const path = storePath(environment);
  const text = await readFile(path, "utf8").catch((fault: NodeJS.ErrnoException) => {
    // Users of services often have no home, or a device in its place.
    if (fault.code === "ENOENT" || fault.code === "ENOTDIR") return null;
    throw unusable(path, "read", fault);
  });
  if (text === null) return NOTHING;
  try {
    const { current, servers } = JSON.parse(text) as Partial<Stored>;
    if (typeof servers !== "object" || servers === null) throw new Error("it names no servers");
    return { current: current ?? null, servers };
  } catch (cause) {
    throw new Error(`${path} is damaged; remove it and sign in again with crossrate login`, { cause });
  }
}

/** Stores the login of a server, which becomes the current one. */
export async function keepLogin(environment: Environment, url: string, login: StoredLogin): Promise<void> {
  const { servers } = await readStore(environment);
  await write(storePath(environment), { current: url, servers: { ...servers, [url]: login } });
}

/** Removes the login of a server, and the file with the last one. */
export async function forgetLogin(environment: Environment, url: string): Promise<void> {
  const { current, servers } = await readStore(environment);
  const { [url]: _, ...left } = servers;
  if (Object.keys(left).length === 0) await rm(storePath(environment), { force: true });
  else await write(storePath(environment), { current: current === url ? null : current, servers: left });
}

/** Returns the permission bits of a file that others can read; null when it is private or absent. */
export async function tooOpen(environment: Environment): Promise<string | null> {
  const facts = await stat(storePath(environment)).catch(() => null);
  const mode = (facts?.mode ?? 0) & 0o777;
  return (mode & 0o077) === 0 ? null : mode.toString(8);
}

/** Writes the file completely or not at all, and never readable for others. */
async function write(path: string, content: Stored): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
    await chmod(temporary, 0o600);
    await rename(temporary, path);
    await flushName(path);
    await flushName(dirname(path));
  } catch (fault) {
    throw unusable(path, "written", fault);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

function unusable(path: string, what: "read" | "written", cause: unknown): Error {
  return new Error(
    `${path} cannot be ${what} (${(cause as Error).message}): set XDG_CONFIG_HOME to a folder that this user may write to, with room`,
    { cause },
  );
}

/** Makes a new or renamed file durable under its name. Does nothing where the system cannot open folders, or this user may not list it. */
export async function flushName(path: string): Promise<void> {
  const folder = await open(dirname(path), "r").catch(() => null);
  await folder?.sync().finally(() => folder.close());
}
