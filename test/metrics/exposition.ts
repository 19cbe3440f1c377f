/** A strict reader of the Prometheus text format 0.0.4: whatever is not exactly the format throws. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP_LINE = new RegExp(`^# HELP (${NAME}) (\\S.*)$`);
const TYPE_LINE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`);
const SAMPLE_LINE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
/** One label and what follows it; a value holds no bare quote, backslash or line feed. */
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/** Every family, in order. Each has HELP, then TYPE, then its samples, all once; values are finite. */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line is not ended");
  const families = new Map<
    string,
    { name: string; help: string; type?: Family["type"]; samples: Sample[] }
  >();
  const series = new Set<string>();
  let current: string | null = null;
  for (const line of text.slice(0, -1).split("\n")) {
    if (line === "") continue;
    const fail = (reason: string) => new Error(`${reason}: ${line}`);
    const [, helped, help = ""] = HELP_LINE.exec(line) ?? [];
    if (helped !== undefined) {
      if (families.has(helped)) throw fail("a second HELP");
      if (/\\(?![\\n])/.test(help)) throw fail("a bare backslash");
      families.set(helped, { name: helped, help, samples: [] });
      current = helped;
      continue;
    }
    const [, typed, type] = TYPE_LINE.exec(line) ?? [];
    const family = families.get(typed ?? current ?? "");
    if (typed !== undefined) {
      if (family === undefined || typed !== current) throw fail("TYPE without HELP before it");
      if (family.type !== undefined || family.samples.length > 0) throw fail("a second or late TYPE");
      family.type = type as Family["type"];
      continue;
    }
    const match = SAMPLE_LINE.exec(line);
    if (match === null) throw fail("neither comment nor sample");
    const [, name = "", labelText, value = ""] = match;
    const member = family?.type === "histogram" ? name.replace(/_(bucket|sum|count)$/, "") : name;
    if (family?.type === undefined || member !== current || (family.type === "histogram" && member === name))
      throw fail("a sample outside of its family");
    if (!NUMBER.test(value)) throw fail("not a finite number");
    const labels = readLabels(labelText ?? "", fail);
    const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (series.has(key)) throw fail("a second sample of the series");
    series.add(key);
    family.samples.push({ name, labels, value: Number(value) });
  }
  for (const family of families.values()) {
    if (family.type === undefined) throw new Error(`${family.name} has no TYPE`);
    if (family.type === "histogram") checkHistogram(family as Family);
  }
  return families as ReadonlyMap<string, Family>;
}

export interface Distribution {
  /** Samples up to each bound, by the text of the bound; "+Inf" is the last. */
  readonly upTo: Readonly<Record<string, number>>;
  readonly sum: number;
  readonly count: number;
}

interface Written extends Distribution {
  /** As they were written, in that order. */
  readonly lines: readonly (readonly [le: string, count: number])[];
}

/** The distributions of a histogram, by the JSON of their labels without `le`. */
function distributionsOf({ name: family, samples }: Family): ReadonlyMap<string, Written> {
  const found = new Map<
    string,
    { upTo: Record<string, number>; lines: [string, number][]; sum: number; count: number }
  >();
  for (const { name, labels, value } of samples) {
    const { le, ...own } = labels;
    const key = JSON.stringify(own);
    const one = found.get(key) ?? { upTo: {}, lines: [], sum: Number.NaN, count: Number.NaN };
    found.set(key, one);
    if (name === `${family}_sum`) one.sum = value;
    else if (name === `${family}_count`) one.count = value;
    else if (le === undefined) throw new Error(`${name} has no le`);
    else {
      one.upTo[le] = value;
      one.lines.push([le, value]);
    }
  }
  return found;
}

/** Bounds rise, counts never fall, +Inf is the last and the count. */
function checkHistogram(family: Family): void {
  for (const [labels, { lines, sum, count }] of distributionsOf(family)) {
    const fail = (reason: string) => new Error(`${family.name}${labels}: ${reason}`);
    const bounds = lines.map(([le]) => (le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le)));
    const counts = lines.map(([, value]) => value);
    const rises = (values: readonly number[]) =>
      values.every((value, place) => place === 0 || value >= (values[place - 1] as number));
    if (Number.isNaN(sum) || Number.isNaN(count)) throw fail("sum or count is missing");
    if (!rises(bounds) || bounds.at(-1) !== Number.POSITIVE_INFINITY) throw fail("bounds are not in order");
    if (!rises(counts) || counts.at(-1) !== count) throw fail("counts do not add up");
  }
}

/** The distribution with exactly these labels; undefined when there is none. */
export function distributionOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Distribution | undefined {
  const family = families.get(name);
  if (family === undefined) throw new Error(`there is no metric ${name}`);
  const written = distributionsOf(family).get(JSON.stringify(labels));
  if (written === undefined) return undefined;
  const { upTo, sum, count } = written;
  return { upTo, sum, count };
}

function readLabels(text: string, fail: (reason: string) => Error): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ""; ) {
    const match = LABEL.exec(rest);
    if (match === null) throw fail("labels that cannot be read");
    const [whole, name = "", escaped = "", end] = match;
    if (name in labels) throw fail("a label twice");
    labels[name] = escaped.replace(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
    rest = rest.slice(whole.length);
    if (end === "," && rest === "") throw fail("a comma too many");
  }
  return labels;
}

/** The value of the one sample with exactly these labels; undefined when there is none. */
export function sampleOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name);
  if (family === undefined) throw new Error(`there is no metric ${name}`);
  return family.samples.find((sample) => Bun.deepEquals(sample.labels, labels))?.value;
}
