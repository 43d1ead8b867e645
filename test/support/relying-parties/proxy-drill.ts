import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { clientCertHeaders, issueAuthority, issueCertificate, type IssuedCertificate } from '../certificates.ts';
import { curl } from '../curl.ts';
import { grantlogOutput, SERVE_BUILT } from '../drill-client.ts';
import { freePort } from '../free-port.ts';
import { startServer } from '../server-process.ts';
import { startProgram, waitUntil } from './program.ts';
import { PROXIES } from './proxies.ts';

const PYTHON_CLIENT = fileURLToPath(new URL('python-mtls-client.py', import.meta.url));

/**
 * Sends certificates with curl and Python through each proxy, as documented, to a server that speaks HTTP.
 * @param directory empty
 * @throws Error the first expectation that was not met
 */
export async function proxyDrill(directory: string, progress: (line: string) => void): Promise<void> {
  chmodSync(directory, 0o755); // proxies read from it as another user
  const site = issueCertificate({ subject: [['CN', 'localhost']], dns: ['localhost'] });
  const authority = issueAuthority();
  const issued = issueCertificate({ issuer: authority, dns: ['client.example'] });
  const selfSigned = issueCertificate();
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const certificates = {
    'site.pem': site.pem,
    'site.key': site.keyPem,
    'haproxy.pem': site.pem + site.keyPem,
    'clients.pem': authority.pem,
  };
  const dataDir = join(directory, 'data');
  const port = await freePort();
  const server = await startServer(dataDir, {
    command: SERVE_BUILT,
    env: {
      PORT: String(port),
      ISSUER: 'https://login.example.com',
      GRANTLOG_TRUSTED_PROXIES: '1',
      GRANTLOG_CLIENT_CERTIFICATE_PROXIES: '["127.0.0.1"]',
      GRANTLOG_MTLS_URL: 'https://login.example.com:8443',
      GRANTLOG_TLS_CLIENT_CA_FILE: file('clients.pem', authority.pem),
    },
  });
  try {
    const ofAuthority = await addClient('--auth-method', 'tls_client_auth', '--tls-subject', 'san_dns=client.example');
    const keys = file('keys.json', JSON.stringify({ keys: [selfSigned.publicKey.export({ format: 'jwk' })] }));
    const ofItself = await addClient('--auth-method', 'self_signed_tls_client_auth', '--jwks', keys);
    for (const { name, configure } of PROXIES) {
      const ports = { site: await freePort(), certificates: await freePort(), server: port };
      const ownDirectory = join(directory, name);
      mkdirSync(ownDirectory);
      for (const [each, text] of Object.entries(certificates)) writeFileSync(join(ownDirectory, each), text);
      const proxy = startProgram(configure(ownDirectory, ports));
      try {
        await checkProxy(name, ports, ofAuthority, ofItself);
      } finally {
        await proxy.stop();
      }
    }
  } finally {
    await server.destroy();
  }

  async function addClient(...authentication: readonly string[]): Promise<string> {
    const kind = ['--type', 'confidential', '--grant', 'client-credentials', '--bind-tokens-to-certificate', '--json'];
    const output = await grantlogOutput(dataDir, ['client', 'add', '--name', 'Drill', ...kind, ...authentication]);
    return (JSON.parse(output) as { readonly client_id: string }).client_id;
  }

  async function checkProxy(
    name: string,
    ports: { readonly site: number; readonly certificates: number },
    ofAuthority: string,
    ofItself: string,
  ): Promise<void> {
    const trust = ['--cacert', file('site.pem', site.pem)];
    const at = (proxyPort: number, path: string): string => `https://localhost:${proxyPort}${path}`;
    for (const each of [ports.site, ports.certificates])
      await waitUntil(`${name} serves`, async () => (await curl(...trust, at(each, '/readyz'))).status === 200);

    const statusOf = async (proxyPort: number, clientId: string, ...more: readonly string[]): Promise<number> => {
      const form = ['-d', 'grant_type=client_credentials', '-d', `client_id=${clientId}`];
      return (await curl(...trust, ...form, ...more, at(proxyPort, '/o/token/'))).status;
    };
    const holding = (certificate: IssuedCertificate): readonly string[] => [
      '--cert',
      file('client.pem', certificate.pem),
      '--key',
      file('client.key', certificate.keyPem),
    ];
    const [header, value] = Object.entries(clientCertHeaders(issued))[0] ?? [];
    const forged = ['-H', `${header}: ${value}`];
    const expected: readonly (readonly [what: string, status: number, Promise<number>])[] = [
      ['of the authority', 200, statusOf(ports.certificates, ofAuthority, ...holding(issued))],
      [
        'of the authority, and a forged header',
        200,
        statusOf(ports.certificates, ofAuthority, ...holding(issued), ...forged),
      ],
    ];
    await expectStatuses(name, expected);
    await expectStatuses(name, [
      ['self-signed', 200, statusOf(ports.certificates, ofItself, ...holding(selfSigned))],
      ['self-signed, for the other client', 401, statusOf(ports.certificates, ofAuthority, ...holding(selfSigned))],
    ]);
    await expectStatuses(name, [
      ['none', 401, statusOf(ports.certificates, ofAuthority)],
      ['none, and a forged header', 401, statusOf(ports.certificates, ofAuthority, ...forged)],
      ['none, and a forged header at the site', 401, statusOf(ports.site, ofAuthority, ...forged)],
    ]);
    progress(`${name}: curl authenticates with the certificate of the handshake, and with no forged one`);

    holding(issued);
    const [python, pem, key] = ['/usr/bin/python3', join(directory, 'client.pem'), join(directory, 'client.key')];
    const args = [PYTHON_CLIENT, at(ports.certificates, ''), ofAuthority, pem, key, join(directory, 'site.pem')];
    const found: unknown = JSON.parse((await promisify(execFile)(python, args)).stdout);
    const right = {
      'token without the certificate': 401,
      API: 200,
      'API without the certificate': 401,
      thumbprint: issued.thumbprint,
    };
    if (JSON.stringify(found) !== JSON.stringify(right))
      throw new Error(`${name}: requests found ${JSON.stringify(found)}`);
    progress(`${name}: requests in Python gets tokens that are bound to its certificate, and uses them`);
  }
}

async function expectStatuses(
  proxy: string,
  expected: readonly (readonly [what: string, status: number, Promise<number>])[],
): Promise<void> {
  for (const [what, status, request] of expected) {
    const got = await request;
    if (got !== status) throw new Error(`${proxy}, certificate: ${what}: ${got} instead of ${status}`);
  }
}
