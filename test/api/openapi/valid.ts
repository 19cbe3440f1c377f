/** All operations that the documents describe, with their sample calls; and a whole document by two validators. */

import { expect } from "bun:test";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { dashboardOperationsOf, type Operation, operationsOf } from "#api/openapi/operations.ts";
import { describedRoutes } from "#api/resources.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export const OPERATIONS = operationsOf(describedRoutes());
export const DASHBOARD_OPERATIONS = dashboardOperationsOf(describedRoutes());

/** Valid by the schema of OpenAPI 3.1 and by Redocly's strict rules, every example included. */
export async function expectValid(document: Record<string, unknown>): Promise<void> {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const directory = temporaryDirectory();
  const file = join(directory, "openapi.json");
  await Bun.write(file, JSON.stringify(document, null, 1));
  const config = join(import.meta.dir, "redocly.yaml");
  const command = ["node_modules/@redocly/cli/bin/cli.js", "lint", "--format=stylish"];
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
  const lint = Bun.spawnSync([process.execPath, ...command, `--config=${config}`, file], {
    env: { ...process.env, ...quiet },
  });
  expect(`${lint.stdout}${lint.stderr}`).toContain("is valid");
  expect(lint.exitCode).toBe(0);
}

export function sampleCall({
  method,
  path,
  parameters = [],
  body,
}: Operation): readonly [path: string, init: RequestInit] {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, example, inSampleCall } of parameters) {
    if (example === undefined || inSampleCall === false) continue;
    if (place === "path") filled = filled.replace(`{${name}}`, String(example));
    if (place === "query") query.set(name, String(example));
  }
  const headers = new Headers({ Host: "localhost" });
  const init: RequestInit = { method: method.toUpperCase(), headers };
  if (method !== "get") {
    headers.set("Content-Type", "application/json");
    // A body that no operation describes is not read.
    init.body = body === undefined ? "{broken" : JSON.stringify(body.example);
  }
  return [`${filled}${query.size === 0 ? "" : `?${query}`}`, init];
}
