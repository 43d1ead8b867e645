import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** A file that is served under `ASSET_PREFIX`. */
export interface Asset {
  readonly contentType: string;
  /** A hash of the content. URLs include this hash, so the content at a URL never changes. */
  readonly version: string;
  /** Resolves with the content in this encoding. Compresses the content on first use, and caches the result. */
  encoded(encoding: AssetEncoding): Promise<Buffer>;
}

export type AssetEncoding = 'br' | 'gzip' | 'identity';

export interface Assets {
  find(name: string): Asset | undefined;
  /**
   * Returns the file's URL, with its version, so that browsers may cache the file forever.
   * @throws Error if no file has this name
   */
  url(name: string): string;
}

export const ASSET_PREFIX = '/static/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files in packages, with their names in URLs. */
const PACKAGE_FILES = [
  ['simplewebauthn.js', fileInPackage('@simplewebauthn/browser', 'dist/bundle/index.umd.min.js')],
] as const;

/** Files that pages share with standalone scripts, with their names in URLs. */
const SHARED_SCRIPTS = [
  ['chain-rules.js', fileURLToPath(new URL('../../../scripts/chain-rules.mjs', import.meta.url))],
] as const;

/** The relative path is the same for the source in `src` and the build in `dist`. */
const STATIC_DIRECTORY = fileURLToPath(new URL('../../../static/', import.meta.url));

let cachedAssets: Assets | undefined;

/**
 * Returns the files in `static`, the shared scripts and the files from packages. The first call reads all files into
 * memory, because they are few and small.
 * @throws Error if a file has an unknown content type
 */
export function readAssets(): Assets {
  return (cachedAssets ??= readAllFiles(STATIC_DIRECTORY));
}

function readAllFiles(staticDirectory: string): Assets {
  const staticFiles = readdirSync(staticDirectory).map((name) => [name, join(staticDirectory, name)] as const);
  const assets = new Map(
    [...staticFiles, ...SHARED_SCRIPTS, ...PACKAGE_FILES].map(([name, file]) => [name, readAsset(file)]),
  );
  return {
    find: (name) => assets.get(name),
    url(name) {
      const asset = assets.get(name);
      if (asset === undefined) throw new Error(`no asset is named ${name}`);
      return `${ASSET_PREFIX}${name}?v=${asset.version}`;
    },
  };
}

const VERSION_LENGTH = 16;

const COMPRESSORS: Readonly<Record<AssetEncoding, (content: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
  identity: (content) => Promise.resolve(content),
};

function readAsset(file: string): Asset {
  const contentType = CONTENT_TYPES[extname(file)];
  if (contentType === undefined) throw new Error(`${file} has no known content type`);
  return createAsset(contentType, readFileSync(file));
}

/** @param identity the uncompressed content */
export function createAsset(contentType: string, identity: Buffer): Asset {
  return {
    contentType,
    version: createHash('sha256').update(identity).digest('base64url').slice(0, VERSION_LENGTH),
    encoded: lazyEncodings(identity),
  };
}

/**
 * Returns a function that compresses the content on first use, because compressing all files at startup took an eighth
 * of the startup time.
 */
function lazyEncodings(identity: Buffer): Asset['encoded'] {
  const encodings: { [Encoding in AssetEncoding]?: Promise<Buffer> } = {};
  return (encoding) =>
    (encodings[encoding] ??= COMPRESSORS[encoding](identity).catch((error: unknown) => {
      delete encodings[encoding]; // a later request may succeed
      throw error;
    }));
}

/** Returns the path of a file in a package. Resolves the entry point, because the package might not export the file. */
function fileInPackage(name: string, file: string): string {
  const entry = fileURLToPath(import.meta.resolve(name));
  const directory = join('node_modules', name);
  return join(entry.slice(0, entry.lastIndexOf(directory) + directory.length), file);
}
