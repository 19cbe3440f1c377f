/** The settings of traces, as table.ts lists them. */

import type { Setting } from "./setting.ts";

export const TRACE_SETTINGS = [
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    fallback: null,
    meaning:
      "address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; traces go to /v1/traces below it; empty makes none",
  },
  {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    fallback: null,
    secret: true,
    meaning: "headers for the collector, as name=value, comma-separated, values percent-encoded",
  },
  { name: "OTEL_SERVICE_NAME", fallback: "crossrate", meaning: "service.name of the traces" },
  {
    name: "OTEL_RESOURCE_ATTRIBUTES",
    fallback: null,
    meaning: "more about this process in its traces, as name=value, comma-separated, values percent-encoded",
  },
  {
    name: "OTEL_TRACES_SAMPLER",
    fallback: "parentbased_always_on",
    meaning:
      "which traces are sent: `always_on`, `always_off`, `traceidratio`, or one of them with `parentbased_` in front, which goes by the caller's word where there is one",
  },
  {
    name: "OTEL_TRACES_SAMPLER_ARG",
    fallback: "1",
    meaning: "share of the traces that a sampler with `traceidratio` sends, 0 to 1",
  },
] as const satisfies readonly Setting[];
