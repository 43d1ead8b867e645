import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Message } from '../../src/language/message.ts';
import { readClientKeys } from '../../src/oauth/clients/client-keys.ts';
import {
  parseCertificate,
  authorityIssuedSettings,
  setClientAuthentication,
  selfSignedSettings,
  TRUSTED_PROXY,
} from '../support/certificate-clients.ts';
import {
  clientCertHeaders,
  CLIENT_PURPOSE,
  issueAuthority,
  issueCertificate,
  SERVER_PURPOSE,
  type CertificateOptions,
  type IssuedCertificate,
} from '../support/certificates.ts';
import { englishProblems } from '../support/english-problems.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const authority = issueAuthority('authority', { purposes: [] });
const intermediate = issueAuthority('intermediate', { issuer: authority, maxIntermediates: 0 });
const ANY_PURPOSE = '2.5.29.37.0';
const SUBJECT = [
  ['C', 'DE'],
  ['O', 'Example, Inc.'],
  ['CN', 'Client  Ä'],
] as const;

describe('RFC 8705 §2, mutual TLS:', () => {
  let running: RunningService;
  let client: TestClient;

  before(async () => {
    running = await runningService({ settings: TRUSTED_PROXY, clientAuthorities: [parseCertificate(authority)] });
  });
  after(() => running.close());
  beforeEach(async () => {
    client = await running.addClient({ grantTypes: ['client-credentials'] });
  });

  const request = (
    headers: Record<string, string> = {},
    extraParameters: Record<string, string> = {},
  ): Promise<TestResponse> =>
    running.post('/o/token/', { grant_type: 'client_credentials', client_id: client.id, ...extraParameters }, headers);

  const present = (certificate: IssuedCertificate, ...chain: readonly IssuedCertificate[]): Promise<TestResponse> =>
    request(clientCertHeaders(certificate, ...chain));

  /** Returns the violated rule from the refusal's explanation. */
  function findRule({ headers }: TestResponse): string | undefined {
    return running.service().explanations.find(headers.get('x-request-id') ?? '')?.rule;
  }

  async function expectRefused(response: TestResponse, rule: string): Promise<void> {
    expect(response.status, response.text).to.equal(401);
    expect(response.json?.['error']).to.equal('invalid_client');
    expect(findRule(response)).to.equal(rule);
  }

  const issueFromAuthority = (options: CertificateOptions = {}): IssuedCertificate =>
    issueCertificate({ issuer: authority, subject: SUBJECT, dns: ['client.example'], ...options });

  describe('tls_client_auth', () => {
    it('accepts certificates with the registered value of each kind of subject, and refuses other values', async () => {
      const certificate = issueFromAuthority({
        dns: ['other.example', 'Client.example'],
        uri: ['spiffe://example/one'],
        email: ['Ops@Example.com'],
        ip: [Buffer.from('20010db8000000000000000000000001', 'hex'), Buffer.from([192, 0, 2, 7])],
      });
      const matchingSubjects = [
        ['subject_dn', 'CN=Client Ä,O=Example\\, Inc.,C=DE'],
        ['subject_dn', 'cn=client \\C3\\84, o="Example, Inc.", c=de'.replace('"Example, Inc."', 'Example\\2C Inc.')],
        ['subject_dn', '2.5.4.3=Client Ä,2.5.4.10=Example\\, Inc.,2.5.4.6=DE'],
        ['san_dns', 'client.example'],
        ['san_uri', 'spiffe://example/one'],
        ['san_email', 'Ops@example.com'],
        ['san_ip', '2001:db8::1'],
        ['san_ip', '2001:DB8:0:0::1'],
        ['san_ip', '192.0.2.7'],
      ] as const;
      for (const [kind, value] of matchingSubjects) {
        await setClientAuthentication(running, client, authorityIssuedSettings(kind, value));
        expect((await present(certificate)).status, `${kind} ${value}`).to.equal(200);
      }
      const differentSubjects = [
        ['subject_dn', 'C=DE,O=Example\\, Inc.,CN=Client Ä'],
        ['subject_dn', 'CN=Client Ä,O=Example\\, Inc.'],
        ['subject_dn', 'CN=Client Ä+O=Example\\, Inc.,C=DE'],
        ['subject_dn', 'OU=Client Ä,O=Example\\, Inc.,C=DE'],
        ['san_dns', 'x.client.example'],
        ['san_dns', 'spiffe'],
        ['san_uri', 'spiffe://example/One'],
        ['san_email', 'ops@example.com'],
        ['san_ip', '2001:db8::2'],
        ['san_ip', '192.0.2.70'],
      ] as const;
      for (const [kind, value] of differentSubjects) {
        await setClientAuthentication(running, client, authorityIssuedSettings(kind, value));
        await expectRefused(await present(certificate), 'certificate-subject-differs');
      }
    });

    it('does not support wildcards in a certificate', async () => {
      await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
      await expectRefused(await present(issueFromAuthority({ dns: ['*.example'] })), 'certificate-subject-differs');
    });

    it('accepts a chain of intermediate certificates from the client', async () => {
      await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
      const certificate = issueFromAuthority({ issuer: intermediate, purposes: [SERVER_PURPOSE, CLIENT_PURPOSE] });
      expect((await present(certificate, intermediate)).status).to.equal(200);
      expect((await present(certificate, authority, intermediate)).status).to.equal(200);
      await expectRefused(await present(certificate), 'certificate-chain');
    });

    it('refuses a certificate without a valid chain to an authority', async () => {
      await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
      const impostor = issueAuthority('authority');
      const deepIntermediate = issueAuthority('too deep', { issuer: intermediate });
      const expiredIntermediate = issueAuthority('old', { issuer: authority, validUntil: new Date('2025-06-01') });
      const nonAuthority = issueCertificate({ issuer: authority, subject: [['CN', 'no authority']] });
      const invalidChains: readonly (readonly [string, readonly [IssuedCertificate, ...IssuedCertificate[]]])[] = [
        ['self-signed', [issueCertificate({ subject: SUBJECT, dns: ['client.example'] })]],
        ['a different authority with the same name', [issueFromAuthority({ issuer: impostor }), impostor]],
        ['an issuer that is not an authority', [issueFromAuthority({ issuer: nonAuthority }), nonAuthority]],
        ['too many intermediates', [issueFromAuthority({ issuer: deepIntermediate }), deepIntermediate, intermediate]],
        ['an expired intermediate', [issueFromAuthority({ issuer: expiredIntermediate }), expiredIntermediate]],
        ['a certificate for servers', [issueFromAuthority({ purposes: [SERVER_PURPOSE] })]],
        ['an unknown critical extension', [issueFromAuthority({ criticalExtension: '1.2.3.4' })]],
      ];
      for (const [description, [certificate, ...chain]] of invalidChains) {
        const response = await present(certificate, ...chain);
        expect(findRule(response), description).to.equal('certificate-chain');
        expect(response.status).to.equal(401);
      }
    });

    it('accepts only issuers that have strong keys and signatures and may issue client certificates', async () => {
      await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
      const weakKeys = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const issueSubordinate = (options: CertificateOptions) =>
        issueAuthority('below', { issuer: authority, ...options });
      const issuers: readonly (readonly [object, CertificateOptions])[] = [
        [{ problem: 'purpose-of-issuer' }, { purposes: [SERVER_PURPOSE] }],
        [{ problem: 'weak-issuer', weakness: '1024-bit RSA' }, { keys: weakKeys }],
        [{ problem: 'weak-issuer', weakness: 'SHA-1 with ECDSA' }, { signature: 'ECDSA-SHA1' }],
      ];
      for (const [details, options] of issuers) {
        const issuer = issueSubordinate(options);
        const response = await present(issueFromAuthority({ issuer }), issuer);
        await expectRefused(response, 'certificate-chain');
        const explanation = running.service().explanations.find(response.headers.get('x-request-id') ?? '');
        expect(explanation?.details).to.include(details);
      }
      for (const options of [{}, { purposes: [CLIENT_PURPOSE] }, { purposes: [ANY_PURPOSE] }]) {
        const issuer = issueSubordinate(options);
        expect((await present(issueFromAuthority({ issuer }), issuer)).status).to.equal(200);
      }
    });

    it('refuses certificates that have expired or are not yet valid', async () => {
      await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
      const now = running.clock.now();
      await expectRefused(
        await present(issueFromAuthority({ validUntil: new Date(now - 1000) })),
        'certificate-refused',
      );
      await expectRefused(
        await present(issueFromAuthority({ validFrom: new Date(now + 60_000) })),
        'certificate-refused',
      );
    });
  });

  describe('self_signed_tls_client_auth', () => {
    it('accepts certificates with a registered key, even if the certificate has been renewed', async () => {
      const [oldCertificate, nextCertificate] = [issueCertificate(), issueCertificate()];
      await setClientAuthentication(running, client, await selfSignedSettings(oldCertificate, nextCertificate));
      for (const certificate of [
        oldCertificate,
        nextCertificate,
        issueCertificate({ keys: oldCertificate, subject: SUBJECT }),
      ])
        expect((await present(certificate)).status).to.equal(200);
    });

    it('records the key with each token, so that the last use of each key is known even after a restart', async () => {
      const [usedCertificate, unusedCertificate] = [issueCertificate(), issueCertificate()];
      await setClientAuthentication(running, client, await selfSignedSettings(usedCertificate, unusedCertificate));
      await present(issueCertificate({ keys: usedCertificate }));
      const usedAt = running.clock.now();
      const [, lastEvent] = (await running.events()).slice(-2);
      const [usedKey, unusedKey] = (await selfSignedSettings(usedCertificate, unusedCertificate)).keys.map(
        ({ keyId }) => keyId,
      );
      expect(lastEvent?.data).to.include({ clientKeyId: usedKey });
      for (const restart of [false, true]) {
        if (restart) await running.restart();
        const { keys } = running.service().projections.clients.find(client.id)?.lastUse ?? {};
        expect(keys?.[usedKey ?? '']?.at).to.equal(Math.floor(usedAt / 1000));
        expect(keys).to.not.have.property(unusedKey ?? '');
      }
    });

    it('registers a key with its certificate (x5c), but not with a certificate for another key', async () => {
      const [certificate, otherCertificate] = [issueCertificate(), issueCertificate()];
      const jwk = certificate.publicKey.export({ format: 'jwk' });
      const readKeys = (...x5c: readonly string[]) => readClientKeys({ keys: [{ ...jwk, x5c }] });
      expect(await readKeys(certificate.der.toString('base64'))).to.have.nested.property('keys[0].publicKey.x', jwk.x);
      for (const x5c of [otherCertificate.der.toString('base64'), 'QUJD', ''])
        expect(englishProblems((await readKeys(x5c)) as { readonly problem?: Message })).to.deep.equal({
          problem: 'Key 1 has an x5c whose first entry is not a certificate for this key.',
        });
    });

    it('refuses other keys, and expired certificates', async () => {
      const registeredCertificate = issueCertificate();
      await setClientAuthentication(running, client, await selfSignedSettings(registeredCertificate));
      await expectRefused(await present(issueCertificate()), 'certificate-key-unknown');
      await expectRefused(await present(issueFromAuthority()), 'certificate-key-unknown');
      const expiredCertificate = issueCertificate({ keys: registeredCertificate, validUntil: new Date('2025-01-01') });
      await expectRefused(await present(expiredCertificate), 'certificate-refused');
    });
  });

  it('a client must present a certificate and send its client id', async () => {
    await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
    await expectRefused(await request(), 'certificate-missing');
    const response = await running.post(
      '/o/token/',
      { grant_type: 'client_credentials' },
      clientCertHeaders(issueFromAuthority()),
    );
    await expectRefused(response, 'client-credentials-missing');
  });

  it('a client cannot use its secret unless both methods are allowed', async () => {
    const settings = authorityIssuedSettings('san_dns', 'client.example');
    await setClientAuthentication(running, client, settings);
    const requestWithSecret = () => request({}, { client_secret: client.secret });
    await expectRefused(await requestWithSecret(), 'client-method-not-allowed');
    await setClientAuthentication(running, client, { ...settings, methods: ['client_secret_post', 'tls_client_auth'] });
    expect((await requestWithSecret()).status).to.equal(200);
    expect((await present(issueFromAuthority())).status).to.equal(200);
  });

  it('a client can authenticate with its secret even if the request has a malformed certificate', async () => {
    expect((await request({ 'Client-Cert': 'x' }, { client_secret: client.secret })).status).to.equal(200);
  });

  it('a client also authenticates at the revocation and introspection endpoints', async () => {
    await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
    const headers = clientCertHeaders(issueFromAuthority());
    const token = String((await present(issueFromAuthority())).json?.['access_token']);
    const body = { client_id: client.id, token };
    expect((await running.post('/o/introspect/', body, headers)).json?.['active']).to.equal(true);
    expect((await running.post('/o/introspect/', body)).status).to.equal(401);
    expect((await running.post('/o/revoke_token/', body, headers)).status).to.equal(200);
    expect((await running.post('/o/introspect/', body, headers)).json?.['active']).to.equal(false);
  });

  it('a certificate is refused unless its header comes from a trusted proxy', async () => {
    await setClientAuthentication(running, client, authorityIssuedSettings('san_dns', 'client.example'));
    const headers = clientCertHeaders(issueFromAuthority());
    await running.restart({ clientCertificateProxies: ['192.0.2.1'] });
    await expectRefused(await request(headers), 'certificate-refused');
    await expectRefused(await request({ ...headers, 'X-Forwarded-For': '192.0.2.1' }), 'certificate-refused');
    await running.restart({ clientCertificateProxies: [], trustedProxies: 0 });
    await expectRefused(await request(headers), 'certificate-refused');
    await running.restart();
    expect((await request(headers)).status).to.equal(200);
  });

  it('the metadata lists the methods and endpoint aliases if certificates can reach the server', async () => {
    const readMetadata = async () => (await running.get('/.well-known/openid-configuration')).json ?? {};
    const metadataWithProxy = await readMetadata();
    expect(metadataWithProxy['token_endpoint_auth_methods_supported']).to.include.members([
      'tls_client_auth',
      'self_signed_tls_client_auth',
    ]);
    expect(metadataWithProxy['tls_client_certificate_bound_access_tokens']).to.equal(true);
    expect(metadataWithProxy).not.to.have.property('mtls_endpoint_aliases');
    await running.restart({ issuer: 'https://id.example/base', mtlsUrl: 'https://mtls.example/base' });
    const aliases = (await readMetadata())['mtls_endpoint_aliases'] as Readonly<Record<string, string>>;
    expect(aliases).to.include({
      token_endpoint: 'https://mtls.example/base/o/token/',
      userinfo_endpoint: 'https://mtls.example/base/o/userinfo/',
      grant_management_endpoint: 'https://mtls.example/base/o/grants',
    });
    expect(aliases).not.to.have.property('authorization_endpoint');
    await running.restart({ clientCertificateProxies: [], trustedProxies: 0 });
    const metadataWithoutProxy = await readMetadata();
    expect(metadataWithoutProxy).not.to.have.property('tls_client_certificate_bound_access_tokens');
    expect(metadataWithoutProxy['token_endpoint_auth_methods_supported']).not.to.include('tls_client_auth');
    await running.restart();
  });

  it('a client must be registered with one subject in a valid format, or with a key', async () => {
    const findProblem = async (change: Parameters<typeof setClientAuthentication>[2]): Promise<string> => {
      try {
        await setClientAuthentication(running, client, change);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(await findProblem({ methods: ['tls_client_auth'] })).to.match(/needs the subject/);
    expect(await findProblem({ methods: ['self_signed_tls_client_auth'] })).to.match(/needs the public key/);
    expect(await findProblem({ tls: { kind: 'san_dns', value: 'a.example' } })).to.match(/only with tls_client_auth/);
    const malformedSubjects = [
      ['subject_dn', 'a name'],
      ['subject_dn', 'CN='],
      ['subject_dn', 'XX=a'],
      ['subject_dn', 'CN=a;b'],
      ['san_dns', '*.example'],
      ['san_uri', 'no uri'],
      ['san_ip', '192.0.2.300'],
      ['san_email', 'ada'],
    ] as const;
    for (const [kind, value] of malformedSubjects)
      expect(await findProblem(authorityIssuedSettings(kind, value)), value).to.match(/subject is not/);
    expect(await findProblem(authorityIssuedSettings('san_dns', 'a'.repeat(2_000)))).to.match(/1 to 1024 characters/);
  });
});
