/** The list of what the program is made of, as CycloneDX 1.6: packages with versions, licences and digests, and who uses whom. */

import { join } from "node:path";
import { BUN_VERSION, PRODUCT, ROOT } from "#packaging/product.ts";
import { type Installed, runtimeTree } from "./lockfile.ts";

/** Makes `crossrate-<version>.cdx.json` in the folder and returns its path. `at` is when, in ISO 8601. */
export async function writeSbom(output: string, at: string): Promise<string> {
  const path = join(output, `${PRODUCT.name}-${PRODUCT.version}.cdx.json`);
  await Bun.write(path, `${JSON.stringify(await sbom(at), null, 2)}\n`);
  return path;
}

/** The document itself. It is the same for the same lock file and instant. */
export async function sbom(at: string): Promise<object> {
  const { uses, packages } = await runtimeTree(ROOT);
  const components = await Promise.all(packages.map(componentOf));
  const product = {
    ...{
      type: "application",
      name: PRODUCT.name,
      version: PRODUCT.version,
      description: PRODUCT.description,
    },
    ...{ "bom-ref": PRODUCT.name, purl: purlOf(PRODUCT), licenses: licensesOf(PRODUCT.license) },
  };
  const bun = { name: "bun", version: BUN_VERSION };
  const runtime = {
    type: "platform",
    ...bun,
    "bom-ref": "bun",
    purl: purlOf(bun),
    licenses: licensesOf("MIT"),
  };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    ...{ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 },
    metadata: { timestamp: at, component: product },
    components: [...components, runtime],
    dependencies: [
      { ref: PRODUCT.name, dependsOn: [...uses, runtime["bom-ref"]] },
      ...packages.map(({ place, uses: used }) => ({ ref: place, dependsOn: used })),
    ],
  };
}

async function componentOf(installed: Installed) {
  const { name, version, place, folder, integrity, optional } = installed;
  return {
    ...{ type: "library", name, version, "bom-ref": place, purl: purlOf(installed) },
    scope: optional ? "optional" : "required",
    ...(await licensesIn(folder)),
    hashes: [
      { alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") },
    ],
  };
}

/** Licence as the installed package states it; what this platform does not install states none here. */
async function licensesIn(folder: string) {
  const file = Bun.file(join(ROOT, folder, "package.json"));
  if (!(await file.exists())) return {};
  const { license } = (await file.json()) as { readonly license?: string };
  return license === undefined ? {} : { licenses: licensesOf(license) };
}

/** An SPDX identifier, or an expression of several. */
function licensesOf(license: string) {
  return /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];
}

function purlOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
