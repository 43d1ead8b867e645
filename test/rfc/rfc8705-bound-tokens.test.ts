import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { secureClient, selfSigned, TRUSTED_PROXY } from '../support/certificate-clients.ts';
import { clientCertHeaders, issueCertificate } from '../support/certificates.ts';
import { REDIRECT_URI, runningService, type Answer, type RunningService } from '../support/running-service.ts';

const certificate = issueCertificate();
const other = issueCertificate();
const HEADERS = clientCertHeaders(certificate);
const CNF = { 'x5t#S256': certificate.thumbprint };

/** The claims of a JWT. */
function claimsOf({ json }: Answer): Readonly<Record<string, unknown>> {
  const [, claims = ''] = String(json?.['access_token']).split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}

describe('Access tokens that are bound to a certificate (RFC 8705 §3)', () => {
  let running: RunningService;

  before(async () => {
    running = await runningService({ settings: TRUSTED_PROXY });
  });
  after(() => running.close());

  const credentials = { grant_type: 'client_credentials', scope: 'read' };

  it('name the certificate in introspection responses and in JWTs, whatever the authentication', async () => {
    for (const accessTokenFormat of ['opaque', 'jwt']) {
      const client = await running.addClient({ grantTypes: ['client-credentials'], accessTokenFormat });
      await secureClient(running, client, {}, true);
      const sent = { ...credentials, client_id: client.id, client_secret: client.secret };
      const answer = await running.post('/o/token/', sent, HEADERS);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json?.['token_type']).to.equal('Bearer');
      if (accessTokenFormat === 'jwt') expect(claimsOf(answer)['cnf']).to.deep.equal(CNF);
      const token = String(answer.json?.['access_token']);
      const { json } = await running.post('/o/introspect/', { token }, { Authorization: client.basic });
      expect(json?.['cnf']).to.deep.equal(CNF);
    }
  });

  it('are not issued without a certificate, or with one that cannot be accepted', async () => {
    const client = await running.addClient({ grantTypes: ['client-credentials'] });
    await secureClient(running, client, {}, true);
    const sent = { ...credentials, client_id: client.id, client_secret: client.secret };
    for (const headers of [{}, { 'Client-Cert': 'x' }]) {
      const answer = await running.post('/o/token/', sent, headers);
      expect(answer.status).to.equal(400);
      expect(answer.json?.['error']).to.equal('invalid_request');
    }
  });

  it('are issued only to clients that want them', async () => {
    const client = await running.addClient({ grantTypes: ['client-credentials'] });
    await secureClient(running, client, await selfSigned(certificate));
    const answer = await running.post('/o/token/', { ...credentials, client_id: client.id }, HEADERS);
    const token = String(answer.json?.['access_token']);
    const { json } = await running.post('/o/introspect/', { token, client_id: client.id }, HEADERS);
    expect(json).not.to.have.property('cnf');
  });

  describe('of a public client (§4)', () => {
    const verifier = 'v'.repeat(43);

    /** Tokens by a code, with the certificate. */
    async function tokens() {
      const user = await running.addUser();
      const client = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
      await secureClient(running, client, {}, true);
      const code = await running.authorize(client, user, { code_challenge: CHALLENGE, code_challenge_method: 'S256' });
      const sent = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      const answer = await running.post('/o/token/', { ...sent, client_id: client.id }, HEADERS);
      expect(answer.status, answer.text).to.equal(200);
      const refresh = String(answer.json?.['refresh_token']);
      return (headers: Record<string, string>): Promise<Answer> =>
        running.post(
          '/o/token/',
          { grant_type: 'refresh_token', refresh_token: refresh, client_id: client.id },
          headers,
        );
    }

    it('are refreshed with the certificate of the first request alone', async () => {
      const refresh = await tokens();
      for (const [headers, error] of [
        [{}, 'invalid_request'],
        [clientCertHeaders(other), 'invalid_grant'],
      ] as const) {
        const refused = await refresh(headers);
        expect(refused.status).to.equal(400);
        expect(refused.json?.['error']).to.equal(error);
      }
      expect((await refresh(HEADERS)).status).to.equal(200);
    });
  });
});

/** RFC 7636 §4.2, of 43 times the letter v. */
const CHALLENGE = createHash('sha256').update('v'.repeat(43)).digest('base64url');
