/** The manifests of deploy/kubernetes as objects, as far as the tests look at them. */

import { readDocument } from "#test/docs/document.ts";

export interface Probe {
  readonly httpGet: {
    readonly path: string;
    readonly port: number;
    readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
  };
}

export interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, string>>;
  };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface Pod {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly [Container];
}

type Labels = Readonly<Record<string, string>>;

export interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly selector?: { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels: Labels };
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
  };
}

/** What the image sets, by the Dockerfile. */
export async function imageEnvironment(): Promise<Record<string, string>> {
  const set = (await readDocument("Dockerfile")).matchAll(/\b([A-Z_]+)=([^\s\\]+)/g);
  return Object.fromEntries(Array.from(set, ([, name = "", value = ""]) => [name, value]));
}

export const MANIFESTS = ["one.yaml", "replicas.yaml", "bucket.yaml"] as const;

export async function readManifests(file: string): Promise<readonly Resource[]> {
  const documents = (await readDocument(`deploy/kubernetes/${file}`)).split(/^---$/m);
  return documents.map((text) => Bun.YAML.parse(text) as Resource);
}

export function workloads(resources: readonly Resource[]) {
  return resources.flatMap(({ kind, metadata, spec }) => {
    const template = spec?.template;
    if (template === undefined) return [];
    const { labels } = template.metadata;
    const [container] = template.spec.containers;
    return [
      { kind, name: metadata.name, replicas: spec?.replicas ?? 1, labels, pod: template.spec, container },
    ];
  });
}

/** What a pod's process gets from ConfigMap and its own list; secrets apart. */
export function settingsOf(resources: readonly Resource[], { env = [] }: Container): Record<string, string> {
  const config = resources.find(({ kind }) => kind === "ConfigMap")?.data ?? {};
  return { ...config, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) };
}
