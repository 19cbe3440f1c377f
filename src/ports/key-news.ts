/** Who must hear at once that API keys do not stand as before: what this process remembers of them, and the other replicas. Types only. */

export interface KeyNews {
  /**
   * Ids of keys that no longer work, that have begun their grace, or whose organization or owner stands otherwise now: on
   * another plan, suspended, let in again. Told after the ledger has it. Never fails and is not waited for: whoever misses
   * it finds out by looking again within seconds.
   */
  ended(keyIds: readonly string[]): void;
}
