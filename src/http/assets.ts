import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file that pages ask for, in every encoding that it may be sent in. */
export interface Asset {
  readonly contentType: string;
  /** Of its content: an address with it never changes what it means. */
  readonly version: string;
  readonly encoded: Readonly<Record<AssetEncoding, Buffer>>;
}

export type AssetEncoding = 'br' | 'gzip' | 'identity';

export interface Assets {
  find(name: string): Asset | undefined;
  /**
   * Where pages ask for it: with its version, so that browsers may keep it for good.
   * @throws Error there is no such file; a view that misspells one is never rendered
   */
  address(name: string): string;
}

export const ASSET_PREFIX = '/static/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The assets beside `src` and `dist` alike. */
const STATIC_DIRECTORY = fileURLToPath(new URL('../../static/', import.meta.url));

/**
 * Reads and compresses every file of `directory` once: they are few, small, text, and the same for everybody.
 * @throws Error a file has no known content type
 */
export function readAssets(directory: string = STATIC_DIRECTORY): Assets {
  const assets = new Map(readdirSync(directory).map((name) => [name, readAsset(join(directory, name))]));
  return {
    find: (name) => assets.get(name),
    address(name) {
      const asset = assets.get(name);
      if (asset === undefined) throw new Error(`no asset is named ${name}`);
      return `${ASSET_PREFIX}${name}?v=${asset.version}`;
    },
  };
}

const VERSION_LENGTH = 16;

function readAsset(file: string): Asset {
  const contentType = CONTENT_TYPES[extname(file)];
  if (contentType === undefined) throw new Error(`${file} has no known content type`);
  const identity = readFileSync(file);
  return {
    contentType,
    version: createHash('sha256').update(identity).digest('base64url').slice(0, VERSION_LENGTH),
    encoded: { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity },
  };
}
