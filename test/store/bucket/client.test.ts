/** The client of S3-compatible storage: conditional writes, attempts, listings, and what it says when the storage is away. */

import { test as bunTest, describe, expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import { listedIn, nextPageIn, openBucketClient } from "#store/bucket/client.ts";
import { StorageAway } from "#store/delta/storage.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { bucketBehind, MOTO, motoBucket, newBucket, QUICK } from "./storage-server.ts";

// Not of moto, which looks for the object and writes it in two steps of a thread: two of its writers can win.
bunTest("of writers that race for one name exactly one wins, and its content is there", async () => {
  const client = openBucketClient(await newBucket());
  for (let round = 0; round < 5; round++) {
    const texts = Array.from({ length: 8 }, (_, at) => `writer ${at}`);
    const won = await Promise.all(
      texts.map((text) => client.putIfAbsent(`name ${round}`, text, sha256(text))),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await client.text(`name ${round}`)).toBe(texts[won.indexOf(true)] as string);
  }
});

describe.each([
  ["in this process", newBucket, false],
  ["of moto", motoBucket, MOTO === null],
] as const)("a bucket %s", (_, open, isMissing) => {
  const test = bunTest.skipIf(isMissing);
  test("the server refuses a second conditional write: without that the other tests would prove nothing", async () => {
    const { way, through } = await bucketBehind(open);
    const client = openBucketClient(through, QUICK);
    expect(await client.putIfAbsent("one", "first", sha256("first"))).toBe(true);
    expect(await client.putIfAbsent("one", "second", sha256("second"))).toBe(false);
    expect(await client.text("one")).toBe("first");
    // Not refused for another reason: one request each, and without the condition it is replaced.
    expect(way.requests).toHaveLength(3);
    await client.put("one", "third", sha256("third"));
    expect(await client.text("one")).toBe("third");
  });

  test("objects are written, listed in the order of their keys, read and removed", async () => {
    const place = await open();
    const client = openBucketClient(place);
    const keys = ["a/source=ecb_daily/year=2026/part-1.parquet", "a/b&c.json", "a/d <e>.json", "b/other"];
    for (const key of keys) await client.put(key, key, sha256(key));
    const listed = await client.list("a/");
    expect(listed.map(({ key }) => key)).toEqual(keys.slice(0, 3).sort());
    for (const { bytes, age, key } of listed) {
      expect(bytes).toBe(key.length);
      expect(Math.abs(age)).toBeLessThan(600_000);
    }
    for (const key of keys) expect(await client.text(key)).toBe(key);
    await client.remove("a/b&c.json");
    expect(await client.text("a/b&c.json")).toBeNull();
  });

  test("a file goes there and comes back", async () => {
    const client = openBucketClient(await open());
    const directory = temporaryDirectory();
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    const bytes = crypto.getRandomValues(new Uint8Array(50_000));
    writeFileSync(from, bytes);
    const digest = sha256(bytes);
    await client.put("file", Bun.file(from), digest);
    expect(await client.download("file", to, bytes.length)).toBe(true);
    expect(Buffer.from(await Bun.file(to).arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
    expect(await client.download("none", to, 1)).toBe(false);
  });

  test("refusals and broken connections are tried again; an answer that says no is not", async () => {
    const { place, way, through } = await bucketBehind(open);
    const client = openBucketClient(through, QUICK);
    way.decide(({ number }) => (number === 1 ? "refuse" : number === 2 ? "gone" : "pass"));
    await client.put("key", "text", sha256("text"));
    expect(way.requests).toHaveLength(3);
    expect(await client.text("key")).toBe("text");
    const before = way.requests.length;
    expect(await client.text("key-of-no-object")).toBeNull();
    const nowhere = openBucketClient({ ...place, endpoint: way.endpoint, bucket: "no-such-bucket" }, QUICK);
    const fault = await nowhere.text("key").catch((found: unknown) => found);
    expect(String(fault)).toContain("NoSuchBucket");
    expect(way.requests.length - before).toBe(2);
  });

  test("storage that is gone is a StorageAway that names the request, and no credential", async () => {
    const { place, way, through } = await bucketBehind(open);
    way.decide(() => "gone");
    const client = openBucketClient(through, QUICK);
    const fault = await client.text("key").catch((found: unknown) => found);
    expect(fault).toBeInstanceOf(StorageAway);
    expect((fault as StorageAway).what).toStartWith(`GET ${place.bucket}/key: `);
    expect(String(fault)).not.toContain(place.secretAccessKey);
    expect(way.requests).toHaveLength(QUICK.attempts);
  });
});

bunTest(
  "an address that leads elsewhere is a fault with its reason, and is not followed: the signature is for one host",
  async () => {
    let requests = 0;
    const server = Bun.serve({
      port: 0,
      fetch: () => {
        requests += 1;
        const headers = { location: "http://127.0.0.1:9/elsewhere" };
        return new Response("<Error><Code>PermanentRedirect</Code></Error>", { status: 301, headers });
      },
    });
    const endpoint = `http://127.0.0.1:${server.port}`;
    const secrets = { accessKeyId: "id", secretAccessKey: "secret", sessionToken: null };
    const client = openBucketClient(
      { endpoint, bucket: "elsewhere", region: "us-east-1", ...secrets },
      QUICK,
    );
    await expect(client.text("key")).rejects.toThrow("the storage answered 301 PermanentRedirect");
    expect(requests).toBe(1);
    await server.stop(true);
  },
);

bunTest("a listing whose end did not arrive is asked for again, and lists nothing", async () => {
  const whole =
    "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key><LastModified>1970-01-01T00:00:01.000Z</LastModified><Size>7</Size></Contents></ListBucketResult>";
  let requests = 0;
  const server = listen(() => new Response(++requests === 1 ? whole.slice(0, 70) : whole));
  const place = { endpoint: `http://127.0.0.1:${server.port}`, bucket: "cut", region: "us-east-1" };
  const client = openBucketClient(
    { ...place, accessKeyId: "id", secretAccessKey: "secret", sessionToken: null },
    QUICK,
  );
  expect((await client.list("")).map(({ key }) => key)).toEqual(["a"]);
  expect(requests).toBe(2);
});

bunTest("a listing goes on from page to page, and one that breaks off is a fault", () => {
  const page = (more: string) => `<ListBucketResult><Name>b</Name>${more}</ListBucketResult>`;
  expect(nextPageIn(page("<IsTruncated>false</IsTruncated>"))).toBeNull();
  const next = "<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b==</NextContinuationToken>";
  expect(nextPageIn(page(next))).toBe("a&b==");
  expect(() => nextPageIn(page("<IsTruncated>true</IsTruncated>"))).toThrow("breaks off");
  expect(() => listedIn("<html>a proxy's page</html>", 0)).toThrow("no whole listing");
  expect(() => listedIn(page("<Contents><Key>a</Key></Contents>"), 0)).toThrow("no key, size or time");
  const half = page("<IsTruncated>false</IsTruncated>").slice(0, -10);
  expect(() => listedIn(half, 0)).toThrow("no whole listing");
  const entry =
    "<Contents><Key>a%2Fb%20c</Key><LastModified>1970-01-01T00:00:01.000Z</LastModified><Size>7</Size></Contents>";
  expect(listedIn(page(entry), 5_000)).toEqual([{ key: "a/b c", bytes: 7, age: 4_000 }]);
});
