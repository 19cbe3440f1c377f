/** Waits until the demo has read its sources, by what its /status says. */

export interface DemoStatus {
  readonly status: string;
  readonly checks: {
    readonly live_data: { readonly status: string; readonly live_currencies: number };
    readonly daily: Readonly<Record<string, { readonly status: string }>>;
    readonly official: Readonly<Record<string, { readonly status: string }>>;
  };
}

export interface Waiting {
  /** Reads /status; null where the server does not answer it, as to a host that is not allowed or by a server that is stopping. */
  readonly status: () => Promise<DemoStatus | null>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** How long it is waited for, in milliseconds. */
  readonly patience: number;
  /** Names what a status still lacks: `nothingYet` or `unread`. */
  readonly missingIn: (status: DemoStatus) => readonly string[];
}

const PAUSE_MILLISECONDS = 100;

/** Resolves with the names of what is still missing when the patience is over; with none as soon as nothing is. */
export async function waitUntilRead(waiting: Waiting): Promise<readonly string[]> {
  const { status, sleep, patience, missingIn } = waiting;
  for (let waited = 0; ; waited += PAUSE_MILLISECONDS) {
    const now = await status();
    const missing = now === null ? [] : missingIn(now);
    if (missing.length === 0 || waited >= patience) return missing;
    await sleep(PAUSE_MILLISECONDS);
  }
}

/** Reads /status of a server at an address. */
export async function statusAt(url: string): Promise<DemoStatus | null> {
  const response = await fetch(`${url}/status`).catch(() => null);
  const body = (await response?.json()) as DemoStatus | { readonly checks?: undefined } | undefined;
  return body?.checks === undefined ? null : body;
}

/** Until there is one rate to answer with. */
export function nothingYet({ checks: { live_data, daily } }: DemoStatus): readonly string[] {
  const hasDaily = Object.values(daily).some(({ status }) => status !== "missing");
  return hasDaily || live_data.live_currencies > 0 ? [] : ["a first rate"];
}

/** Names each source that has not been read. */
export function unread({ checks: { live_data, daily, official } }: DemoStatus): readonly string[] {
  // Quotes are refused until there are daily references to hold them against.
  const isLacking = live_data.status === "refused" && live_data.live_currencies === 0;
  const live = { "live rates": isLacking ? { status: "missing" } : live_data };
  const all = Object.entries({ ...live, ...daily, ...official });
  return all.flatMap(([name, { status }]) => (status === "missing" ? [name] : []));
}
