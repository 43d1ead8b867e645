import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { clientCertHeaders, issueAuthority, issueCertificate, type IssuedCertificate } from '../certificates.ts';
import { curl } from '../curl.ts';
import { grantlogOutput, SERVE_COMMAND } from '../drill-client.ts';
import { findFreePort } from '../free-port.ts';
import { startServer } from '../server-process.ts';
import { startProgram, waitUntil } from './program.ts';
import { PROXIES } from './proxies.ts';

const PYTHON_CLIENT = fileURLToPath(new URL('python-mtls-client.py', import.meta.url));

/**
 * Uses curl and Python to send requests with certificates through each documented proxy to a server without TLS.
 * @param directory an empty directory
 * @throws Error with the first expectation that is not met
 */
export async function runProxyDrill(directory: string, progress: (line: string) => void): Promise<void> {
  chmodSync(directory, 0o755); // proxies read from it as a different user
  const site = issueCertificate({ subject: [['CN', 'localhost']], dns: ['localhost'] });
  const authority = issueAuthority();
  const clientCertificate = issueCertificate({ issuer: authority, dns: ['client.example'] });
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
  const port = await findFreePort();
  const server = await startServer(dataDir, {
    command: SERVE_COMMAND,
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
    const issuedClient = await addClient('--auth-method', 'tls_client_auth', '--tls-subject', 'san_dns=client.example');
    const keys = file('keys.json', JSON.stringify({ keys: [selfSigned.publicKey.export({ format: 'jwk' })] }));
    const selfSignedClient = await addClient('--auth-method', 'self_signed_tls_client_auth', '--jwks', keys);
    for (const { name, configure } of PROXIES) {
      const ports = { site: await findFreePort(), certificates: await findFreePort(), server: port };
      const proxyDirectory = join(directory, name);
      mkdirSync(proxyDirectory);
      for (const [fileName, text] of Object.entries(certificates)) writeFileSync(join(proxyDirectory, fileName), text);
      const proxy = startProgram(configure(proxyDirectory, ports));
      try {
        await checkProxy(name, ports, issuedClient, selfSignedClient);
      } catch (error) {
        throw new Error(`${name}, ${proxy.describeState()}; its log:\n${readLog(proxyDirectory)}`, { cause: error });
      } finally {
        await proxy.stop();
      }
    }
  } finally {
    await server.destroy();
  }

  /** Reads the proxy's log, for the message of a failed check. */
  function readLog(proxyDirectory: string): string {
    const logs = readdirSync(proxyDirectory).filter((name) => name.endsWith('.log'));
    return logs.map((name) => readFileSync(join(proxyDirectory, name), 'utf8')).join('\n');
  }

  async function addClient(...authentication: readonly string[]): Promise<string> {
    const kind = ['--type', 'confidential', '--grant', 'client-credentials', '--bind-tokens-to-certificate', '--json'];
    const output = await grantlogOutput(dataDir, ['client', 'add', '--name', 'Drill', ...kind, ...authentication]);
    return (JSON.parse(output) as { readonly client_id: string }).client_id;
  }

  async function checkProxy(
    name: string,
    ports: { readonly site: number; readonly certificates: number },
    issuedClient: string,
    selfSignedClient: string,
  ): Promise<void> {
    // A refused connection says nothing about certificates, so curl retries it.
    const trust = ['--retry', '3', '--retry-connrefused', '--cacert', file('site.pem', site.pem)];
    const proxyUrl = (proxyPort: number, path: string): string => `https://localhost:${proxyPort}${path}`;
    for (const proxyPort of [ports.site, ports.certificates])
      await waitUntil(
        `${name} responds`,
        async () => (await curl(...trust, proxyUrl(proxyPort, '/readyz'))).status === 200,
      );

    const form = ['-d', 'grant_type=client_credentials', '-d'];
    const expectStatus = async (
      expected: number,
      description: string,
      proxyPort: number,
      clientId: string,
      options: readonly string[],
    ) => {
      const { status } = await curl(
        ...trust,
        ...form,
        `client_id=${clientId}`,
        ...options,
        proxyUrl(proxyPort, '/o/token/'),
      );
      if (status !== expected)
        throw new Error(`${name}, certificate ${description}: expected ${expected}, got ${status}`);
    };
    /** Writes the files of a certificate, and returns the options that make curl present it. */
    const writeCertificate = (certificate: IssuedCertificate): readonly string[] => [
      '--cert',
      file('client.pem', certificate.pem),
      '--key',
      file('client.key', certificate.keyPem),
    ];
    const [header, value] = Object.entries(clientCertHeaders(clientCertificate))[0] ?? [];
    const forgedHeader = ['-H', `${header}: ${value}`];
    const { certificates: mtls, site: plain } = ports;
    await expectStatus(200, 'from the authority', mtls, issuedClient, writeCertificate(clientCertificate));
    await expectStatus(200, 'from the authority, and a forged header', mtls, issuedClient, [
      ...writeCertificate(clientCertificate),
      ...forgedHeader,
    ]);
    await expectStatus(200, 'self-signed', mtls, selfSignedClient, writeCertificate(selfSigned));
    await expectStatus(401, 'self-signed, for the other client', mtls, issuedClient, writeCertificate(selfSigned));
    await expectStatus(401, 'none', mtls, issuedClient, []);
    await expectStatus(401, 'none, and a forged header', mtls, issuedClient, forgedHeader);
    await expectStatus(401, 'none, and a forged header at the site', plain, issuedClient, forgedHeader);
    progress(`${name}: curl authenticates with the certificate of the handshake, but not with a forged one`);

    writeCertificate(clientCertificate);
    const [python, pem, key] = ['/usr/bin/python3', join(directory, 'client.pem'), join(directory, 'client.key')];
    const args = [PYTHON_CLIENT, proxyUrl(ports.certificates, ''), issuedClient, pem, key, join(directory, 'site.pem')];
    const response: unknown = JSON.parse((await promisify(execFile)(python, args)).stdout);
    const expectedResults = {
      'token without the certificate': 401,
      API: 200,
      'API without the certificate': 401,
      thumbprint: clientCertificate.thumbprint,
    };
    if (JSON.stringify(response) !== JSON.stringify(expectedResults))
      throw new Error(`${name}: the Python client got ${JSON.stringify(response)}`);
    progress(`${name}: a Python client gets tokens that are bound to its certificate, and uses them`);
  }
}
