/** The settings of traces, under OpenTelemetry's own names. */

import { expect, test } from "bun:test";
import { type ConfigFault, readConfig } from "#config.ts";

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

function traces(environment: Readonly<Record<string, string>>) {
  return readConfig({ ACCESS: "open", [ENDPOINT]: "http://127.0.0.1:4318/", ...environment }).traces;
}

function faultsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    traces(environment);
    return [];
  } catch (fault) {
    return (fault as ConfigFault).faults;
  }
}

test("without an address there are no traces, whatever else is set", () => {
  expect(readConfig({ ACCESS: "open", OTEL_SERVICE_NAME: "rates" }).traces).toBeNull();
});

test("an address is enough", () => {
  expect(traces({})).toEqual({
    ...{ url: "http://127.0.0.1:4318/v1/traces", headers: {}, serviceName: "crossrate" },
    ...{ resourceAttributes: {}, sampler: "parentbased_always_on", ratio: 1 },
  });
});

test("headers and attributes are read as OpenTelemetry has them", () => {
  const read = traces({
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-scope = a=b,",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,host.name=one%2Ctwo",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
  });
  expect(read).toMatchObject({
    headers: { authorization: "Bearer abc", "x-scope": "a=b" },
    resourceAttributes: { "deployment.environment.name": "test", "host.name": "one,two" },
    ...{ sampler: "parentbased_traceidratio", ratio: 0.25 },
  });
});

test.each([
  [{ [ENDPOINT]: "ftp://collector" }, ENDPOINT],
  [{ [ENDPOINT]: "collector:4318" }, ENDPOINT],
  [{ OTEL_TRACES_SAMPLER: "jaeger_remote" }, "OTEL_TRACES_SAMPLER"],
  [{ OTEL_TRACES_SAMPLER_ARG: "1.5" }, "OTEL_TRACES_SAMPLER_ARG"],
  [{ OTEL_TRACES_SAMPLER_ARG: "-0" }, "OTEL_TRACES_SAMPLER_ARG"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "no value" }, "OTEL_EXPORTER_OTLP_HEADERS"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "x=%0d%0ainjected: 1" }, "OTEL_EXPORTER_OTLP_HEADERS"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "a%20b=1" }, "OTEL_EXPORTER_OTLP_HEADERS"],
  [{ OTEL_RESOURCE_ATTRIBUTES: "a=%zz" }, "OTEL_RESOURCE_ATTRIBUTES"],
] as [Record<string, string>, string][])("%j is a fault of its setting alone", (environment, name) => {
  const faults = faultsOf(environment);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toStartWith(`${name}=`);
});

test("a fault of the headers does not show them: they may have a key", () => {
  expect(faultsOf({ OTEL_EXPORTER_OTLP_HEADERS: "key-of-the-backend" }).join()).not.toContain("key-of-the");
});
