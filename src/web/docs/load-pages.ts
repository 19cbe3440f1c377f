/** Loads what renders Markdown and colours code: several megabytes that a server needs when somebody reads its guides. */

export const loadPages = async () => await import("./page.tsx");
