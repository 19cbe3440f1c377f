/** Settings of traces, under the names that programs with OpenTelemetry have in common. */

import type { SettingsReader } from "./reader.ts";

export interface TraceSettings {
  /** Where spans are sent, with /v1/traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: TraceSampler;
  /** Share of the traces that a sampler by ratio sends, 0 to 1. */
  readonly ratio: number;
}

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type TraceSampler = (typeof SAMPLERS)[number];

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;
const RATIO = /^(?:0|1|0?\.\d{1,9}|1\.0{1,9}|0\.\d{1,9})$/;

/** Null where no collector is named. */
export function readTraces(read: SettingsReader): TraceSettings | null {
  const sampler = read.choice("OTEL_TRACES_SAMPLER", SAMPLERS);
  const share = read.text("OTEL_TRACES_SAMPLER_ARG") ?? "1";
  if (!RATIO.test(share)) read.fault("OTEL_TRACES_SAMPLER_ARG", "a number from 0 to 1 is needed");
  const headers = readPairs(read, "OTEL_EXPORTER_OTLP_HEADERS");
  const isHeader = ([name, value]: readonly [string, string]) =>
    HEADER_NAME.test(name) && HEADER_VALUE.test(value);
  if (!Object.entries(headers).every(isHeader))
    read.fault("OTEL_EXPORTER_OTLP_HEADERS", "a name or a value cannot stand in a header");
  const endpoint = read.address(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    ["http:", "https:"],
    "an http or https address without a query is needed",
  );
  const resourceAttributes = readPairs(read, "OTEL_RESOURCE_ATTRIBUTES");
  if (endpoint === null) return null;
  const serviceName = read.text("OTEL_SERVICE_NAME") as string;
  return {
    ...{ url: `${endpoint}/v1/traces`, headers, serviceName, resourceAttributes },
    ...{ sampler, ratio: Number(share) },
  };
}

/** As the specification of OpenTelemetry has it for both: W3C Baggage without properties. */
function readPairs(
  read: SettingsReader,
  name: "OTEL_EXPORTER_OTLP_HEADERS" | "OTEL_RESOURCE_ATTRIBUTES",
): Readonly<Record<string, string>> {
  const pairs = (read.text(name) ?? "").split(",").filter((pair) => pair.trim() !== "");
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, key = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
        if (key === "") throw new URIError();
        return [decodeURIComponent(key), decodeURIComponent(value)];
      }),
    );
  } catch {
    read.fault(name, "name=value, comma-separated, values percent-encoded, is needed");
    return {};
  }
}
