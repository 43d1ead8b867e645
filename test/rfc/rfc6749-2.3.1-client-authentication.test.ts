import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ClientId } from '../../src/domain/values.ts';
import { countingHasher } from '../support/counting-hasher.ts';
import {
  serializeResponse,
  expectRefusal,
  expectTokens,
  expectNothingAppended,
} from '../support/protocol-responses.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };
const TOKENS = { scope: 'read write', refresh: false };

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const header = (id: string, secret: string): string => basic(`${id}:${secret}`);
const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

const IMPORTED_CLIENT = {
  name: 'Imported',
  clientType: 'confidential',
  grantTypes: ['client-credentials'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
};

describe('RFC 6749 §2.3.1: client authentication', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
  });
  afterEach(() => running.close());

  const requestWithHeader = (
    authorization: string,
    body: Readonly<Record<string, string>> = CLIENT_CREDENTIALS,
  ): Promise<TestResponse> => running.post('/o/token/', body, { authorization });
  const requestWithBody = (id: string, secret: string): Promise<TestResponse> =>
    running.post('/o/token/', { ...CLIENT_CREDENTIALS, client_id: id, client_secret: secret });

  it('accepts the id and secret in a Basic header', async () => {
    expectTokens(await requestWithHeader(client.basic), TOKENS);
  });

  it('accepts the id and secret in the body', async () => {
    expectTokens(await requestWithBody(client.id, client.secret), TOKENS);
  });

  it('accepts the scheme in any letter case', async () => {
    for (const scheme of ['basic', 'BASIC', 'bAsIc']) {
      expectTokens(await requestWithHeader(client.basic.replace('Basic', scheme)), TOKENS);
    }
  });

  it('refuses every malformed header with 401 and a Basic challenge', async () => {
    const malformedHeaders = [
      'Basic',
      'Basic ',
      'Basic !!!!',
      basic('no-colon'),
      basic(':secret'),
      'Basic =',
      'Digest x=y',
      'gibberish',
      basic('\u0000:\u0000'),
      `${client.basic} more`,
    ];
    for (const authorization of malformedHeaders) {
      const response = await expectNothingAppended(running, () => requestWithHeader(authorization));
      expectRefusal(response, 'invalid_client');
      expect(response.headers.get('www-authenticate')).to.match(/^Basic realm=/);
    }
  });

  it('refuses a bearer token with a Bearer challenge', async () => {
    const response = await expectNothingAppended(running, () => requestWithHeader('Bearer something'));
    expectRefusal(response, 'invalid_client');
    expect(response.headers.get('www-authenticate')).to.match(/^Bearer realm=/);
  });

  it('refuses missing credentials with a Basic challenge', async () => {
    const response = await expectNothingAppended(running, () => running.post('/o/token/', CLIENT_CREDENTIALS));
    expectRefusal(response, 'invalid_client');
    expect(response.headers.get('www-authenticate')).to.match(/^Basic realm=/);
  });

  describe('does not reveal which clients exist or what kinds of secrets they have:', () => {
    let ids: readonly string[];
    let secrets: readonly string[];

    beforeEach(async () => {
      const { registration } = running.service();
      const [overlappingClient, rotatedClient, removedClient] = [
        await running.addClient(),
        await running.addClient(),
        await running.addClient(),
      ];
      const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
      await registration.register(IMPORTED_CLIENT, null, OPERATOR, { clientId: 'imported', clientSecret: 'hunter2' });
      await registration.rotateSecret(rotatedClient.id as ClientId, OPERATOR, 60);
      running.clock.advance(60);
      await registration.rotateSecret(overlappingClient.id as ClientId, OPERATOR, 60);
      await registration.remove(removedClient.id as ClientId, OPERATOR);
      ids = [
        'nobody',
        client.id,
        overlappingClient.id,
        rotatedClient.id,
        removedClient.id,
        publicClient.id,
        'imported',
      ];
      secrets = ['wrong', client.secret.slice(1), (await running.addClient()).secret, rotatedClient.secret];
    });

    it('every refusal is byte-for-byte identical, including headers, at every endpoint', async () => {
      for (const [path, body] of [
        ['/o/token/', CLIENT_CREDENTIALS],
        ['/o/revoke_token/', { token: 'x' }],
        ['/o/introspect/', { token: 'x' }],
      ] as const) {
        const responses = new Set<string>();
        for (const id of ids)
          for (const secret of secrets) {
            const headerResponse = await running.post(path, body, { authorization: header(id, secret) });
            const bodyResponse = await running.post(path, { ...body, client_id: id, client_secret: secret });
            for (const response of [headerResponse, bodyResponse]) {
              expectRefusal(response, 'invalid_client');
              responses.add(serializeResponse(response));
            }
          }
        expect([...responses], path).to.have.length(1);
      }
    });

    it('no refusal adds an event to the log', async () => {
      for (const id of ids) await expectNothingAppended(running, () => requestWithBody(id, 'wrong'));
    });
  });

  it('computes a slow hash depending on the secret in the request, not on the id', async () => {
    const counter = countingHasher();
    const service = await runningService({ hasher: counter.hasher });
    try {
      const [registeredClient, otherClient] = [await service.addClient(), await service.addClient()];
      const countHashes = async (id: string, secret: string): Promise<number> => {
        const countBefore = counter.verifyCount();
        expectRefusal(
          await service.post('/o/token/', { ...CLIENT_CREDENTIALS, client_id: id, client_secret: secret }),
          'invalid_client',
        );
        return counter.verifyCount() - countBefore;
      };
      expect(await countHashes(registeredClient.id, 'wrong'), 'no client has a user-chosen secret').to.equal(0);
      await service
        .service()
        .registration.register(IMPORTED_CLIENT, null, OPERATOR, { clientId: 'imported', clientSecret: 'hunter2' });
      for (const id of ['nobody', registeredClient.id, 'imported']) {
        expect(await countHashes(id, 'wrong'), id).to.equal(1);
        expect(await countHashes(id, otherClient.secret), id).to.equal(0);
      }
    } finally {
      await service.close();
    }
  });

  it('never accepts the id of a confidential client alone', async () => {
    for (const send of [
      () => running.post('/o/token/', { ...CLIENT_CREDENTIALS, client_id: client.id }),
      () => requestWithBody(client.id, ''),
      () => requestWithHeader(basic(`${client.id}:`)),
    ]) {
      expectRefusal(await expectNothingAppended(running, send), 'invalid_client');
    }
  });

  it('refuses a secret without an id', async () => {
    expectRefusal(
      await expectNothingAppended(running, () =>
        running.post('/o/token/', { ...CLIENT_CREDENTIALS, client_secret: client.secret }),
      ),
      'invalid_client',
    );
  });

  it('refuses credentials in the header and in the body together unless they match', async () => {
    const otherClient = await running.addClient();
    const matchingBody = { ...CLIENT_CREDENTIALS, client_id: client.id, client_secret: client.secret };
    expectTokens(await requestWithHeader(client.basic, matchingBody), TOKENS);
    expectTokens(await requestWithHeader(client.basic, { ...CLIENT_CREDENTIALS, client_id: client.id }), TOKENS);
    for (const body of [
      { ...matchingBody, client_secret: 'wrong' },
      { ...matchingBody, client_id: otherClient.id },
      { ...matchingBody, client_id: otherClient.id, client_secret: otherClient.secret },
    ]) {
      expectRefusal(
        await expectNothingAppended(running, () => requestWithHeader(client.basic, body)),
        'invalid_request',
      );
    }
  });

  it('refuses very long values', async () => {
    for (const [id, secret] of [
      ['x'.repeat(30_000), 'x'],
      [client.id, 'x'.repeat(60_000)],
    ] as const) {
      expectRefusal(await expectNothingAppended(running, () => requestWithBody(id, secret)), 'invalid_client');
    }
  });

  it('refuses values with NUL bytes', async () => {
    expectRefusal(
      await expectNothingAppended(running, () => requestWithBody(`${client.id}\u0000`, client.secret)),
      'invalid_client',
    );
    expectRefusal(
      await expectNothingAppended(running, () => requestWithBody(client.id, `${client.secret}\u0000`)),
      'invalid_client',
    );
  });

  it('fails once the client has been removed', async () => {
    const registeredClient = running.service().projections.clients.find(client.id);
    if (registeredClient === undefined) throw new Error('the client is not registered');
    await running
      .service()
      .registration.remove(registeredClient.clientId, { actor: { kind: 'operator' }, requestId: null });
    expectRefusal(await expectNothingAppended(running, () => requestWithHeader(client.basic)), 'invalid_client');
  });

  it('accepts only the new secret after a rotation', async () => {
    const registeredClient = running.service().projections.clients.find(client.id);
    if (registeredClient === undefined) throw new Error('the client is not registered');
    const secret = await running
      .service()
      .registration.rotateSecret(registeredClient.clientId, { actor: { kind: 'operator' }, requestId: null });
    expectTokens(await requestWithBody(client.id, secret ?? ''), TOKENS);
    expectRefusal(await expectNothingAppended(running, () => requestWithHeader(client.basic)), 'invalid_client');
  });
});

const arbitrarySecret = fc.string({
  unit: fc.constantFrom('a', 'b', '+', '%', '&', '=', ':', '/', ' ', '2', '0', '"', '\\', '~'),
  minLength: 1,
  maxLength: 12,
});

describe('RFC 6749 §2.3.1: a client with imported credentials', () => {
  let running: RunningService;

  before(async () => {
    running = await runningService();
  });
  after(() => running.close());

  const FIELDS = {
    name: 'From elsewhere',
    grantTypes: ['client-credentials', 'password'],
    redirectUris: [],
    allowedOrigins: [],
    skipAuthorization: false,
  };

  async function importClient(
    clientId: string,
    clientSecret: string,
    clientType: 'confidential' | 'public' = 'confidential',
  ): Promise<void> {
    const grantTypes = clientType === 'public' ? ['password'] : FIELDS.grantTypes;
    const result = await running
      .service()
      .registration.register(
        { ...FIELDS, clientType, grantTypes },
        null,
        { actor: { kind: 'operator' }, requestId: null },
        { clientId, clientSecret },
      );
    expect(result).to.include({ clientId, clientSecret });
  }

  it('authenticates with a form-encoded header, a raw header or the body, whatever its secret', async () => {
    let importedCount = 0;
    await fc.assert(
      fc.asyncProperty(arbitrarySecret, fc.constantFrom('', '+', '%', '%41', '&='), async (secret, suffix) => {
        const id = `client-${(importedCount += 1)}${suffix}`;
        await importClient(id, secret);
        expectTokens(
          await running.post('/o/token/', CLIENT_CREDENTIALS, {
            authorization: header(formEncode(id), formEncode(secret)),
          }),
          TOKENS,
        );
        expectTokens(
          await running.post('/o/token/', CLIENT_CREDENTIALS, { authorization: header(id, secret) }),
          TOKENS,
        );
        expectTokens(
          await running.post('/o/token/', { ...CLIENT_CREDENTIALS, client_id: id, client_secret: secret }),
          TOKENS,
        );
        expectTokens(
          await running.post(
            '/o/token/',
            { ...CLIENT_CREDENTIALS, client_id: id, client_secret: secret },
            { authorization: header(id, secret) },
          ),
          TOKENS,
        );
        expectRefusal(
          await running.post('/o/token/', CLIENT_CREDENTIALS, { authorization: header(id, `${secret}x`) }),
          'invalid_client',
        );
      }),
      { numRuns: 25 },
    );
  });

  it('is refused with a wrong secret even after the correct secret has been cached', async () => {
    await importClient('remembered', 'hunter2');
    expectTokens(
      await running.post('/o/token/', CLIENT_CREDENTIALS, { authorization: header('remembered', 'hunter2') }),
      TOKENS,
    );
    expectTokens(
      await running.post('/o/token/', CLIENT_CREDENTIALS, { authorization: header('remembered', 'hunter2') }),
      TOKENS,
    );
    const response = await expectNothingAppended(running, () =>
      running.post('/o/token/', CLIENT_CREDENTIALS, { authorization: header('remembered', 'hunter3') }),
    );
    expectRefusal(response, 'invalid_client');
  });

  it('is not authenticated by an ambiguous header if the body contains a different id', async () => {
    await importClient('ab', 'shared');
    const body = { ...CLIENT_CREDENTIALS, client_id: 'a%62' };
    const response = await expectNothingAppended(running, () =>
      running.post('/o/token/', body, { authorization: header('a%62', 'shared') }),
    );
    expectRefusal(response, 'invalid_client');
  });

  it('keeps a secret that another Grantlog server generated, and stores it without the slow hash', async () => {
    const { secret } = await running.addClient();
    await importClient('from-another-grantlog', secret);
    expectTokens(
      await running.post('/o/token/', CLIENT_CREDENTIALS, { authorization: header('from-another-grantlog', secret) }),
      TOKENS,
    );
    expect(running.service().projections.clients.find('from-another-grantlog')?.secret?.algorithm).to.equal('sha256');
  });

  it('cannot have the id of an existing client', async () => {
    await importClient('taken', 'first');
    const result = await running
      .service()
      .registration.register(
        { ...FIELDS, clientType: 'confidential' },
        null,
        { actor: { kind: 'operator' }, requestId: null },
        { clientId: 'taken', clientSecret: 'second' },
      );
    expect(result).to.deep.equal({ refusal: 'client-id-taken' });
  });

  it('can be public and have a secret, which must be correct if it is sent', async () => {
    await importClient('public-with-secret', 'chosen', 'public');
    const owner = await running.addUser();
    const body = {
      grant_type: 'password',
      username: owner.username,
      password: owner.password,
      client_id: 'public-with-secret',
    };
    const expectedTokens = { scope: 'read write groups', refresh: true };
    expectTokens(await running.post('/o/token/', body), expectedTokens);
    expectTokens(await running.post('/o/token/', { ...body, client_secret: 'chosen' }), expectedTokens);
    expectRefusal(
      await expectNothingAppended(running, () => running.post('/o/token/', { ...body, client_secret: 'guessed' })),
      'invalid_client',
    );
  });
});

describe('RFC 6749 §2.1: a public client', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code', 'password'] });
  });
  afterEach(() => running.close());

  it('has no secret, is identified only by its id, and is refused with any secret', async () => {
    const owner = await running.addUser();
    const body = { grant_type: 'password', username: owner.username, password: owner.password };
    expect(client.secret).to.equal('');
    expectTokens(await running.post('/o/token/', { ...body, client_id: client.id }), {
      scope: 'read write groups',
      refresh: true,
    });
    expectTokens(await running.token(client, body), { scope: 'read write groups', refresh: true });
    expectRefusal(
      await expectNothingAppended(running, () =>
        running.post('/o/token/', { ...body, client_id: client.id, client_secret: 'any' }),
      ),
      'invalid_client',
    );
  });

  it('cannot use the client credentials grant, and cannot be registered for it', async () => {
    expectRefusal(
      await expectNothingAppended(running, () =>
        running.post('/o/token/', { ...CLIENT_CREDENTIALS, client_id: client.id }),
      ),
      'unauthorized_client',
    );
    const problem = await running
      .addClient({ clientType: 'public', grantTypes: ['client-credentials'] })
      .catch((error: unknown) => String(error));
    expect(problem).to.include('grantTypes');
  });

  it('can use the password grant only if it is registered for it', async () => {
    const owner = await running.addUser();
    const codeClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const body = {
      grant_type: 'password',
      username: owner.username,
      password: owner.password,
      client_id: codeClient.id,
    };
    expectRefusal(await expectNothingAppended(running, () => running.post('/o/token/', body)), 'unauthorized_client');
  });
});
