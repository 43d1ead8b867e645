import { expect } from 'chai';
import { openSession, parseRedirect } from '../../support/authorize-requests.ts';
import { signAssertion, keyPairFor, withAssertion } from '../../support/assertions.ts';
import type { BrowserSession } from '../../support/browser-session.ts';
import {
  authorizePathWithDocument,
  DOCUMENT_REDIRECT_URI,
  DOCUMENT_SETTINGS,
  DOCUMENT_URL,
  DOCUMENT_VERIFIER,
  clientDocument,
  startDocumentServer,
  httpResponse,
  serveDocumentsAt,
  type DocumentServer,
} from '../../support/client-documents.ts';
import { expectNothingAppended, expectRefusal } from '../../support/protocol-responses.ts';
import { runningService, type TestResponse, type RunningService } from '../../support/running-service.ts';
import { SMALL_LIMITS } from '../../support/small-limits.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('A request pushed by a client with a metadata document', () => {
  let running: RunningService;
  let server: DocumentServer;
  let browser: BrowserSession;

  async function startServer(settings: Parameters<typeof runningService>[0] = {}): Promise<void> {
    running = await runningService({ settings: { ...DOCUMENT_SETTINGS, requirePar: true }, ...settings });
    server = await startDocumentServer();
    serveDocumentsAt(running, server);
    browser = await openSession(running, await running.addUser());
  }

  afterEach(async () => {
    await server.close();
    await running.close();
  });

  function push(parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> {
    const { searchParams } = new URL(authorizePathWithDocument(), 'http://localhost');
    return running.post('/o/par/', { ...Object.fromEntries(searchParams), ...parameters });
  }

  const openAuthorizationPage = ({ json, text }: TestResponse) => {
    const { request_uri = '' } = json as { readonly request_uri?: string };
    expect(request_uri, text).not.to.equal('');
    return browser.get(`/o/authorize/?${new URLSearchParams({ client_id: DOCUMENT_URL, request_uri }).toString()}`);
  };

  it('leads to tokens even if the client is not in the log, and is not recorded', async () => {
    await startServer();
    const pushResponse = await expectNothingAppended(running, () => push());
    expect(pushResponse.status).to.equal(201);
    const page = await browser.submit(await openAuthorizationPage(pushResponse), { allow: 'Authorize' });
    const { status, text } = await running.post('/o/token/', {
      grant_type: 'authorization_code',
      client_id: DOCUMENT_URL,
      code: parseRedirect(page).parameters['code'] ?? '',
      redirect_uri: DOCUMENT_REDIRECT_URI,
      code_verifier: DOCUMENT_VERIFIER,
    });
    expect(status, text).to.equal(200);
  });

  it('is validated against the current document', async () => {
    await startServer();
    await browser.submit(await openAuthorizationPage(await push()), { allow: 'Authorize' });
    server.publish(clientDocument({ redirect_uris: ['https://app.example/new'] }));
    running.clock.advance(3_600);
    expectRefusal(await push(), 'invalid_request');
    expect((await openAuthorizationPage(await push({ redirect_uri: 'https://app.example/new' }))).status).to.equal(200);
  });

  it('is refused for the same clients as an authorization request, without contacting blocked domains', async () => {
    await startServer();
    server.publish(clientDocument({ client_secret: 'x' }));
    expectRefusal(await push(), 'invalid_client');
    await running.service().domainList.setRule('app.example', 'blocked', OPERATOR);
    expectRefusal(await push(), 'invalid_client');
    expectRefusal(await push({ client_id: 'https://APP.example/client.json' }), 'invalid_client');
    expect(server.requests).to.have.length(1);
  });

  it('is refused before the first consent if the client has keys, because its assertions are recorded', async () => {
    await startServer();
    const key = keyPairFor('ES256');
    const jwks = { keys: [key.jwk] };
    server.publish(clientDocument({ token_endpoint_auth_method: 'private_key_jwt', jwks }));
    const signedCredentials = withAssertion(await signAssertion(running, { id: DOCUMENT_URL }, key));
    for (const credentials of [{}, signedCredentials])
      expectRefusal(await expectNothingAppended(running, () => push(credentials)), 'invalid_client');
  });

  it('adds nothing to the log in a flood of distinct documents, which the limit per IP address stops', async () => {
    await startServer({ limits: SMALL_LIMITS });
    server.respondWith((socket, request) => {
      const client_id = `https://app.example${/GET (\S+)/.exec(request)?.[1] ?? ''}`;
      socket.end(httpResponse(JSON.stringify(clientDocument({ client_id }))));
    });
    const { max } = SMALL_LIMITS['client-documents-by-address'];
    const statuses: number[] = [];
    for (let number = 0; number < 20; number += 1) {
      const client_id = `https://app.example/${number}.json`;
      statuses.push((await expectNothingAppended(running, () => push({ client_id }))).status);
    }
    expect(statuses.filter((status) => status === 201)).to.have.length(max);
    expect(statuses.filter((status) => status === 429)).to.have.length(20 - max);
  });
});
