import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../documents.ts';

/** The ports on localhost of a proxy and of the server behind it. */
export interface ProxyPorts {
  /** Requests no certificates. */
  readonly site: number;
  /** Requests certificates. */
  readonly certificates: number;
  readonly server: number;
}

/** A proxy as `docs/deployment.md` configures it. */
interface Proxy {
  readonly name: string;
  /**
   * Writes its files to `directory`, which contains the certificates.
   * @returns the command that serves in the foreground
   */
  configure(directory: string, ports: ProxyPorts): readonly [string, ...string[]];
}

const isRoot = process.getuid?.() === 0;

export const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    configure(directory, ports) {
      for (const file of ['client_cert.js', 'site.conf']) writeDocumented('nginx', file, directory, ports);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const main = write(directory, 'nginx.conf', [
        'load_module /usr/lib/nginx/modules/ngx_http_js_module.so;',
        'daemon off;',
        `pid ${directory}/nginx.pid;`,
        'events {}',
        'http {',
        'access_log off;',
        ...temporary.map((name) => `${name}_temp_path ${directory}/${name};`),
        `include ${directory}/site.conf;`,
        '}',
      ]);
      return ['/usr/sbin/nginx', '-c', main, '-e', join(directory, 'nginx.log')];
    },
  },
  {
    name: 'Apache',
    configure(directory, ports) {
      const modules = ['mpm_event', 'authz_core', 'headers', 'ssl', 'proxy', 'proxy_http'];
      const main = write(directory, 'apache.conf', [
        ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        ...(isRoot ? ['User www-data', 'Group www-data'] : []),
        `DefaultRuntimeDir ${directory}`,
        'StartServers 1', // few threads, because their number can be limited
        `PidFile ${directory}/apache.pid`,
        `ErrorLog ${directory}/apache.log`,
        'ServerName localhost',
        `Include ${writeDocumented('Apache', 'site.conf', directory, ports)}`,
      ]);
      return ['/usr/sbin/apache2', '-f', main, '-D', 'FOREGROUND'];
    },
  },
  {
    name: 'HAProxy',
    configure: (directory, ports) => [
      '/usr/sbin/haproxy',
      '-db',
      '-f',
      writeDocumented('HAProxy', 'site.conf', directory, ports),
    ],
  },
];

/** Writes a file of the document with this machine's directories and ports. */
function writeDocumented(proxy: string, file: string, directory: string, ports: ProxyPorts): string {
  const { path, text } = readDocument('docs/deployment.md');
  const marker = `<!-- proxy: ${proxy}, ${file} -->\n`;
  const [, block] = text.split(marker);
  const [, code] = /^```\w+\n([^]*?)^```$/m.exec(block ?? '') ?? [];
  if (code === undefined) throw new Error(`${path} has no ${marker}`);
  return write(directory, file, [
    code
      .replaceAll(/\/etc\/(?:ssl|nginx|grantlog)\b/g, directory)
      .replaceAll(/\b8443\b/g, String(ports.certificates))
      .replaceAll(/\b443\b/g, String(ports.site))
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${ports.server}`),
  ]);
}

function write(directory: string, file: string, lines: readonly string[]): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, file);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
