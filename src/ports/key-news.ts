/** Who must hear at once that API keys have ended: what this process remembers of them, and the other replicas. Types only. */

export interface KeyNews {
  /**
   * Ids of keys that no longer work, or that have begun their grace. Told after the ledger has it. Never fails and is not
   * waited for: whoever misses it finds out by looking again within seconds.
   */
  ended(keyIds: readonly string[]): void;
}
