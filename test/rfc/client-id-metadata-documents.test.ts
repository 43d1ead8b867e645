import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { decodeEvent, type EventOf } from '../../src/domain/events.ts';
import { operate } from '../../src/operations/operations.ts';
import { expectErrorPage, openSession, parseRedirect } from '../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import {
  authorizePathWithDocument,
  DOCUMENT_REDIRECT_URI,
  DOCUMENT_SETTINGS,
  DOCUMENT_URL,
  DOCUMENT_VERIFIER,
  clientDocument,
  startDocumentServer,
  httpResponse,
  sendBytes,
  serveDocumentsAt,
  type DocumentServer,
} from '../support/client-documents.ts';
import { forgeRequestObject } from '../support/signed-requests.ts';
import { expectRefusal } from '../support/protocol-responses.ts';
import { flood } from '../support/hostile-server.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';
import { manualTimers } from '../support/manual-timers.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const VERIFIER_SCRIPT = fileURLToPath(new URL('../../scripts/verify-receipt.mjs', import.meta.url));

describe('A client identified by a metadata document', () => {
  let running: RunningService;
  let server: DocumentServer;
  let user: TestUser;
  let browser: BrowserSession;

  async function start(options: Parameters<typeof runningService>[0] = {}): Promise<void> {
    running = await runningService({ settings: DOCUMENT_SETTINGS, ...options });
    server = await startDocumentServer();
    serveDocumentsAt(running, server);
    user = await running.addUser();
    browser = await openSession(running, user);
  }

  afterEach(async () => {
    await server.close();
    await running.close();
  });

  type Query = Readonly<Record<string, string>>;

  async function consent(parameters: Query = {}): Promise<Query> {
    const page = await browser.get(authorizePathWithDocument(parameters));
    expect(page.status, page.html).to.equal(200);
    return parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
  }

  const redeem = async (code = '', parameters: Query = {}) =>
    running.post('/o/token/', {
      grant_type: 'authorization_code',
      client_id: DOCUMENT_URL,
      code,
      redirect_uri: DOCUMENT_REDIRECT_URI,
      code_verifier: DOCUMENT_VERIFIER,
      ...parameters,
    });

  async function listEventData<Type extends 'ClientDocumentAccepted' | 'ConsentGiven'>(type: Type) {
    const events = (await running.events()).map(decodeEvent);
    return events.flatMap((event) => (event.type === type ? [event.data as EventOf<Type>['data']] : []));
  }

  async function expectRefused(page: Page, message: RegExp): Promise<void> {
    expectErrorPage(page);
    expect(page.html).to.match(message);
    expect(await listEventData('ClientDocumentAccepted')).to.deep.equal([]);
  }

  describe('with a valid document', () => {
    beforeEach(() => start());

    it('gets tokens, and is recorded in the log at the first consent', async () => {
      const { code } = await consent();
      const { status, json } = await redeem(code);
      expect(status).to.equal(200);
      expect(json).to.include({ scope: 'read', token_type: 'Bearer' });
      const [acceptance, ...laterAcceptances] = await listEventData('ClientDocumentAccepted');
      const document = JSON.stringify(clientDocument());
      const hash = createHash('sha256').update(document).digest('base64url');
      expect(acceptance).to.deep.include({ clientId: DOCUMENT_URL, document, hash, clientType: 'public' });
      expect(laterAcceptances).to.deep.equal([]);
      expect((await listEventData('ConsentGiven')).map(({ documentHash }) => documentHash)).to.deep.equal([hash]);
      const refreshResponse = await running.post('/o/token/', {
        grant_type: 'refresh_token',
        client_id: DOCUMENT_URL,
        refresh_token: String(json?.['refresh_token']),
      });
      expect(refreshResponse.status).to.equal(200);
    });

    it('is identified by its host, and its logo is never shown', async () => {
      server.publish(clientDocument({ client_name: 'Your Bank', logo_uri: 'https://app.example/bank.png' }));
      const { html } = await browser.get(authorizePathWithDocument());
      expect(html).to.match(/<h1>Authorize <bdi>app\.example<\/bdi>\?<\/h1>/);
      expect(html).to.match(/calls itself\s+<bdi>Your Bank<\/bdi>/);
      expect(html).not.to.include('bank.png');
      expect(html).to.include('its description comes from <bdi>app.example</bdi>');
    });

    it("is attributed to its host on the user's pages rather than to the operator", async () => {
      await redeem((await consent())['code']);
      const application = `/o/authorized_tokens/applications/${encodeURIComponent(DOCUMENT_URL)}/`;
      for (const path of ['/o/authorized_tokens/', '/accounts/agents/', application]) {
        const { html } = await browser.get(path);
        const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
        expect(text, path).to.include('by app.example').and.not.to.include('the operator of this server');
      }
    });

    it('appears in consent receipts with the hash of its document', async () => {
      const { verifyReceipt } = (await import(VERIFIER_SCRIPT)) as {
        verifyReceipt(text: string): { readonly client: Query };
      };
      await redeem((await consent())['code']);
      const { html } = await browser.get(`/o/authorized_tokens/applications/${encodeURIComponent(DOCUMENT_URL)}/`);
      const [, path = ''] = /href="(\/o\/authorized_tokens\/[\w-]{22}\/receipt\/)"/.exec(html) ?? [];
      const { html: receipt } = await browser.get(path);
      const hash = createHash('sha256').update(JSON.stringify(clientDocument())).digest('base64url');
      const { client } = verifyReceipt(receipt);
      expect(client).to.deep.equal({ id: DOCUMENT_URL, name: 'Example Agent (app.example)', documentHash: hash });
      const otherHash = createHash('sha256').update('another document').digest('base64url');
      expect(() => verifyReceipt(receipt.replace(hash, otherHash)), 'hash changed in the statement').to.throw();
      expect(() => verifyReceipt(receipt.replaceAll(hash, otherHash)), 'hash changed everywhere').to.throw();
      expect(() => verifyReceipt(receipt.replace('Example Agent', 'Another Agent'))).to.throw();
    });

    it('is recorded again, and asks for consent again, only if its document has changed', async () => {
      await consent();
      await redeem((await consent())['code']);
      expect(await listEventData('ClientDocumentAccepted')).to.have.length(1);
      server.publish(clientDocument({ client_name: 'Renamed Agent' }));
      running.clock.advance(3_600);
      const page = await browser.get(authorizePathWithDocument({ approval_prompt: 'auto' }));
      expect(page.status, 'asks for consent again').to.equal(200);
      await consent();
      const [, second, ...laterAcceptances] = await listEventData('ClientDocumentAccepted');
      expect(second?.name).to.equal('Renamed Agent (app.example)');
      expect(laterAcceptances).to.deep.equal([]);
      const consents = await listEventData('ConsentGiven');
      expect(new Set(consents.map(({ documentHash }) => documentHash)).size).to.equal(2);
    });

    it('keeps an earlier consent while its document stays the same', async () => {
      await redeem((await consent())['code']);
      const page = await browser.get(authorizePathWithDocument({ approval_prompt: 'auto' }));
      expect(parseRedirect(page).parameters).to.have.property('code');
    });

    it('gets no consent if the document changes while the consent page is open', async () => {
      const page = await browser.get(authorizePathWithDocument());
      server.publish(clientDocument({ client_name: 'Another' }));
      running.clock.advance(120);
      const response = await browser.submit(page, { allow: 'Authorize' });
      expect(response.status).to.equal(303);
      expect((await browser.get(response.location ?? '')).html).to.include('has changed. Read it again');
      expect(await listEventData('ClientDocumentAccepted')).to.deep.equal([]);
      expect(await listEventData('ConsentGiven')).to.deep.equal([]);
    });

    it('can still redeem its code under the accepted document after the document has changed', async () => {
      const { code } = await consent();
      server.publish(clientDocument({ redirect_uris: ['https://app.example/other'] }));
      running.clock.advance(30);
      expect((await redeem(code)).status).to.equal(200);
      running.clock.advance(60);
      const { code: otherCode } = await consent({ redirect_uri: 'https://app.example/other' });
      expect((await redeem(otherCode, { redirect_uri: 'https://app.example/other' })).status).to.equal(200);
      expectErrorPage(await browser.get(authorizePathWithDocument()));
    });

    it('can use any port of a loopback address, and the consent page mentions a program on this computer', async () => {
      server.publish(clientDocument({ redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'] }));
      const page = await browser.get(authorizePathWithDocument({ redirect_uri: 'http://localhost:53123/callback' }));
      expect(page.html).to.include('a program on this computer');
      expect(
        (await browser.get(authorizePathWithDocument({ redirect_uri: 'http://127.0.0.1:1/callback' }))).status,
      ).to.equal(200);
      for (const evilUri of ['http://localhost.evil/callback', 'http://127.0.0.1@evil/callback'])
        expectErrorPage(await browser.get(authorizePathWithDocument({ redirect_uri: evilUri })));
    });

    it('lets scripts from the origin of a redirect URI read token responses, even on localhost', async () => {
      const localOrigin = 'http://localhost:6274';
      server.publish(
        clientDocument({
          redirect_uris: [DOCUMENT_REDIRECT_URI, `${localOrigin}/callback`, 'com.example.agent:/callback'],
        }),
      );
      const { code = '' } = await consent();
      const token = { grant_type: 'authorization_code', client_id: DOCUMENT_URL, redirect_uri: DOCUMENT_REDIRECT_URI };
      const redeemFrom = async (origin: string) => {
        const { headers } = await running.post(
          '/o/token/',
          { ...token, code, code_verifier: DOCUMENT_VERIFIER },
          { origin },
        );
        return headers.get('access-control-allow-origin');
      };
      for (const origin of ['https://evil.example', 'http://localhost:6275'])
        expect(await redeemFrom(origin)).to.equal(null);
      for (const origin of [localOrigin, 'https://app.example']) expect(await redeemFrom(origin)).to.equal(origin);
    });

    it('has its document fetched only once for many requests, and again after the cache lifetime', async () => {
      for (let request = 0; request < 5; request += 1) await browser.get(authorizePathWithDocument());
      expect(server.requests).to.have.length(1);
      const { text } = await running.get('/metrics');
      const findMetric = (outcome: string) =>
        text.split('\n').find((line) => line.includes(`purpose="client-document",outcome="${outcome}"`));
      expect(findMetric('ok')).to.match(/ 1$/);
      expect(findMetric('cached')).to.match(/ 4$/);
      server.respondWith((socket) =>
        socket.end(httpResponse(JSON.stringify(clientDocument()), ['Cache-Control: max-age=600'])),
      );
      running.clock.advance(61);
      await browser.get(authorizePathWithDocument());
      running.clock.advance(599);
      await browser.get(authorizePathWithDocument());
      expect(server.requests).to.have.length(2);
      running.clock.advance(2);
      await browser.get(authorizePathWithDocument());
      expect(server.requests).to.have.length(3);
    });

    it('cannot be used again after it has been removed', async () => {
      await consent();
      const { registration } = running.service();
      const [{ clientId } = { clientId: '' as never }] = await listEventData('ClientDocumentAccepted');
      await registration.remove(clientId, OPERATOR);
      const page = await browser.get(authorizePathWithDocument());
      expectErrorPage(page);
      expect(page.html).to.include('was removed from this server');
    });
  });

  describe('with a document that cannot be used', () => {
    beforeEach(() => start());

    const OTHER_IDS = [
      `${DOCUMENT_URL}/`,
      DOCUMENT_URL.replace('app.example', 'app.example:443'),
      DOCUMENT_URL.replace('app', 'APP'),
      `${DOCUMENT_URL}#f`,
      DOCUMENT_URL.replace('//', '//user@'),
      DOCUMENT_URL.replace('/oauth', '/x/../oauth'),
      `${DOCUMENT_URL}?`,
    ];

    for (const otherId of OTHER_IDS) {
      it(`is refused if its document has the client_id ${otherId}`, async () => {
        server.publish(clientDocument({ client_id: otherId }));
        await expectRefused(
          await browser.get(authorizePathWithDocument()),
          /contains a client_id that is not its own URL/,
        );
      });
    }

    const PROBLEMS: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
      ['a secret', { client_secret: 'hunter2' }, /contains client_secret/],
      ['a secret expiry time', { client_secret_expires_at: 0 }, /contains client_secret_expires_at/],
      ['a private key', { jwks: { keys: [{ kty: 'EC', d: 'x' }] } }, /contains a private key/],
      ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, /contains a private key/],
      [
        'an authentication method that uses a secret',
        { token_endpoint_auth_method: 'client_secret_basic' },
        /shared secrets are not possible/,
      ],
      [
        'an authentication method that needs missing keys',
        { token_endpoint_auth_method: 'private_key_jwt' },
        /neither a jwks_uri nor usable/,
      ],
      ['no redirect URI', { redirect_uris: [] }, /needs 1 to 30 redirect_uris/],
      [
        'a redirect URI on a different origin',
        { redirect_uris: ['https://evil.example/cb'] },
        /on an origin other than its own/,
      ],
      [
        'a redirect URI on a different port',
        { redirect_uris: ['https://app.example:8443/cb'] },
        /on an origin other than its own/,
      ],
      ['a redirect URI with user info', { redirect_uris: ['http://127.0.0.1@evil/cb'] }, /user name or password/],
      [
        'a redirect URI that resembles localhost',
        { redirect_uris: ['http://localhost.evil/cb'] },
        /on an origin other than its own/,
      ],
      ['a javascript: redirect URI', { redirect_uris: ['javascript:alert(1)'] }, /must not use the javascript: scheme/],
      [
        'only a grant type that needs no consent',
        { grant_types: ['client_credentials'] },
        /without authorization_code/,
      ],
      ['a front-channel response type', { response_types: ['token'] }, /without code/],
      ['an invisible character in its name', { client_name: 'Cl\u200baude' }, /invisible/],
    ];

    for (const [problem, changes, message] of PROBLEMS) {
      it(`is refused if its document has ${problem}`, async () => {
        server.publish(clientDocument(changes));
        await expectRefused(await browser.get(authorizePathWithDocument()), message);
      });
    }

    const RESPONSES: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
      ['is an HTML page', (socket) => socket.end(httpResponse('<html>', ['Content-Type: text/html'])), /not JSON/],
      ['is not JSON', (socket) => socket.end(httpResponse('{')), /not a JSON document/],
      ['is an array', (socket) => socket.end(httpResponse('[]')), /not a JSON object/],
      ['has the status 203', (socket) => socket.end(httpResponse('{}', [], '203 Maybe')), /status 203/],
      ['is missing', (socket) => socket.end(httpResponse('{}', [], '404 Not Found')), /status 404/],
      [
        'is a redirect',
        (socket) => socket.end(httpResponse('', ['Location: http://169.254.169.254/'], '302 Found')),
        /redirect/,
      ],
      [
        'is a gzip bomb (100 kB that unpacks to 100 MB)',
        (socket) => sendBytes(socket, gzipSync(Buffer.alloc(100_000_000)), 'Content-Encoding: gzip'),
        /compressed body/,
      ],
      [
        'is a gzip bomb of less than 5 KiB',
        (socket) => sendBytes(socket, gzipSync(Buffer.alloc(4_900_000)), 'Content-Encoding: gzip'),
        /compressed body/,
      ],
      [
        'is a gzip bomb without Content-Encoding',
        (socket) => sendBytes(socket, gzipSync(Buffer.alloc(4_900_000))),
        /not a JSON document/,
      ],
      ['is 5 MB long', (socket) => socket.end(httpResponse('x'.repeat(5_000_000))), /more than 5120 bytes/],
      [
        'exceeds 5,120 bytes, without Content-Length',
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n');
          flood(socket, ' '.repeat(1_024));
        },
        /more than 5120 bytes/,
      ],
    ];

    for (const [problem, respond, message] of RESPONSES) {
      it(`is refused if its document ${problem}`, async () => {
        server.respondWith(respond);
        await expectRefused(await browser.get(authorizePathWithDocument()), message);
      });
    }

    it('is refused without a fetch if its id is not a normalized URL', async () => {
      for (const client_id of [
        'https://APP.example/oauth/client.json',
        'https://app.example:443/oauth/client.json',
        'https://app.example',
        'https://app.example/x/../client.json',
        'https://app.example/x/%2e%2e/client.json',
        'https://user@app.example/client.json',
        'https://app.example/client.json#fragment',
        'https://app.example./client.json',
        'http://app.example/client.json',
        `https://app.example/${'x'.repeat(500)}`,
      ])
        await expectRefused(await browser.get(authorizePathWithDocument({ client_id })), /The client_id /);
      expect(server.requests).to.deep.equal([]);
    });

    it('has its document fetched again at the next request, because errors are not cached', async () => {
      server.publish('{}');
      await expectRefused(await browser.get(authorizePathWithDocument()), /contains a client_id that is not its own/);
      server.publish(clientDocument());
      expect((await browser.get(authorizePathWithDocument())).status).to.equal(200);
    });
  });

  it('is refused at the deadline if its document never arrives completely', async () => {
    const timers = manualTimers();
    await start({ startTimer: timers.startTimer });
    server.respondWith((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      for (const byte of '{"client_id":') socket.write(byte);
    });
    const page = browser.get(authorizePathWithDocument());
    await server.waitForRequests(1);
    expect(timers.running()).to.deep.equal([5_000]);
    timers.expire(5_000);
    await expectRefused(await page, /took longer than 5 seconds/);
    await server.waitUntilIdle();
  });

  describe('at an address that this server does not contact', () => {
    let addresses: readonly string[];
    const resolve = async () => addresses.map((address) => ({ address, family: 4 }));

    beforeEach(async () => {
      running = await runningService({ settings: { clientDocuments: 'any' }, resolve });
      server = await startDocumentServer();
      user = await running.addUser();
      browser = await openSession(running, user);
    });

    for (const host of ['169.254.169.254', '127.0.0.1', '10.0.0.1', '[::ffff:127.0.0.1]', '[::1]']) {
      it(`is refused if the host is ${host}`, async () => {
        const client_id = new URL(`https://${host}/client.json`).href;
        await expectRefused(
          await browser.get(authorizePathWithDocument({ client_id })),
          /is at an address that this server does not/,
        );
      });
    }

    it('is refused if its host name resolves to a public and a private address', async () => {
      addresses = ['93.184.216.34', '127.0.0.1'];
      await expectRefused(
        await browser.get(authorizePathWithDocument()),
        /is at an address that this server does not contact/,
      );
    });

    it('has its document fetched only from the address that was checked', async () => {
      let lookups = 0;
      addresses = ['192.0.2.1'];
      await running.close();
      running = await runningService({
        settings: DOCUMENT_SETTINGS,
        resolve: async () => [{ address: (lookups += 1) === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }],
      });
      serveDocumentsAt(running, server, 'rebinding.example');
      user = await running.addUser();
      browser = await openSession(running, user);
      expect((await browser.get(authorizePathWithDocument())).status, 'from the address that was checked').to.equal(
        200,
      );
      expect([lookups, server.requests.length]).to.deep.equal([1, 1]);
      running.clock.advance(3_600);
      await expectRefused(
        await browser.get(authorizePathWithDocument()),
        /is at an address that this server does not contact/,
      );
      expect([lookups, server.requests.length]).to.deep.equal([2, 1]);
    });
  });

  describe('in a flood of client documents', () => {
    it('adds nothing to the log, and is stopped by the rate limit per IP address', async () => {
      await start({ limits: SMALL_LIMITS });
      server.respondWith((socket, request) => {
        const path = /GET (\S+)/.exec(request)?.[1] ?? '';
        const client_id = `https://app.example${path}`;
        socket.end(httpResponse(JSON.stringify(clientDocument({ client_id }))));
      });
      const eventCount = (await running.events()).length;
      const statuses: number[] = [];
      for (let number = 0; number < 20; number += 1)
        statuses.push(
          (await browser.get(authorizePathWithDocument({ client_id: `https://app.example/${number}.json` }))).status,
        );
      const { max } = SMALL_LIMITS['client-documents-by-address'];
      expect(statuses.filter((status) => status === 200)).to.have.length(max);
      expect(statuses.filter((status) => status === 429)).to.have.length(20 - max);
      expect((await running.events()).length).to.equal(eventCount);
    });

    it('causes key set requests for signed requests only within the rate limit per IP address', async () => {
      await start({ limits: SMALL_LIMITS });
      const keySetReads: string[] = [];
      const { egress } = running.service();
      const { readJson } = egress;
      Object.assign(egress, {
        readJson: async (...[purpose, url]: Parameters<typeof readJson>) => {
          if (purpose !== 'key-set') return readJson(purpose, url);
          keySetReads.push(url);
          return { document: { keys: [] }, text: '{"keys":[]}', lifetimeSeconds: 60 };
        },
      });
      const jwks_uri = 'https://victim.example/keys';
      server.publish(clientDocument({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri }));
      const request = forgeRequestObject(
        { alg: 'ES256', kid: 'k' },
        { iss: DOCUMENT_URL, client_id: DOCUMENT_URL },
        'A'.repeat(86),
      );
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 10; attempt += 1)
        statuses.push((await browser.get(authorizePathWithDocument({ request }))).status);
      const { max } = SMALL_LIMITS['request-objects-by-address'];
      expect(statuses.filter((status) => status === 429)).to.have.length(10 - max);
      expect(keySetReads.length).to.be.within(1, max);
    });

    it('can still be used if a user consented to it before the flood', async () => {
      await start({ limits: SMALL_LIMITS });
      await consent();
      running.clock.advance(120);
      for (let number = 0; number < 5; number += 1)
        await browser.get(authorizePathWithDocument({ client_id: `https://app.example/${number}.json` }));
      server.respondWith((socket) => socket.destroy());
      expect((await browser.get(authorizePathWithDocument())).status).to.equal(200);
    });
  });

  describe('with clientDocuments set to off', () => {
    it('is unknown', async () => {
      await start({ settings: { ...DOCUMENT_SETTINGS, clientDocuments: 'off' } });
      await expectRefused(await browser.get(authorizePathWithDocument()), /accepts only registered applications/);
      const { json } = await running.get('/.well-known/oauth-authorization-server');
      expect(json).to.include({ client_id_metadata_document_supported: false });
    });
  });

  describe('with clientDocuments set to list', () => {
    it('needs an allowed domain', async () => {
      await start({ settings: { ...DOCUMENT_SETTINGS, clientDocuments: 'list' } });
      await expectRefused(
        await browser.get(authorizePathWithDocument()),
        /has not allowed applications from this domain/,
      );
      expect(server.requests).to.deep.equal([]);
      const { domainList } = running.service();
      await domainList.setRule('example', 'allowed', OPERATOR);
      expect((await browser.get(authorizePathWithDocument())).status).to.equal(200);
      await domainList.setRule('app.example', 'blocked', OPERATOR);
      await expectRefused(await browser.get(authorizePathWithDocument()), /has blocked applications from this domain/);
      await domainList.setRule('app.example', null, OPERATOR);
      expect((await browser.get(authorizePathWithDocument())).status).to.equal(200);
    });

    it('is refused in a forecast only while its domain is not listed', async () => {
      await start();
      await redeem((await consent())['code']);
      const simulate = async () => {
        const findings: unknown[] = [];
        const run = operate(running.service());
        const set = { clientDocuments: 'list' };
        for await (const item of run('log what-if', { set }, new AbortController().signal))
          if (typeof item === 'object' && item !== null && 'rule' in item) findings.push(item);
        return findings;
      };
      const [refusal, ...otherFindings] = await simulate();
      expect(refusal).to.include({
        client: DOCUMENT_URL,
        outcome: 'refused',
        rule: 'client-document-not-accepted',
        count: 1,
        followed_by: 1,
      });
      expect(otherFindings).to.deep.equal([]);
      await running.service().domainList.setRule('app.example', 'allowed', OPERATOR);
      expect(await simulate()).to.deep.equal([]);
    });
  });

  describe('with clientDocuments set to any', () => {
    it('sees in the server metadata that documents are supported', async () => {
      await start();
      const { json } = await running.get('/.well-known/oauth-authorization-server');
      expect(json).to.include({ client_id_metadata_document_supported: true });
    });

    it('is refused on a blocked domain, even if a user has consented to it', async () => {
      await start();
      await consent();
      await running.service().domainList.setRule('app.example', 'blocked', OPERATOR);
      expectErrorPage(await browser.get(authorizePathWithDocument()));
    });

    it('is refused on a blocked domain, however its host is spelled', async () => {
      await start();
      await running.service().domainList.setRule('app.example', 'blocked', OPERATOR);
      for (const host of ['app.example', 'app.example.', 'app.example..', 'sub.app.example', 'sub.app.example.']) {
        const client_id = `https://${host}/client.json`;
        server.publish(clientDocument({ client_id, redirect_uris: ['http://127.0.0.1/callback'] }));
        expectErrorPage(
          await browser.get(authorizePathWithDocument({ client_id, redirect_uri: 'http://127.0.0.1/callback' })),
        );
      }
      expect(server.requests).to.deep.equal([]);
    });

    it('has its codes and refresh tokens refused while its domain is blocked', async () => {
      await start();
      const { domainList } = running.service();
      const { json } = await redeem((await consent())['code']);
      const { code = '' } = await consent();
      const refresh = () =>
        running.post('/o/token/', {
          grant_type: 'refresh_token',
          client_id: DOCUMENT_URL,
          refresh_token: String(json?.['refresh_token']),
        });
      await domainList.setRule('app.example', 'blocked', OPERATOR);
      for (const response of [await redeem(code), await refresh()]) expectRefusal(response, 'unauthorized_client');
      await domainList.setRule('app.example', null, OPERATOR);
      for (const response of [await redeem(code), await refresh()])
        expect(response.status, response.text).to.equal(200);
    });
  });
});
