/** Settings of a lake in a bucket: its address, and the usual environment variables of S3 programs. */

import type { SettingsReader } from "./reader.ts";

export interface StorageSettings {
  /** Without a slash at its end; the bucket is the first part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  /** Bytes of data files that the local copy may have. */
  readonly copyBytes: number;
}

/** As S3 allows, without dots: the certificate of a host is not for them. */
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const PREFIX = /^[A-Za-z0-9!_.*'()=-]+(\/[A-Za-z0-9!_.*'()=-]+)*$/;

/** Null where the lake is in DATA_DIR. */
export function readStorage(read: SettingsReader): StorageSettings | null {
  const copyBytes = read.integer("LAKE_CACHE_MB", 16, 10_000_000) * 1_000_000;
  const url = read.text("LAKE_URL");
  if (url === null) return null;
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/*$/.exec(url) ?? [];
  const isFolder =
    prefix === "" || (PREFIX.test(prefix) && !prefix.split("/").some((part) => /^\.+$/.test(part)));
  if (!BUCKET.test(bucket) || !isFolder)
    read.fault(
      "LAKE_URL",
      "s3://bucket or s3://bucket/prefix is needed, without a query, the bucket without dots",
    );
  const region = read.text("AWS_REGION") ?? "us-east-1";
  const needed = (name: "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY") => {
    const value = read.text(name);
    if (value === null) read.fault(name, "LAKE_URL needs it");
    return value ?? "";
  };
  return {
    endpoint: readEndpoint(read) ?? `https://s3.${region}.amazonaws.com`,
    ...{ bucket, prefix, region, copyBytes },
    accessKeyId: needed("AWS_ACCESS_KEY_ID"),
    secretAccessKey: needed("AWS_SECRET_ACCESS_KEY"),
    sessionToken: read.text("AWS_SESSION_TOKEN"),
  };
}

function readEndpoint(read: SettingsReader): string | null {
  const addressed = (name: "AWS_ENDPOINT_URL_S3" | "AWS_ENDPOINT_URL") =>
    read.address(name, ["http:", "https:"], "an http or https address without a query is needed");
  return addressed("AWS_ENDPOINT_URL_S3") ?? addressed("AWS_ENDPOINT_URL");
}
