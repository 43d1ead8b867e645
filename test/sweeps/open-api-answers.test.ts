import { expect } from 'chai';
import * as fc from 'fast-check';
import type { OpenApiDocument } from '../../src/http/openapi/document.ts';
import { expectDescribed, operationsOf, schemaViolation, type DescribedOperation } from '../support/described-api.ts';
import { fieldFrom, type KnownValues } from '../support/from-schema.ts';
import { addManager, create, managementToken, obtain } from '../support/managed-grants.ts';
import { registerResource } from '../support/resource-servers.ts';
import { REDIRECT_URI, runningService, type TestResponse, type RunningService } from '../support/running-service.ts';

const RUNS = 5;
const FORM = 'application/x-www-form-urlencoded';
const SCOPES = 'read write groups audit introspection';

/** Statuses that no request here can cause: they require an exhausted limit, a failed log or a bug. */
const UNREACHABLE_STATUSES = ['429', '500', '503'];

/** Parameters by location, and the form fields. */
interface Request {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A change that makes a valid request invalid. */
interface Fault {
  readonly target?: (target: string) => string;
  readonly body?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const SAMPLE_STRINGS = ['', 'x', '-1', '0', '1.5', '1e3', ' 1', '9'.repeat(30), 'é'];

describe('Every operation responds as described', () => {
  let running: RunningService;
  let operations: readonly DescribedOperation[];
  let knownValues: KnownValues;
  let credentials: Readonly<
    Record<
      'none' | 'ended' | 'weak' | 'full' | 'openid' | 'manager' | 'client' | 'wrongClient' | 'session',
      Readonly<Record<string, string>>
    >
  >;
  const seenStatuses = new Map<string, Set<string>>();

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    const user = await running.addUser('ada');
    const client = await running.addClient({
      grantTypes: ['authorization-code', 'client-credentials', 'password', 'device-code'],
      restrictedScopes: ['audit', 'introspection'],
      openid: { postLogoutRedirectUris: [REDIRECT_URI] },
    });
    for (let count = 0; count < 260; count += 1) await running.addClient(); // enough for a full tile of the log
    const requestToken = async (parameters: Record<string, string>): Promise<Record<string, string>> =>
      (await running.token(client, parameters)).json as Record<string, string>;
    const fullTokens = await requestToken({ grant_type: 'client_credentials', scope: SCOPES });
    const weakTokens = await requestToken({ grant_type: 'client_credentials', scope: 'introspection' });
    const { access_token: userToken = '', refresh_token: refresh = '' } = await requestToken({
      grant_type: 'password',
      ...user,
    });
    const code = await running.authorize(client, user, { scope: 'openid' });
    const openidTokens = await requestToken({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    // For a different user, because a logout with this ID token must not end the session below.
    const otherUsersCode = await running.authorize(client, await running.addUser(), { scope: 'openid' });
    const otherUsersTokens = await requestToken({
      grant_type: 'authorization_code',
      code: otherUsersCode,
      redirect_uri: REDIRECT_URI,
    });
    const { resourceId } = await registerResource(running);
    const manager = await addManager(running, { name: 'Manager' });
    const [queriedGrant, revokedGrant] = [
      await obtain(running, manager, user, { scope: 'read', ...create }),
      await obtain(running, manager, user, { scope: 'read', ...create }),
    ];
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const etag = (await running.get('/openapi.json')).headers.get('etag');
    const bearer = (value = ''): Record<string, string> => ({ authorization: `Bearer ${value}` });
    credentials = {
      none: {},
      ended: bearer('gla_ended'),
      weak: bearer(weakTokens['access_token']),
      full: bearer(fullTokens['access_token']),
      openid: bearer(openidTokens['access_token']),
      manager: bearer(await managementToken(running, manager)),
      client: { authorization: client.basic },
      wrongClient: { authorization: `Basic ${Buffer.from(`${client.id}:wrong`).toString('base64')}` },
      session: { cookie: [...browser.cookies()].map((cookie) => cookie.join('=')).join('; ') },
    };
    knownValues = {
      username: ['ada'],
      password: [user.password],
      refresh_token: [refresh],
      token: [userToken, refresh],
      scope: ['read', 'read write'],
      id_token_hint: [otherUsersTokens['id_token']],
      post_logout_redirect_uri: [REDIRECT_URI],
      resource: [[running.origin()]],
      'readWebFinger resource': [`acct:ada@${new URL(running.origin()).host}`],
      'introspectToken token': [fullTokens['access_token']],
      client_id: [client.id],
      redirect_uri: [REDIRECT_URI],
      pk: ['1', '77'],
      id: [resourceId],
      'queryGrant id': [queriedGrant.id],
      'revokeGrant id': [revokedGrant.id],
      index: ['000', '001'],
      level: [0],
      width: [1, 2],
      'If-None-Match': [etag],
    };
    const document = (await running.get('/openapi.json')).json as unknown as OpenApiDocument;
    // Management operations are tested separately.
    operations = operationsOf(document).filter(({ tags }) => !tags.includes('Management'));
    expect(operations).to.have.length.above(20);
  });
  after(() => running.close());

  function bodySchema({ requestBody }: DescribedOperation) {
    return requestBody?.content[FORM]?.schema;
  }

  /** Generates requests without credentials in the form, because clients authenticate in the header here. */
  function requestFor(operation: DescribedOperation): fc.Arbitrary<Request> {
    // Revocations get separate tokens, because other operations need the shared ones.
    const valuesFor = (name: string): readonly unknown[] =>
      knownValues[`${operation.operationId} ${name}`] ?? knownValues[name] ?? [];
    const values = { ...knownValues, token: valuesFor('token'), resource: valuesFor('resource'), id: valuesFor('id') };
    const parametersIn = (place: string) => {
      const parameters = operation.parameters.filter((parameter) => parameter.in === place);
      const fields = Object.fromEntries(parameters.map(({ name, schema }) => [name, fieldFrom(name, schema, values)]));
      return fc.record(fields, {
        requiredKeys: parameters.filter(({ required }) => required === true).map(({ name }) => name),
      });
    };
    const schema = bodySchema(operation);
    const body =
      schema === undefined
        ? fc.constant({})
        : fieldFrom('', schema, values).map((fields) => {
            const { client_id: _id, client_secret: _secret, ...rest } = fields as Record<string, unknown>;
            return rest;
          });
    return fc.record({
      path: parametersIn('path'),
      query: parametersIn('query'),
      header: parametersIn('header'),
      body,
    });
  }

  /** Returns requests that cause responses that random requests may not cause. */
  function targetedRequests({ operationId, path }: DescribedOperation): readonly Partial<Request>[] {
    const valuesByName = { ...knownValues, id: knownValues[`${operationId} id`] ?? knownValues['id'] ?? [] };
    const firstValues = Object.fromEntries(Object.entries(valuesByName).map(([name, [value]]) => [name, value]));
    const { username, password, 'If-None-Match': etag, client_id, redirect_uri } = firstValues;
    const { id_token_hint, post_logout_redirect_uri } = firstValues;
    switch (operationId) {
      case 'createUser':
        return [{ body: { username, password } }, { body: { username: 'somebody new', password } }];
      case 'issueToken':
        return [{ body: { grant_type: 'client_credentials' } }];
      case 'authorizeDevice':
        return [{ body: {} }, { body: { scope: 'nonsense' } }];
      case 'introspectToken':
        return [{ body: { token: 'gla_unknown' } }];
      case 'pushAuthorizationRequest':
        return [{ body: { response_type: 'code', redirect_uri } }];
      case 'authorize':
        return [{ query: { response_type: 'code', client_id, redirect_uri } }, { query: { response_type: 'code' } }];
      case 'logOut':
        return [{ query: { client_id: 'unknown' } }, { query: { id_token_hint, post_logout_redirect_uri } }];
      case 'readWebFinger':
        return [{ query: { resource: 'acct:ada@other.example' } }, { query: {} }];
      case 'readDescription':
        return [{ header: { 'If-None-Match': etag } }];
      default:
        return path.includes('{')
          ? [{ path: firstValues }, { path: { ...firstValues, pk: '77', id: 'unknown', index: '009' } }]
          : [];
    }
  }

  async function send(
    operation: DescribedOperation,
    request: Request,
    headers: Readonly<Record<string, string>>,
    fault: Fault = {},
  ): Promise<TestResponse> {
    const { method, path, operationId } = operation;
    const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(asText(request.path[name])),
    );
    const query = encodeForm(request.query);
    const target = query === '' ? filledPath : `${filledPath}?${query}`;
    const response = await running.send(fault.target?.(target) ?? target, {
      method,
      headers: {
        'cache-control': 'max-age=0',
        ...Object.fromEntries(Object.entries(request.header).map(([name, value]) => [name, headerText(value)])),
        ...headers,
        ...fault.headers,
        ...(method === 'POST' ? { 'content-type': fault.contentType ?? FORM } : {}),
      },
      ...(method === 'POST' ? { body: fault.body ?? encodeForm(request.body) } : {}),
    });
    expectDescribed(operation, response);
    seenStatuses.set(operationId, (seenStatuses.get(operationId) ?? new Set()).add(String(response.status)));
    return response;
  }

  const isGuarded = ({ security }: DescribedOperation): boolean =>
    security.length > 0 && security.every((entry) => 'accessToken' in entry);
  const isForClients = ({ security }: DescribedOperation): boolean => security.some((entry) => 'clientBasic' in entry);
  const sufficientCredentials = (operation: DescribedOperation): Readonly<Record<string, string>> =>
    isForClients(operation)
      ? credentials.client
      : { ...credentials.session, ...(isGuarded(operation) ? credentials[sufficientTokenFor(operation)] : {}) };
  /** Returns the name of a token that is accepted. Userinfo needs a user's token, and the grants API a client's. */
  const sufficientTokenFor = ({ path }: DescribedOperation): 'full' | 'openid' | 'manager' => {
    if (path.startsWith('/o/grants/')) return 'manager';
    return path === '/o/userinfo/' ? 'openid' : 'full';
  };

  async function checkEach(
    isIncluded: (operation: DescribedOperation) => boolean,
    check: (operation: DescribedOperation, request: Request) => Promise<void>,
  ): Promise<void> {
    const matchingOperations = operations.filter(isIncluded);
    expect(matchingOperations).not.to.deep.equal([]);
    for (const operation of matchingOperations) {
      const examples = targetedRequests(operation).map((request): [Request] => [
        { path: {}, query: {}, header: {}, body: {}, ...request },
      ]);
      await fc.assert(
        fc.asyncProperty(requestFor(operation), (request) => check(operation, request)),
        { numRuns: RUNS, examples },
      );
    }
  }

  it('to every caller, with 401 if the credentials are invalid and 403 if the scope is insufficient', async () => {
    await checkEach(
      () => true,
      async (operation, request) => {
        const insufficientTokens = ['weak', 'full', 'openid', 'manager'].filter(
          (name) => name !== sufficientTokenFor(operation),
        );
        for (const [sender, headers] of Object.entries(credentials)) {
          const { status } = await send(operation, request, headers);
          if (isGuarded(operation))
            expect(
              status === 401 ? 'nobody' : status === 403 ? 'weak' : 'accepted',
              `${operation.operationId} ${sender}`,
            ).to.equal(
              sender === sufficientTokenFor(operation)
                ? 'accepted'
                : insufficientTokens.includes(sender)
                  ? 'weak'
                  : 'nobody',
            );
          else if (isForClients(operation)) expect(status, `${operation.operationId} ${sender}`).not.to.equal(403);
          else expect(status, `${operation.operationId} ${sender}`).not.to.be.oneOf([401, 403]);
        }
      },
    );
  });

  it('to requests that match the description, and accepts them', async () => {
    const acceptsEveryMatch = ({ operationId }: DescribedOperation): boolean =>
      ![
        'issueToken',
        'authorizeDevice',
        'authorizeDeviceAlias',
        'authorize',
        'pushAuthorizationRequest',
        'readUser',
        'createUser',
        'readWebFinger',
        'readPublishedMetadata',
        'logOut',
        'queryGrant',
        'revokeGrant',
      ].includes(operationId) && !/Tile|Entries/.test(operationId);
    await checkEach(acceptsEveryMatch, async (operation, request) => {
      expect(
        (await send(operation, request, sufficientCredentials(operation))).status,
        JSON.stringify(request),
      ).to.be.within(200, 399);
    });
  });

  it('to forms with a missing or oversized field, and refuses them', async () => {
    await checkEach(
      (operation) => bodySchema(operation) !== undefined,
      async (operation, request) => {
        const schema = bodySchema(operation) ?? {};
        for (const name of Object.keys(request.body)) {
          const { [name]: value, ...otherFields } = request.body;
          for (const body of [otherFields, { ...otherFields, [name]: asText(value).repeat(9).padEnd(2_000, 'x') }]) {
            // An unknown scope is also refused, but not by the schema.
            if (schemaViolation(schema, body) === undefined || 'scope' in body) continue;
            expect(
              (await send(operation, { ...request, body }, sufficientCredentials(operation))).status,
              JSON.stringify(body),
            ).to.equal(400);
          }
        }
      },
    );
  });

  it('to query parameters that violate the description, and refuses them', async () => {
    const numericParameters = ({ parameters }: DescribedOperation) =>
      parameters.filter(({ in: place, schema }) => place === 'query' && schema['type'] === 'integer');
    await checkEach(
      (operation) => numericParameters(operation).length > 0 && isGuarded(operation),
      async (operation, request) => {
        for (const { name, schema } of numericParameters(operation)) {
          for (const text of SAMPLE_STRINGS) {
            if (/^\d+$/.test(text) && schemaViolation(schema, Number(text)) === undefined) continue;
            const response = await send(
              operation,
              { ...request, header: {}, query: { ...request.query, [name]: text } },
              credentials.full,
            );
            expect(response.status, `${operation.operationId} ${name}=${text}`).to.equal(400);
          }
        }
      },
    );
  });

  it('to malformed requests', async () => {
    const faults: readonly Fault[] = [
      { headers: { forwarded: 'for=192.0.2.1' } },
      { contentType: 'text/plain' },
      { contentType: 'text/plain', body: 'x' },
      { contentType: `${FORM}; charset=utf-16` },
      { body: '%zz=%' },
      { body: 'a=1&a=2&token=1&token=2' },
      { body: `x=${'y'.repeat(70_000)}` },
      { body: '' },
      { target: (target) => `${target}${target.includes('?') ? '&' : '?'}limit=1&limit=2&x[y]=z` },
      { target: (target) => `${target}${target.includes('?') ? '&' : '?'}a=%zz` },
    ];
    await checkEach(
      () => true,
      async (operation, request) => {
        for (const fault of faults) await send(operation, request, sufficientCredentials(operation), fault);
        if (operation.parameters.some(({ in: place }) => place === 'path'))
          await send(operation, request, sufficientCredentials(operation), {
            target: (target) => target.replace(/[^/]+\/?$/, '%zz'),
          });
        await send(operation, { ...request, query: {} }, credentials.none);
      },
    );
  });

  it('with every described status', () => {
    for (const { operationId, responses } of operations) {
      expect([...(seenStatuses.get(operationId) ?? [])].toSorted(), operationId).to.deep.equal(
        Object.keys(responses).filter((status) => !UNREACHABLE_STATUSES.includes(status)),
      );
    }
  });

  it('to HEAD as to GET but without a body, and to other methods with 405 and Allow', async () => {
    for (const operation of operations) {
      const requestPath = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        asText(knownValues[name]?.[0] ?? 0),
      );
      const headers = sufficientCredentials(operation);
      const isDeletable = operations.some(({ path, method }) => path === operation.path && method === 'DELETE');
      const refusal = await running.send(requestPath, { method: isDeletable ? 'PUT' : 'DELETE', headers });
      expect(
        [refusal.status, refusal.headers.get('allow')?.split(', ').includes(operation.method)],
        requestPath,
      ).to.deep.equal([405, true]);
      if (operation.method !== 'GET') continue;
      const [get, head] = [
        await running.get(requestPath, headers),
        await running.send(requestPath, { method: 'HEAD', headers }),
      ];
      expect([head.status, head.text, head.headers.get('cache-control')], requestPath).to.deep.equal([
        get.status,
        '',
        get.headers.get('cache-control'),
      ]);
    }
  });
});

/** Encodes values as a form. A list repeats its name for each item. */
function encodeForm(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item: unknown): [string, string] => [name, asText(item)]),
  );
  return new URLSearchParams(pairs).toString();
}

function headerText(value: unknown): string {
  return asText(value).replaceAll(/[^\x21-\x7e]/g, '?');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
