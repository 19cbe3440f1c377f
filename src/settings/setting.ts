/** What a setting says of itself. */

export interface Setting {
  readonly name: string;
  /** As shown in the README; null means the setting is empty by default. */
  readonly fallback: string | null;
  readonly meaning: string;
  /** Its value is never printed. */
  readonly secret?: boolean;
}
