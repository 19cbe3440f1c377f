/** Waits until the demo has read its sources, by its /status. */

export interface DemoStatus {
  readonly status: string;
  readonly checks: {
    readonly live_data: { readonly status: string; readonly live_currencies: number };
    readonly daily: Readonly<Record<string, { readonly status: string }>>;
    readonly official: Readonly<Record<string, { readonly status: string }>>;
  };
}

export interface Waiting {
  /** Reads /status; null when the server does not answer it, for example while it stops or for a host that is not allowed. */
  readonly status: () => Promise<DemoStatus | null>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The longest wait, in milliseconds. */
  readonly patience: number;
  /** Names the missing sources of a status: `nothingYet` or `unread`. */
  readonly missingIn: (status: DemoStatus) => readonly string[];
}

const PAUSE_MILLISECONDS = 100;

/** Resolves with the names of missing sources after the patience, or with an empty list as soon as all are read. */
export async function waitUntilRead(waiting: Waiting): Promise<readonly string[]> {
  const { status, sleep, patience, missingIn } = waiting;
  for (let waited = 0; ; waited += PAUSE_MILLISECONDS) {
    const now = await status();
    const missing = now === null ? [] : missingIn(now);
    if (missing.length === 0 || waited >= patience) return missing;
    await sleep(PAUSE_MILLISECONDS);
  }
}

export async function statusAt(url: string): Promise<DemoStatus | null> {
  const response = await fetch(`${url}/status`).catch(() => null);
  const body = (await response?.json()) as DemoStatus | { readonly checks?: undefined } | undefined;
  return body?.checks === undefined ? null : body;
}

/** Names what is missing for one rate. */
export function nothingYet({ checks: { live_data, daily } }: DemoStatus): readonly string[] {
  const hasDaily = Object.values(daily).some(({ status }) => status !== "missing");
  return hasDaily || live_data.live_currencies > 0 ? [] : ["a first rate"];
}

/** Names each source that has not been read. */
export function unread({ checks: { live_data, daily, official } }: DemoStatus): readonly string[] {
  // Quotes are refused until daily references can confirm them.
  const isLacking = live_data.status === "refused" && live_data.live_currencies === 0;
  const live = { "live rates": isLacking ? { status: "missing" } : live_data };
  const all = Object.entries({ ...live, ...daily, ...official });
  return all.flatMap(([name, { status }]) => (status === "missing" ? [name] : []));
}
