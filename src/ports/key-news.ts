/** News that API keys have changed: for the cache of this process and those of the other replicas. Types only. */

export interface KeyNews {
  /**
   * Ids of keys that no longer work, that have begun their grace, or whose organization or owner has changed: another plan,
   * suspended, admitted again. Called after the ledger has it. Never fails and is not waited for: a process that misses it
   * reads the key anew within seconds.
   */
  ended(keyIds: readonly string[]): void;
}
