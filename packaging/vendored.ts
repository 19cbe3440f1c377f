/** Compresses the large files of other projects that are part of the product, beside them: `bun packaging/vendored.ts` after one was replaced. */

import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { ROOT } from "#packaging/product.ts";

const FILES = ["src/web/docs/vendor/scalar-1.72.1.js"];
/** The server sends them as they are: the best that each coding can do. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 };

for (const file of FILES) {
  const path = join(ROOT, file);
  const bytes = await Bun.file(path).bytes();
  const brotli = brotliCompressSync(bytes, {
    params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
  });
  const gzip = gzipSync(bytes, { level: 9 });
  await Promise.all([Bun.write(`${path}.br`, brotli), Bun.write(`${path}.gz`, gzip)]);
  console.log(`${file}: ${bytes.byteLength} bytes, br ${brotli.byteLength}, gzip ${gzip.byteLength}`);
}
