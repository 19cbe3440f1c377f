/** What replicas share of accounts through Redis, besides the limits of plans: attempts, and news of keys that have ended. */

import { every, later } from "#assembly/timers.ts";
import type { Config } from "#config.ts";
import type { Attempts } from "#ports/attempts.ts";
import type { KeyNews } from "#ports/key-news.ts";
import type { Vault } from "#ports/vault.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import type { Emit } from "#telemetry.ts";

export interface SharedAccounts {
  readonly attempts: Attempts;
  readonly keyNews: KeyNews;
  close(): Promise<void>;
}

/** Local to this process where there is no Redis; the library is loaded only where there is one. */
export async function sharedOf(
  { redisUrl: url, accounts: { replicas } }: Config,
  vault: Pick<Vault, "lookup">,
  forget: KeyNews["ended"],
  emit: Emit,
): Promise<SharedAccounts> {
  if (url === null) {
    return { attempts: memoryAttempts(), keyNews: { ended: forget }, close: async () => {} };
  }
  const { openRedisAttempts } = await import("#store/redis/attempts/attempts.ts");
  const { openKeyMessages } = await import("#store/redis/key-news/key-news.ts");
  // Under the pepper, which all replicas have; no API key begins like what is hashed here.
  const attempts = openRedisAttempts({ url, hide: vault.lookup, replicas, emit });
  const keyNews = openKeyMessages({ url, forget, later, every, emit });
  return {
    attempts,
    keyNews,
    close: async () => {
      attempts.close();
      await keyNews.close();
    },
  };
}

/** For a command beside running servers: `close` waits until they are notified, a second at most. */
export async function keyNewsOf({ redisUrl: url }: Config): Promise<KeyNews & { close(): Promise<void> }> {
  if (url === null) return { ended: () => {}, close: async () => {} };
  const { sendKeyNews } = await import("#store/redis/key-news/key-news.ts");
  return sendKeyNews(url, later);
}
