import { expect } from 'chai';
import { request } from 'node:http';
import { parseRedirect, authorizePath, openSession } from '../support/authorize-requests.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const ISSUER = 'https://id.example';

describe('RFC 9207: the issuer', () => {
  let running: RunningService;
  let client: TestClient;

  before(async () => {
    // With an https issuer, the browser would not send the session cookie over http.
    running = await runningService({ settings: { issuer: 'http://id.example' } });
    client = await running.addClient();
  });
  after(() => running.close());

  it('is in every response to the client, whether it is a code, a denial or an error', async () => {
    const browser = await openSession(running, await running.addUser());
    const page = await browser.get(authorizePath(client));
    const responses = [
      await browser.submit(page, { allow: 'Authorize' }),
      await browser.submit(page, { deny: 'Deny' }),
      await browser.get(authorizePath(client, { scope: 'unknown' })),
      await running.browser().get(authorizePath(client, { prompt: 'none' })),
    ];
    for (const response of responses)
      expect(parseRedirect(response).parameters).to.include({ iss: 'http://id.example' });
  });

  it('never follows the Host header', async () => {
    const location = await getLocation(new URL(authorizePath(client, { scope: 'unknown' }), running.origin()), {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    });
    expect(location).to.include('iss=http%3A%2F%2Fid.example').and.not.to.include('evil');
  });

  it('is the same as the issuer in the metadata', async () => {
    const httpsService = await runningService({ settings: { issuer: `${ISSUER}/` } });
    try {
      const application = await httpsService.addClient();
      const { json } = await httpsService.get('/.well-known/oauth-authorization-server');
      const { parameters } = parseRedirect(
        await httpsService.browser().get(authorizePath(application, { scope: 'unknown' })),
      );
      expect(parameters['iss']).to.equal(json?.['issuer']).and.to.equal(ISSUER);
    } finally {
      await httpsService.close();
    }
  });
});

/** Sends a GET request with headers that `fetch` cannot set, and returns where it redirects to. */
function getLocation(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.headers.location ?? '');
    })
      .on('error', reject)
      .end();
  });
}
