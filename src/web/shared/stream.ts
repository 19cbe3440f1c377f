/** The stream of rates in a page: it connects again by itself, and says when the server has sent nothing for too long. */

export interface StreamListener {
  /** `name` is snapshot, rates or unavailable; `data` is JSON. */
  event(name: string, data: string): void;
  /** What is on the page may be out of date: the server sent something last at `heardAt`, milliseconds of this browser's clock. */
  lost(heardAt: number): void;
  /** The server sends again. What was lost meanwhile comes as an event, or not at all: the page has to be loaded again. */
  back(): void;
}

/** A server without news sends a comment every 15 seconds: after two that did not come the connection is dead. */
const SILENCE_MILLISECONDS = 35_000;
/** A connection that is there again so soon was never lost. */
const GRACE_MILLISECONDS = 2_000;
const FIRST_WAIT_MILLISECONDS = 1_000;
const LONGEST_WAIT_MILLISECONDS = 15_000;
/** A browser has six connections to a server for all of its tabs: a hidden one gives its own up. */
const UNSEEN_MILLISECONDS = 60_000;
/** Of what a server wants that refuses for a while. */
const LONGEST_WANTED_MILLISECONDS = 120_000;
const LOOK_MILLISECONDS = 1_000;

/**
 * Listens until the returned function is called. `EventSource` would do less: it gives up permanently after an answer such as 503,
 * which a server has while it starts, and does not notice a connection that is silent because it is dead.
 */
export function openStream(address: string, listener: StreamListener): () => void {
  let heardAt = Date.now();
  let triedAt = heardAt;
  let failures = 0;
  let lastId: string | null = null;
  let isLost = false;
  let isOver = false;
  let connection: AbortController | null = null;
  /** No connection is wanted: the page is hidden. */
  let isResting = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  /** Since when a connection that was there is there no more; null while one is, and at first, when the page itself has just come. */
  let downSince: number | null = null;

  const noteActivity = () => {
    heardAt = Date.now();
    downSince = null;
    failures = 0;
    if (!isLost) return;
    isLost = false;
    listener.back();
  };
  const take = (block: string) => {
    const { name, id, data } = readBlock(block);
    if (isOver) return;
    if (id !== null) lastId = id;
    if (name !== null && data !== null) listener.event(name, data);
  };
  const connect = async () => {
    const own = new AbortController();
    connection = own;
    triedAt = Date.now();
    const headers = { Accept: "text/event-stream", ...(lastId === null ? {} : { "Last-Event-ID": lastId }) };
    const answer = await fetch(address, { headers, cache: "no-store", signal: own.signal }).catch(() => null);
    // Any other answer comes from something between here and the server.
    const isStream = answer?.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    if (answer?.ok === true && isStream && answer.body !== null) {
      // Bytes, also those of a comment, say that the server is there.
      await readBlocks(answer.body, () => isOver || noteActivity(), take);
    }
    const wanted = Number(answer?.headers.get("Retry-After") ?? 0) * 1000;
    if (isOver || connection !== own) return;
    connection = null;
    downSince ??= Date.now();
    failures += 1;
    const grown = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** (failures - 1), LONGEST_WAIT_MILLISECONDS);
    // Longer by chance, so that not all pages come back to a server at the same moment.
    const wait = wanted > grown ? Math.min(wanted, LONGEST_WANTED_MILLISECONDS) : grown;
    retry = setTimeout(connect, wait * (1 + Math.random() / 4));
  };
  const connectNow = () => {
    clearTimeout(retry);
    connection?.abort();
    void connect();
  };
  const look = () => {
    if (isResting) return;
    const now = Date.now();
    const isSilent = now - heardAt > SILENCE_MILLISECONDS;
    if (isSilent && connection !== null && now - triedAt > SILENCE_MILLISECONDS) connectNow();
    const isDown = downSince !== null && now - downSince > GRACE_MILLISECONDS;
    if (isLost || !(isSilent || isDown)) return;
    isLost = true;
    listener.lost(heardAt);
  };
  /** The computer was asleep, or its network away, or the page hidden: no need to wait longer. */
  const wake = () => {
    clearTimeout(idle);
    isResting = false;
    look();
    if (connection === null) connectNow();
  };
  const rest = () => {
    isResting = true;
    clearTimeout(retry);
    connection?.abort();
    connection = null;
  };
  const attend = () => {
    if (!document.hidden) wake();
    else idle = setTimeout(rest, UNSEEN_MILLISECONDS);
  };

  const timer = setInterval(look, LOOK_MILLISECONDS);
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", attend);
  void connect();
  return () => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(retry);
    clearTimeout(idle);
    removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", attend);
    connection?.abort();
  };
}

const ENDED = { done: true, value: undefined } as const;

/** Gives every block of lines up to an empty one, as the HTML standard frames events (section 9.2.5). `hear` is called whenever bytes come. */
async function readBlocks(
  body: ReadableStream<Uint8Array>,
  hear: () => void,
  take: (block: string) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    // A connection that breaks off is one that has ended.
    const { done, value } = await reader.read().catch(() => ENDED);
    if (done) return;
    hear();
    text += decoder.decode(value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) take(block);
  }
}

function readBlock(block: string) {
  const fieldOf = (name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  return { name: fieldOf("event"), id: fieldOf("id"), data: fieldOf("data") };
}

/** An event with the digits of its rates as they were sent: a JSON number would be rounded to a double. */
export interface RateEvent {
  readonly market_session: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly effective_at: Readonly<Record<string, string>>;
  readonly stale: Readonly<Record<string, boolean>>;
  readonly digits: Readonly<Record<string, string>>;
}

const RATES = /"rates":\{([^}]*)\}/;
const RATE = /"([A-Z]{3})":([0-9.eE+-]+)/g;

/** The data of a `snapshot` or a `rates` event. */
export function readRateEvent(text: string): RateEvent {
  const digits: Record<string, string> = {};
  for (const [, code = "", rate = ""] of (RATES.exec(text)?.[1] ?? "").matchAll(RATE)) digits[code] = rate;
  return { ...JSON.parse(text), digits };
}

/** Why there are no rates, of an `unavailable` event. */
export function readRefusal(text: string): string {
  const { message } = JSON.parse(text) as { readonly message: string };
  return `There are no current rates: ${message}`;
}
