import { expect } from 'chai';
import { audit } from '../../../../src/audit/rules/auditor.ts';
import { decodeEvent, type EventOf } from '../../../../src/domain/events.ts';
import { START } from '../../../../src/event-store/event-log.ts';
import type { Client } from '../../../../src/projections/clients.ts';
import {
  expectErrorPage,
  expectErrorRedirect,
  openSession,
  parseRedirect,
} from '../../../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import {
  authorizePathWithDocument,
  DOCUMENT_SETTINGS,
  DOCUMENT_URL,
  clientDocument,
  startDocumentServer,
  serveDocumentsAt,
  type DocumentServer,
} from '../../../support/client-documents.ts';
import { startRacingService, type RacingService } from '../../../support/racing-service.ts';
import type { RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('A metadata document that changes after the operator has configured its client', () => {
  let racing: RacingService;
  let running: RunningService;
  let server: DocumentServer;
  let browser: BrowserSession;

  beforeEach(async () => {
    racing = await startRacingService({ settings: DOCUMENT_SETTINGS });
    ({ running } = racing);
    server = await startDocumentServer();
    serveDocumentsAt(running, server);
    browser = await openSession(running, await running.addUser());
    await submit(await browser.get(authorizePathWithDocument()));
  });
  afterEach(async () => {
    const auditFindings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) auditFindings.push(item);
    expect(auditFindings, 'audit findings').to.deep.equal([]);
    await server.close();
    await racing.close();
  });

  const submit = (page: Page): Promise<Page> => browser.submit(page, { allow: 'Authorize' });
  const client = (): Client => running.service().projections.clients.find(DOCUMENT_URL) ?? expect.fail();
  const configure = (changes: Partial<Client>): Promise<unknown> =>
    running.service().registration.update(client().clientId, { ...client(), ...changes }, OPERATOR);

  function publish(changes: Readonly<Record<string, unknown>> = { client_name: 'Renamed Agent' }): void {
    server.publish(clientDocument(changes));
    running.clock.advance(3_600);
  }

  async function listAcceptedDocuments(): Promise<readonly EventOf<'ClientDocumentAccepted'>['data'][]> {
    const events = (await running.events()).map(decodeEvent);
    return events.flatMap((event) => (event.type === 'ClientDocumentAccepted' ? [event.data] : []));
  }

  it('does not lift the second factor requirement', async () => {
    await configure({ secondFactorRequired: true });
    publish();
    expect((await browser.get(authorizePathWithDocument())).location).to.match(/^\/accounts\/login\/second-step\//);
  });

  it('does not open a client in test mode to users who are not its members', async () => {
    await configure({ mode: 'test' });
    publish();
    const page = await browser.get(authorizePathWithDocument());
    expect(page.status).to.equal(403);
    expect(page.html).to.include('is in test mode');
    expect(await listAcceptedDocuments()).to.have.length(1);
  });

  it("is recorded with the operator's settings and its own metadata", async () => {
    const { openid, security } = client();
    const decision = {
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'ES256',
      restrictedScopes: ['audit'],
      openid: { ...openid, subjectType: 'pairwise' },
      security: { ...security, introspectionAlgorithm: 'PS256' },
    } as const;
    const redirect_uris = ['https://app.example/callback', 'https://app.example/more'];
    await configure({ ...decision, name: 'A name chosen by the operator' });
    publish({ client_name: 'Renamed Agent', redirect_uris });
    expect(parseRedirect(await submit(await browser.get(authorizePathWithDocument()))).parameters).to.have.property(
      'code',
    );
    const [, secondDocument] = await listAcceptedDocuments();
    expect(secondDocument).to.deep.include({
      ...decision,
      name: 'Renamed Agent (app.example)',
      redirectUris: redirect_uris,
    });
    expect(client()).to.deep.include(decision);
  });

  it('still requires pushed requests if the operator does', async () => {
    await configure({ security: { ...client().security, requirePushedAuthorizationRequests: true } });
    publish();
    expect((await browser.get(authorizePathWithDocument())).location).to.include('error=invalid_request');
    expect(await listAcceptedDocuments()).to.have.length(1);
  });

  it('is refused if it contradicts the profile that the operator requires', async () => {
    const { keys } = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] };
    const signingMetadata = {
      token_endpoint_auth_method: 'private_key_jwt',
      redirect_uris: ['https://app.example/callback'],
    };
    publish({ ...signingMetadata, jwks: { keys } });
    await submit(await browser.get(authorizePathWithDocument()));
    const { security } = client();
    await configure({ security: { ...security, profile: 'fapi2', dpopBoundAccessTokens: true } });
    expect(client().security.profile).to.equal('fapi2');
    publish({ client_name: 'A public client' });
    const page = await browser.get(authorizePathWithDocument());
    expectErrorPage(page);
    expect(page.html).to.include('violates the operator’s requirements');
    expect(client().security.profile).to.equal('fapi2');
  });

  it('requires consent even if the operator lets its client skip the consent page', async () => {
    await configure({ skipAuthorization: true });
    expect(parseRedirect(await browser.get(authorizePathWithDocument())).parameters).to.have.property('code');
    publish({ redirect_uris: ['https://app.example/callback', 'https://app.example/stolen'] });
    const silentPath = authorizePathWithDocument({ prompt: 'none', scope: 'openid read' });
    expectErrorRedirect(await browser.get(silentPath), 'consent_required');
    expect((await submit(await browser.get(authorizePathWithDocument()))).status).to.equal(302);
    expect(
      parseRedirect(await browser.get(authorizePathWithDocument())).parameters,
      'after one consent',
    ).to.have.property('code');
  });

  it('is not accepted when a user consents after the operator has changed the client', async () => {
    publish();
    const page = await browser.get(authorizePathWithDocument());
    const [response] = await racing.runBehind(
      () => configure({ mode: 'test' }),
      /^client-/,
      () => submit(page),
    );
    expect(response.status).to.equal(403);
    expect(response.html).to.include('is in test mode');
    expect(await listAcceptedDocuments()).to.have.length(1);
    expect(client().mode).to.equal('test');
  });
});
