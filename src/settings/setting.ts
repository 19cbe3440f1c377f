/** The description of a setting. */

export interface Setting {
  readonly name: string;
  /** As shown in docs/configuration.md; null means the setting is empty by default. */
  readonly fallback: string | null;
  readonly meaning: string;
  /** Its value is never printed. */
  readonly secret?: boolean;
}
