/** The list of what the program is made of: valid CycloneDX 1.6, complete, and the same for the same lock file. */

import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { PRODUCT } from "#packaging/product.ts";
import { sbom } from "#packaging/sbom/cyclonedx.ts";

interface Component {
  readonly name: string;
  readonly version: string;
  readonly "bom-ref": string;
  readonly purl: string;
  readonly scope?: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly content: string }[];
}

interface Sbom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const AT = "2026-04-13T16:30:00.000Z";
const SCHEMAS = join(
  dirname(fileURLToPath(import.meta.resolve("@cyclonedx/cyclonedx-library/package.json"))),
  "res/schema",
);

async function schema(name: string): Promise<object> {
  return await Bun.file(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`)).json();
}

describe("the SBOM", async () => {
  const bom = (await sbom(AT)) as Sbom;
  const required = bom.components.filter(({ scope }) => scope === "required");

  test("is valid by the official schema", async () => {
    const ajv = new Ajv({ strict: false, formats: { "iri-reference": true, "idn-email": true } });
    addFormats(ajv);
    for (const name of ["spdx", "jsf-0.82", "cryptography-defs"])
      ajv.addSchema(await schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(await schema("bom-1.6"));
    validate(bom);
    expect(validate.errors ?? []).toEqual([]);
    validate({ ...bom, components: [{ type: "no such type" }] });
    expect(validate.errors).not.toEqual([]);
  });

  test("names every runtime dependency with the version of package.json, and no tool of the development", () => {
    const versions = new Map(bom.components.map(({ name, version }) => [name, version]));
    for (const [name, version] of Object.entries(PRODUCT.dependencies))
      expect([name, versions.get(name)]).toEqual([name, version]);
    for (const name of ["@biomejs/biome", "typescript", "knip"]) expect(versions.has(name)).toBe(false);
    expect(versions.get("bun")).toBe(PRODUCT.packageManager.replace("bun@", ""));
  });

  test("has a licence and a digest of everything that is always installed", () => {
    const lacking = required.filter(({ licenses = [], hashes = [] }) => licenses.length + hashes.length < 2);
    expect(lacking.map(({ name }) => name)).toEqual([]);
    for (const { hashes = [] } of required)
      for (const { content } of hashes) expect(content).toMatch(/^[0-9a-f]{64}(?:[0-9a-f]{64})?$/);
  });

  test("refers to components that it has, each once", () => {
    const refs = bom.components.map((component) => component["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    const known = new Set([PRODUCT.name, ...refs]);
    for (const { ref, dependsOn } of bom.dependencies)
      expect([ref, ...dependsOn].filter((name) => !known.has(name))).toEqual([]);
  });

  test("is the same for the same lock file and instant", async () => {
    expect(await sbom(AT)).toEqual(bom);
  });
});
