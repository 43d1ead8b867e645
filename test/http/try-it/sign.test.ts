import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keyPairFor, registerKeys, withAssertion } from '../../support/assertions.ts';
import { NONCE_PERIOD_SECONDS, updateSecuritySettings } from '../../support/dpop.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../../support/running-service.ts';

const PROGRAM = join(import.meta.dirname, '../../../static/sign.js');

describe('The program that signs JWTs for an application in a terminal', () => {
  let running: RunningService;
  let directory: string;

  beforeEach(async () => {
    // The program uses the real clock.
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() - NONCE_PERIOD_SECONDS * 1000 });
    running.clock.advance(NONCE_PERIOD_SECONDS);
    directory = mkdtempSync(join(tmpdir(), 'grantlog-sign-'));
    copyFileSync(PROGRAM, join(directory, 'sign.mjs'));
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true });
    await running.close();
  });

  const sign = (...values: readonly string[]): string =>
    execFileSync(process.execPath, ['sign.mjs', 'key.pem', ...values], { cwd: directory, encoding: 'utf8' }).trim();

  for (const algorithm of ['ES256', 'EdDSA', 'PS256'] as const) {
    it(`creates assertions, proofs and request objects with ${algorithm}`, async () => {
      const client = await running.addClient({});
      const key = keyPairFor(algorithm);
      writeFileSync(join(directory, 'key.pem'), key.privateKey.export({ format: 'pem', type: 'pkcs8' }));
      await registerKeys(running, client, key);
      await updateSecuritySettings(running, client, { dpopBoundAccessTokens: true, requireSignedRequestObject: true });
      const issuer = running.origin();

      const form = {
        grant_type: 'client_credentials',
        client_id: client.id,
        ...withAssertion(sign('assertion', client.id, issuer)),
      };
      const { json } = await running.post('/o/token/', form, { dpop: sign('proof', 'POST', `${issuer}/o/token/`) });
      expect(json).to.include({ token_type: 'DPoP' });
      const token = String(json?.['access_token']);
      const dpop = sign('proof', 'GET', `${issuer}/users/?page=2`, token);
      expect((await running.get('/users/', { authorization: `DPoP ${token}`, dpop })).status).to.equal(200);

      const query = new URLSearchParams({ response_type: 'code', redirect_uri: REDIRECT_URI, state: 'x' }).toString();
      const request = sign('request', client.id, issuer, query);
      const { status, headers } = await running.get(`/o/authorize/?client_id=${client.id}&request=${request}`);
      expect([status, headers.get('location')]).to.satisfy(
        ([code, location]: [number, string]) => code === 302 && location.startsWith('/accounts/login/'),
      );
    });
  }
});
