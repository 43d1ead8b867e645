import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { setClientAuthentication, selfSignedSettings, TRUSTED_PROXY } from '../support/certificate-clients.ts';
import { clientCertHeaders, issueCertificate } from '../support/certificates.ts';
import { REDIRECT_URI, runningService, type TestResponse, type RunningService } from '../support/running-service.ts';

const certificate = issueCertificate();
const otherCertificate = issueCertificate();
const HEADERS = clientCertHeaders(certificate);
const CNF = { 'x5t#S256': certificate.thumbprint };

function readClaims({ json }: TestResponse): Readonly<Record<string, unknown>> {
  const [, claims = ''] = String(json?.['access_token']).split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}

describe('RFC 8705 §3: certificate-bound access tokens', () => {
  let running: RunningService;

  before(async () => {
    running = await runningService({ settings: TRUSTED_PROXY });
  });
  after(() => running.close());

  const credentials = { grant_type: 'client_credentials', scope: 'read' };

  it('contain the thumbprint of the certificate, even if the client authenticates with its secret', async () => {
    for (const accessTokenFormat of ['opaque', 'jwt']) {
      const client = await running.addClient({ grantTypes: ['client-credentials'], accessTokenFormat });
      await setClientAuthentication(running, client, {}, true);
      const parameters = { ...credentials, client_id: client.id, client_secret: client.secret };
      const response = await running.post('/o/token/', parameters, HEADERS);
      expect(response.status, response.text).to.equal(200);
      expect(response.json?.['token_type']).to.equal('Bearer');
      if (accessTokenFormat === 'jwt') expect(readClaims(response)['cnf']).to.deep.equal(CNF);
      const token = String(response.json?.['access_token']);
      const { json } = await running.post('/o/introspect/', { token }, { Authorization: client.basic });
      expect(json?.['cnf']).to.deep.equal(CNF);
    }
  });

  it('are not issued without a certificate, or with an invalid certificate', async () => {
    const client = await running.addClient({ grantTypes: ['client-credentials'] });
    await setClientAuthentication(running, client, {}, true);
    const parameters = { ...credentials, client_id: client.id, client_secret: client.secret };
    for (const headers of [{}, { 'Client-Cert': 'x' }]) {
      const response = await running.post('/o/token/', parameters, headers);
      expect(response.status).to.equal(400);
      expect(response.json?.['error']).to.equal('invalid_request');
    }
  });

  it('are issued only to clients that are registered for them', async () => {
    const client = await running.addClient({ grantTypes: ['client-credentials'] });
    await setClientAuthentication(running, client, await selfSignedSettings(certificate));
    const response = await running.post('/o/token/', { ...credentials, client_id: client.id }, HEADERS);
    const token = String(response.json?.['access_token']);
    const { json } = await running.post('/o/introspect/', { token, client_id: client.id }, HEADERS);
    expect(json).not.to.have.property('cnf');
  });

  describe('of public clients (§4)', () => {
    const verifier = 'v'.repeat(43);

    /** Redeems a code with the certificate, and returns a function that refreshes the tokens. */
    async function redeemWithCertificate() {
      const user = await running.addUser();
      const client = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
      await setClientAuthentication(running, client, {}, true);
      const code = await running.authorize(client, user, { code_challenge: CHALLENGE, code_challenge_method: 'S256' });
      const parameters = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
      };
      const response = await running.post('/o/token/', { ...parameters, client_id: client.id }, HEADERS);
      expect(response.status, response.text).to.equal(200);
      const refreshToken = String(response.json?.['refresh_token']);
      return (headers: Record<string, string>): Promise<TestResponse> =>
        running.post(
          '/o/token/',
          { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: client.id },
          headers,
        );
    }

    it('are refreshed only with the certificate that the first request used', async () => {
      const refresh = await redeemWithCertificate();
      for (const [headers, error] of [
        [{}, 'invalid_request'],
        [clientCertHeaders(otherCertificate), 'invalid_grant'],
      ] as const) {
        const refusal = await refresh(headers);
        expect(refusal.status).to.equal(400);
        expect(refusal.json?.['error']).to.equal(error);
      }
      expect((await refresh(HEADERS)).status).to.equal(200);
    });
  });
});

/** The S256 challenge for the verifier that repeats the letter v 43 times (RFC 7636 §4.2). */
const CHALLENGE = createHash('sha256').update('v'.repeat(43)).digest('base64url');
