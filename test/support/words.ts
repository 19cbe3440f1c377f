/** What a text says between its spaces: a list that is easier to read in lines. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
