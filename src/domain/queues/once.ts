/** Opens something at its first use. A failed opening is not remembered: the next use tries again. */
export function once<T>(open: () => Promise<T>) {
  let opening: Promise<T> | null = null;
  return {
    /** Every call resolves with the same object. */
    get: (): Promise<T> => {
      opening ??= open().catch((fault: unknown) => {
        opening = null;
        throw fault;
      });
      return opening;
    },
    /** Null before the first `get`, and after a failure. */
    opened: (): Promise<T> | null => opening,
  };
}
