import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** A file that pages ask for. */
export interface Asset {
  readonly contentType: string;
  /** Of its content: an address with it never changes what it means. */
  readonly version: string;
  /** Its content as it is sent in that encoding: made when it is first asked for, away from the event loop, and kept. */
  encoded(encoding: AssetEncoding): Promise<Buffer>;
}

export type AssetEncoding = 'br' | 'gzip' | 'identity';

export interface Assets {
  find(name: string): Asset | undefined;
  /**
   * Where pages ask for it: with its version, so that browsers may keep it for good.
   * @throws Error there is no such file; a view that misspells one is never rendered
   */
  url(name: string): string;
}

export const ASSET_PREFIX = '/static/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files of packages, by the names that they go by here. */
const PACKAGE_FILES = [
  ['simplewebauthn.js', fileInPackage('@simplewebauthn/browser', 'dist/bundle/index.umd.min.js')],
] as const;

/** The assets beside `src` and `dist` alike. */
const STATIC_DIRECTORY = fileURLToPath(new URL('../../../static/', import.meta.url));

/**
 * Reads every file of `directory`, and those of packages, once: they are few, small, text, and the same for everybody.
 * @throws Error a file has no known content type
 */
export function readAssets(directory: string = STATIC_DIRECTORY): Assets {
  const own = readdirSync(directory).map((name) => [name, join(directory, name)] as const);
  const assets = new Map([...own, ...PACKAGE_FILES].map(([name, file]) => [name, readAsset(file)]));
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

const COMPRESSIONS: Readonly<Record<AssetEncoding, (content: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
  identity: (content) => Promise.resolve(content),
};

function readAsset(file: string): Asset {
  const contentType = CONTENT_TYPES[extname(file)];
  if (contentType === undefined) throw new Error(`${file} has no known content type`);
  const identity = readFileSync(file);
  return {
    contentType,
    version: createHash('sha256').update(identity).digest('base64url').slice(0, VERSION_LENGTH),
    encoded: lazyEncodings(identity),
  };
}

/** Compressed at the start, they took an eighth of it: most starts are followed by requests that ask for none of them. */
function lazyEncodings(identity: Buffer): Asset['encoded'] {
  const made: { [Encoding in AssetEncoding]?: Promise<Buffer> } = {};
  return (encoding) =>
    (made[encoding] ??= COMPRESSIONS[encoding](identity).catch((error: unknown) => {
      delete made[encoding]; // whoever asks next may find memory for it
      throw error;
    }));
}

/** A package need not export all its files: this one is found from its entry, up to its own directory. */
function fileInPackage(name: string, file: string): string {
  const entry = fileURLToPath(import.meta.resolve(name));
  const directory = join('node_modules', name);
  return join(entry.slice(0, entry.lastIndexOf(directory) + directory.length), file);
}
