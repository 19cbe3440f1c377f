/** Reads the Prometheus text format as the exporter's library writes it. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Every family, in order. Throws for a line that is neither a comment nor a sample with a finite value. */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family & { readonly samples: Sample[] }>();
  for (const block of text.split(/^# HELP /m).slice(1)) {
    const [head = "", type = "", ...lines] = block.trimEnd().split("\n");
    const [name = "", ...help] = head.split(" ");
    const samples = lines.map((line): Sample => {
      const [, sample = "", labels = "", value] = SAMPLE.exec(line) ?? [];
      if (!Number.isFinite(Number(value))) throw new Error(`not a sample: ${line}`);
      const pairs = [...labels.matchAll(LABEL)].map(([, label = "", text = ""]) => [label, text] as const);
      return { name: sample, labels: Object.fromEntries(pairs), value: Number(value) };
    });
    families.set(name, { name, help: help.join(" "), type: type.split(" ").at(-1) ?? "", samples });
  }
  return families;
}

function familyOf(families: ReadonlyMap<string, Family>, name: string): Family {
  const family = families.get(name);
  if (family === undefined) throw new Error(`there is no metric ${name}`);
  return family;
}

/** The value of the one sample with exactly these labels; undefined when there is none. */
export function sampleOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return familyOf(families, name).samples.find((sample) => Bun.deepEquals(sample.labels, labels))?.value;
}

/** The distribution of a histogram with these labels: its samples up to each bound, their sum and count; undefined when there is none. */
export function distributionOf(
  families: ReadonlyMap<string, Family>,
  metric: string,
  labels: Readonly<Record<string, string>> = {},
) {
  const samples = familyOf(families, metric).samples.filter(({ labels: { le: _, ...own } }) =>
    Bun.deepEquals(own, labels),
  );
  const of = (suffix: string) => samples.filter(({ name }) => name === `${metric}_${suffix}`);
  const [sum] = of("sum");
  const [count] = of("count");
  if (sum === undefined || count === undefined) return undefined;
  const upTo = Object.fromEntries(of("bucket").map(({ labels: { le = "" }, value }) => [le, value]));
  return { upTo, sum: sum.value, count: count.value };
}
