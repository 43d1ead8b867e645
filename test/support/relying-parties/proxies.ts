import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../documents.ts';

/** The ports on localhost of a proxy and of the server behind it. */
export interface ProxyPorts {
  /** The proxy does not request certificates on this port. */
  readonly site: number;
  /** The proxy requests certificates on this port. */
  readonly certificates: number;
  readonly server: number;
}

/** A proxy, configured as in `docs/deployment.md`. */
interface Proxy {
  readonly name: string;
  /**
   * Writes the proxy's files to `directory`, which contains the certificates.
   * @returns the command that runs the proxy in the foreground
   */
  configure(directory: string, ports: ProxyPorts): readonly [string, ...string[]];
}

const isRoot = process.getuid?.() === 0;

export const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    configure(directory, ports) {
      for (const file of ['client_cert.js', 'site.conf']) writeDocumented('nginx', file, directory, ports);
      const temporaryDirectories = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const mainFile = writeLines(directory, 'nginx.conf', [
        'load_module /usr/lib/nginx/modules/ngx_http_js_module.so;',
        'daemon off;',
        `pid ${directory}/nginx.pid;`,
        'events {}',
        'http {',
        'access_log off;',
        ...temporaryDirectories.map((name) => `${name}_temp_path ${directory}/${name};`),
        `include ${directory}/site.conf;`,
        '}',
      ]);
      return ['/usr/sbin/nginx', '-c', mainFile, '-e', join(directory, 'nginx.log')];
    },
  },
  {
    name: 'Apache',
    configure(directory, ports) {
      const modules = ['mpm_event', 'authz_core', 'headers', 'ssl', 'proxy', 'proxy_http'];
      const mainFile = writeLines(directory, 'apache.conf', [
        ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        ...(isRoot ? ['User www-data', 'Group www-data'] : []),
        `DefaultRuntimeDir ${directory}`,
        'StartServers 1', // few threads, because the machine may limit their number
        `PidFile ${directory}/apache.pid`,
        `ErrorLog ${directory}/apache.log`,
        'ServerName localhost',
        `Include ${writeDocumented('Apache', 'site.conf', directory, ports)}`,
      ]);
      return ['/usr/sbin/apache2', '-f', mainFile, '-D', 'FOREGROUND'];
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

/** Writes a file from the document, with the directories and ports replaced by those of the test. */
function writeDocumented(proxy: string, file: string, directory: string, ports: ProxyPorts): string {
  const { path, text } = readDocument('docs/deployment.md');
  const marker = `<!-- proxy: ${proxy}, ${file} -->\n`;
  const [, block] = text.split(marker);
  const [, code] = /^```\w+\n([^]*?)^```$/m.exec(block ?? '') ?? [];
  if (code === undefined) throw new Error(`${path} has no ${marker}`);
  return writeLines(directory, file, [
    code
      .replaceAll(/\/etc\/(?:ssl|nginx|grantlog)\b/g, directory)
      .replaceAll(/\b8443\b/g, String(ports.certificates))
      .replaceAll(/\b443\b/g, String(ports.site))
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${ports.server}`),
  ]);
}

function writeLines(directory: string, file: string, lines: readonly string[]): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, file);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
