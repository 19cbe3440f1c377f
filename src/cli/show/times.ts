/** Instants and ages for people. */

const STEPS = [
  { seconds: 86_400, unit: "d" },
  { seconds: 3600, unit: "h" },
  { seconds: 60, unit: "min" },
] as const;

/** `2026-04-13 16:30:17` of an instant of the server; always UTC. */
export function shownInstant(instant: string): string {
  return instant.replace("T", " ").replace(/(\.\d+)?Z$/, "");
}

/** How long before `now` an instant was: `2 s`, `15 min`, `3 h`, `10 d`. */
export function ageOf(instant: string, now: string): string {
  return shownSeconds(Math.max(0, (Date.parse(now) - Date.parse(instant)) / 1000));
}

/** `45 s`, `15 min`, `3 h`, `10 d`: whole ones, rounded down. */
export function shownSeconds(seconds: number): string {
  const step = STEPS.find((candidate) => seconds >= candidate.seconds);
  return step === undefined
    ? `${Math.floor(seconds)} s`
    : `${Math.floor(seconds / step.seconds)} ${step.unit}`;
}
