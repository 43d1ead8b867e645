import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { checkClientCertificates, checkTls } from '../../src/cli/doctor-certificates.ts';
import { CannotRunError } from '../../src/cli/exit.ts';
import { boundAddress, createListeners, type Listeners } from '../../src/cli/listeners.ts';
import { readTlsFiles } from '../../src/cli/tls-files.ts';
import { readClientAuthorities } from '../../src/composition/client-authorities.ts';
import { createApp } from '../../src/http/app.ts';
import {
  parseCertificate,
  authorityIssuedSettings,
  setClientAuthentication,
  selfSignedSettings,
} from '../support/certificate-clients.ts';
import {
  clientCertHeaders,
  issueAuthority,
  issueCertificate,
  SERVER_PURPOSE,
  type IssuedCertificate,
} from '../support/certificates.ts';
import { curl, isCurlInstalled } from '../support/curl.ts';
import { findFreePort } from '../support/free-port.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const serverCert = issueCertificate({
  subject: [['CN', 'localhost']],
  dns: ['localhost'],
  ip: [Buffer.from([127, 0, 0, 1])],
});
const authority = issueAuthority();
const intermediate = issueAuthority('intermediate', { issuer: authority });
const clientCert = issueCertificate({ issuer: intermediate, dns: ['client.example'] });

describe('A server that terminates TLS', () => {
  let running: RunningService;
  let listeners: Listeners;
  let client: TestClient;
  let mtlsPort: number;
  let directory: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-tls-'));
    mtlsPort = await findFreePort();
    const settings = {
      tlsCertificateFile: 'own.pem',
      tlsKeyFile: 'own.key',
      mtlsPort,
      issuer: 'https://localhost:8000',
    };
    running = await runningService({ settings, clientAuthorities: [parseCertificate(authority)] });
    client = await running.addClient({ grantTypes: ['client-credentials'] });
    listeners = createListeners(
      { host: '127.0.0.1', port: 0, mtlsPort },
      { cert: serverCert.pem, key: serverCert.keyPem },
    );
    const app = createApp(running.service(), { error: () => {} }).callback();
    for (const server of listeners.all) server.on('request', (message, response) => void app(message, response));
    await listeners.listenMain();
    await listeners.listenMtls();
  });
  after(async () => {
    for (const server of listeners.all) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(directory, { recursive: true });
    await running.close();
  });

  const mainPort = (): number => boundAddress(listeners.main).port;

  /** Requests a token, with a client certificate and its chain if they are given, and returns the status code. */
  async function requestTokenStatus(
    port: number,
    certificate?: IssuedCertificate,
    headers: Record<string, string> = {},
    ...chain: readonly IssuedCertificate[]
  ): Promise<number | undefined> {
    const tokenRequest = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/o/token/',
      ca: serverCert.pem,
      ...(certificate && {
        cert: [certificate, ...chain].map(({ pem }) => pem).join(''),
        key: certificate.keyPem,
      }),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      agent: false,
    });
    tokenRequest.end(
      new URLSearchParams({ grant_type: 'client_credentials', client_id: client.id, scope: 'read' }).toString(),
    );
    const [response] = (await once(tokenRequest, 'response')) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  }

  it('accepts the certificate from the handshake, with its chain, on the port that requests it', async () => {
    await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
    expect(await requestTokenStatus(mtlsPort, clientCert, {}, intermediate)).to.equal(200);
    expect(await requestTokenStatus(mtlsPort, clientCert)).to.equal(401);
    expect(await requestTokenStatus(mtlsPort)).to.equal(401);
    expect(await requestTokenStatus(mainPort(), clientCert, {}, intermediate)).to.equal(401);
  });

  it('accepts self-signed certificates', async () => {
    const selfSignedCertificate = issueCertificate();
    await setClientAuthentication(running, client, await selfSignedSettings(selfSignedCertificate));
    expect(await requestTokenStatus(mtlsPort, selfSignedCertificate)).to.equal(200);
    expect(await requestTokenStatus(mtlsPort, issueCertificate())).to.equal(401);
  });

  it('does not accept the Client-Cert header from clients, even with a certificate in the handshake', async () => {
    const selfSignedCertificate = issueCertificate();
    await setClientAuthentication(running, client, await selfSignedSettings(selfSignedCertificate));
    expect(await requestTokenStatus(mtlsPort, undefined, clientCertHeaders(selfSignedCertificate))).to.equal(401);
    expect(
      await requestTokenStatus(mtlsPort, selfSignedCertificate, clientCertHeaders(selfSignedCertificate)),
    ).to.equal(401);
  });

  it('does not resume TLS sessions on the mutual TLS port, because they would lack the chain', async () => {
    const resumesSession = async (port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<boolean> => {
      const options = {
        host: '127.0.0.1',
        port,
        ca: serverCert.pem,
        cert: clientCert.pem,
        key: clientCert.keyPem,
        maxVersion,
      };
      const firstSocket = connect(options);
      let session: Buffer | undefined;
      firstSocket.on('session', (ticket: Buffer) => (session = ticket));
      firstSocket.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n').resume();
      await once(firstSocket, 'close');
      const secondSocket = connect({ ...options, ...(session && { session }) });
      await once(secondSocket, 'secureConnect');
      const isReused = secondSocket.isSessionReused();
      secondSocket.destroy();
      return isReused;
    };
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      expect(await resumesSession(mainPort(), version), version).to.equal(true);
      expect(await resumesSession(mtlsPort, version), version).to.equal(false);
    }
  });

  it('supports only TLS 1.2 and 1.3 with strong cipher suites', async () => {
    const shakeHands = (options: object) =>
      new Promise<string>((resolve) => {
        const socket: TLSSocket = connect(
          { host: '127.0.0.1', port: mainPort(), ca: serverCert.pem, ...options },
          () => {
            resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
            socket.destroy();
          },
        );
        socket.on('error', () => resolve('refused'));
      });
    expect(await shakeHands({})).to.match(/^TLSv1\.3 /);
    expect(await shakeHands({ maxVersion: 'TLSv1.2' })).to.match(/^TLSv1\.2 TLS_ECDHE_ECDSA_WITH_AES_\d+_GCM_/);
    expect(await shakeHands({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })).to.equal('refused');
    const oldVersion = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    expect(await shakeHands(oldVersion)).to.equal('refused');
  });

  it('accepts a client certificate from curl at the endpoint aliases in the metadata', async function () {
    if (!isCurlInstalled()) return this.skip();
    await setClientAuthentication(running, client, authorityIssuedSettings('subject_dn', 'CN=client'));
    const writeText = (name: string, text: string): string => {
      const path = join(directory, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const trust = ['--cacert', writeText('own.pem', serverCert.pem)];
    const metadata = await curl(...trust, `https://localhost:${mainPort()}/.well-known/oauth-authorization-server`);
    const aliases = metadata.json['mtls_endpoint_aliases'] as Readonly<Record<string, string>>;
    expect(aliases['token_endpoint']).to.equal(`https://localhost:${mtlsPort}/o/token/`);
    const form = ['-d', 'grant_type=client_credentials', '-d', `client_id=${client.id}`, '-d', 'scope=read'];
    const proof = [
      '--cert',
      writeText('client.pem', clientCert.pem + intermediate.pem),
      '--key',
      writeText('key', clientCert.keyPem),
    ];
    const response = await curl(...trust, ...proof, ...form, aliases['token_endpoint'] ?? '');
    expect(response.status, response.text).to.equal(200);
    expect((await curl(...trust, ...form, aliases['token_endpoint'] ?? '')).status).to.equal(401);
  });

  it('uses a new certificate for new connections', async () => {
    const renewedCert = issueCertificate({ keys: serverCert, subject: [['CN', 'renewed']], dns: ['localhost'] });
    listeners.useCertificate({ cert: renewedCert.pem, key: renewedCert.keyPem });
    for (const port of [mainPort(), mtlsPort]) {
      const socket = connect({ host: '127.0.0.1', port, ca: renewedCert.pem, servername: 'localhost' });
      await once(socket, 'secureConnect');
      expect(socket.getPeerX509Certificate()?.subject).to.equal('CN=renewed');
      socket.destroy();
    }
    listeners.useCertificate({ cert: serverCert.pem, key: serverCert.keyPem });
  });
});

describe('The TLS files', () => {
  let directory: string;
  const now = Date.parse('2026-01-01');

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-tls-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function writeText(name: string, text: string): string {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  }

  it('are optional, and are read together', () => {
    expect(readTlsFiles({ tlsCertificateFile: null, tlsKeyFile: null }, now)).to.equal(null);
    const files = {
      tlsCertificateFile: writeText('cert', serverCert.pem),
      tlsKeyFile: writeText('key', serverCert.keyPem),
    };
    expect(readTlsFiles(files, now)).to.deep.equal({ cert: serverCert.pem, key: serverCert.keyPem });
  });

  it('are refused, with the reason, if they cannot be used', () => {
    const problems = [
      [serverCert.pem, issueCertificate().keyPem, /different key pairs/],
      ['no certificate', serverCert.keyPem, /is malformed or not in PEM format/],
      [serverCert.pem, 'no key', /no unencrypted private key in PEM/],
      [
        issueCertificate({ keys: serverCert, validUntil: new Date(now - 1000) }).pem,
        serverCert.keyPem,
        /expired on Dec 31/,
      ],
      [
        issueCertificate({ keys: serverCert, validFrom: new Date(now + 1000) }).pem,
        serverCert.keyPem,
        /not valid before/,
      ],
    ] as const;
    for (const [cert, key, message] of problems) {
      const files = { tlsCertificateFile: writeText('cert', cert), tlsKeyFile: writeText('key', key) };
      expect(() => readTlsFiles(files, now)).to.throw(CannotRunError, message);
    }
    const missingFiles = {
      tlsCertificateFile: join(directory, 'missing'),
      tlsKeyFile: writeText('key', serverCert.keyPem),
    };
    expect(() => readTlsFiles(missingFiles, now)).to.throw(
      CannotRunError,
      /GRANTLOG_TLS_CERTIFICATE_FILE: cannot read .*ENOENT/,
    );
  });

  it('for client certificates must contain at least one valid authority', () => {
    const expiredAuthority = issueAuthority('expired', { validUntil: new Date(now - 1000) });
    const readAuthorities = (text: string) => readClientAuthorities(writeText('ca', text), now);
    expect(readClientAuthorities(null, now)).to.deep.equal([]);
    expect(
      readAuthorities(`# ours\n${authority.pem}\n${expiredAuthority.pem}`).map(({ thumbprint }) => thumbprint),
    ).to.deep.equal([authority.thumbprint]);
    expect(() => readAuthorities(expiredAuthority.pem)).to.throw(/have expired/);
    expect(() => readAuthorities(serverCert.pem)).to.throw(/no certificate of an authority/);
    const weakAuthority = issueAuthority('short', { keys: generateKeyPairSync('rsa', { modulusLength: 1024 }) });
    for (const { pem } of [weakAuthority, issueAuthority('for servers', { purposes: [SERVER_PURPOSE] })])
      expect(() => readAuthorities(pem)).to.throw(
        /no authority in .* both has a strong key and can issue client certificates/,
      );
    expect(() => readAuthorities('nothing')).to.throw(/no certificate of an authority/);
    expect(() => readAuthorities('-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----')).to.throw(
      /cannot be read/,
    );
    expect(() => readClientAuthorities(join(directory, 'missing'), now)).to.throw(/cannot read the file/);
  });
});

describe('grantlog doctor', () => {
  const now = Date.parse('2026-01-01');
  const NO_TLS = {
    issuer: 'https://id.example',
    tlsCertificateFile: null,
    tlsKeyFile: null,
    tlsClientCaFile: null,
    mtlsPort: null,
    mtlsUrl: null,
    clientCertificateProxies: [],
  };

  it('reports a server certificate that expires soon or cannot be used', () => {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-tls-'));
    const check = (cert: string) => {
      const [tlsCertificateFile, tlsKeyFile] = [join(directory, 'cert'), join(directory, 'key')];
      writeFileSync(tlsCertificateFile, cert);
      writeFileSync(tlsKeyFile, serverCert.keyPem);
      return checkTls({ ...NO_TLS, tlsCertificateFile, tlsKeyFile }, now).map(({ ok, says }) => ({ ok, says }));
    };
    expect(checkTls(NO_TLS, now)).to.deep.equal([]);
    expect(check(serverCert.pem)).to.have.nested.property('[0].ok', true);
    const expiringCert = issueCertificate({ keys: serverCert, validUntil: new Date(now + 13 * 86_400_000) });
    expect(check(expiringCert.pem)).to.deep.equal([
      { ok: false, says: "this server's certificate expires in 13 days" },
    ]);
    expect(check('nothing')).to.have.nested.property('[0].ok', false);
    rmSync(directory, { recursive: true });
  });

  it('reports applications whose certificates cannot reach the server or cannot be verified', () => {
    const application = (method: string, isBound = false) => ({
      client_id: method,
      name: method,
      client_type: 'confidential' as const,
      redirect_uris: [],
      post_logout_redirect_uris: [],
      auth_methods: [method],
      tls_client_certificate_bound_access_tokens: isBound,
    });
    const checkApplications = (config: object, ...clients: readonly ReturnType<typeof application>[]) =>
      checkClientCertificates({ ...NO_TLS, ...config }, clients).map(({ ok }) => ok);
    expect(checkApplications({}, application('client_secret_basic'))).to.deep.equal([]);
    expect(checkApplications({}, application('client_secret_basic', true))).to.deep.equal([false]);
    expect(checkApplications({}, application('self_signed_tls_client_auth'))).to.deep.equal([false]);
    expect(checkApplications({ mtlsPort: 1 }, application('self_signed_tls_client_auth'))).to.deep.equal([true]);
    expect(checkApplications({ mtlsPort: 1 }, application('tls_client_auth'))).to.deep.equal([false]);
    expect(
      checkApplications({ mtlsUrl: 'https://mtls.example', tlsClientCaFile: 'ca' }, application('tls_client_auth')),
    ).to.deep.equal([true]);
  });
});
