/** What replicas share of accounts through Redis, besides the limits of plans: attempts, and news of keys that have ended. */

import type { Config } from "#config.ts";
import type { Attempts } from "#ports/attempts.ts";
import type { KeyNews } from "#ports/key-news.ts";
import type { Vault } from "#ports/vault.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import type { Tell } from "#telemetry.ts";
import { every, later } from "./timers.ts";

export interface SharedAccounts {
  readonly attempts: Attempts;
  readonly keyNews: KeyNews;
  close(): Promise<void>;
}

/** In this process alone where there is no Redis; the library is loaded only where there is one. */
export async function sharedOf(
  { redisUrl: url, accounts: { replicas } }: Config,
  vault: Pick<Vault, "lookup">,
  forget: KeyNews["ended"],
  tell: Tell,
): Promise<SharedAccounts> {
  if (url === null) {
    return { attempts: memoryAttempts(), keyNews: { ended: forget }, close: async () => {} };
  }
  const { openRedisAttempts } = await import("#store/redis/attempts/attempts.ts");
  const { openKeyMessages } = await import("#store/redis/key-news/key-messages.ts");
  // Under the pepper, which all replicas have; no API key begins like what is hashed here.
  const attempts = openRedisAttempts({ url, hide: vault.lookup, replicas, tell });
  const keyNews = openKeyMessages({ url, forget, later, every, tell });
  return {
    attempts,
    keyNews,
    close: async () => {
      attempts.close();
      await keyNews.close();
    },
  };
}

/** For a command beside running servers: `close` waits until they are told, a second at most. */
export async function keyNewsOf({ redisUrl: url }: Config): Promise<KeyNews & { close(): Promise<void> }> {
  if (url === null) return { ended: () => {}, close: async () => {} };
  const { tellKeyNews } = await import("#store/redis/key-news/key-news.ts");
  return tellKeyNews(url, later);
}
