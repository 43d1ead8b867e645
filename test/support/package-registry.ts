import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The members of a lock file entry that are read here. The registry passes on all others unchanged. */
interface LockedPackage {
  readonly version: string;
  readonly dev?: true;
  readonly hasInstallScript?: true;
}

export interface PackageRegistry {
  readonly url: string;
  close(): Promise<void>;
}

/** Returns the installed packages without development dependencies, keyed by directory. */
export function listProductionPackages(): ReadonlyMap<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return new Map(Object.entries(lock.packages).filter(([directory, { dev }]) => directory !== '' && dev !== true));
}

/**
 * Starts an npm registry on the loopback interface with only the production packages of this installation, in the
 * versions from the lock file. npm can install from it offline, and finds no development dependency there.
 */
export async function startPackageRegistry(): Promise<PackageRegistry> {
  const packages = listProductionPackages();
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', url);
    const name = decodeURIComponent(pathname.slice(1));
    if (name === '-/tarball') sendTarball(decodeURIComponent(search.slice(1)), response);
    else sendVersions(name, response);
  });

  function sendVersions(name: string, response: ServerResponse): void {
    const matching = [...packages].filter(([directory]) => packageName(directory) === name);
    const versions = matching.map(([directory, locked]) => {
      const tarball = `${url}/-/tarball?${encodeURIComponent(directory)}`;
      return [locked.version, { ...locked, name, dist: { tarball } }] as const;
    });
    const latestVersion = versions.at(-1)?.[0];
    response.writeHead(latestVersion === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: latestVersion }, versions: Object.fromEntries(versions) }),
    );
  }

  function sendTarball(directory: string, response: ServerResponse): void {
    if (!packages.has(directory)) return void response.writeHead(404).end();
    const folder = basename(directory);
    const args = ['-cf', '-', `--exclude=${folder}/node_modules`, '-C', join(ROOT, dirname(directory)), folder];
    const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    tar.once('close', (status) => void (status === 0 ? response.end() : response.destroy()));
    tar.stdout.pipe(response, { end: false });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function packageName(directory: string): string {
  return directory.slice(directory.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
