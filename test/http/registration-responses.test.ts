import { expect } from 'chai';
import type { OpenApiDocument } from '../../src/http/openapi/document.ts';
import { openSession } from '../support/authorize-requests.ts';
import { curl } from '../support/curl.ts';
import { codeBlocksOf, readDocument } from '../support/documents.ts';
import { expectDescribed, operationsOf, type DescribedOperation } from '../support/described-api.ts';
import {
  obtainCode,
  EDITOR,
  register,
  registerSuccessfully,
  type RegistrationResponse,
} from '../support/registrations.ts';
import { runningService, type TestResponse, type RunningService } from '../support/running-service.ts';

/** Statuses that no request here causes, because they require an exhausted limit, a failing log or a bug. */
const UNREACHABLE_STATUSES = ['429', '500', '503'];
/** The statuses that occurred with either setting, keyed by method. */
const seenStatuses = new Map<string, Set<string>>();
let operations: ReadonlyMap<string, DescribedOperation>;

const JSON_TYPE = { 'content-type': 'application/json' };

for (const dynamicRegistration of ['open', 'token'] as const) {
  describe(`Registration responds as described, with dynamicRegistration set to ${dynamicRegistration}`, () => {
    let running: RunningService;
    let initialTokenHeaders: Readonly<Record<string, string>>;
    let insufficientTokenHeaders: Readonly<Record<string, string>>;

    before(async () => {
      running = await runningService({ settings: { dynamicRegistration } });
      const description = (await running.get('/openapi.json')).json as unknown as OpenApiDocument;
      operations = new Map(
        operationsOf(description)
          .filter(({ path }) => path.startsWith('/o/register/'))
          .map((operation) => [operation.method, operation]),
      );
      const client = await running.addClient({ restrictedScopes: ['clients:register'] });
      const authorize = async (scope: string) => {
        const { json } = await running.token(client, { grant_type: 'client_credentials', scope });
        return { authorization: `Bearer ${String(json?.['access_token'])}` };
      };
      initialTokenHeaders = await authorize('clients:register');
      insufficientTokenHeaders = await authorize('read');
    });
    after(() => running.close());

    function expectResponse(method: string, response: TestResponse, status: number): void {
      const operation = operations.get(method);
      if (operation === undefined) throw new Error(`${method} is not described`);
      expect(response.status, response.text).to.equal(status);
      expectDescribed(operation, response);
      seenStatuses.set(method, (seenStatuses.get(method) ?? new Set()).add(String(status)));
    }

    it('for a new client', async () => {
      const headers = dynamicRegistration === 'open' ? {} : initialTokenHeaders;
      expectResponse('POST', await register(running, EDITOR, headers), 201);
      expectResponse('POST', await register(running, EDITOR, initialTokenHeaders), 201);
      expectResponse('POST', await register(running, { redirect_uris: 'x' }, headers), 400);
      expectResponse('POST', await register(running, '{', headers), 400);
      expectResponse('POST', await register(running, EDITOR, { authorization: 'Bearer gla_x' }), 401);
      expectResponse('POST', await register(running, EDITOR, insufficientTokenHeaders), 403);
      expectResponse('POST', await register(running, { ...EDITOR, contacts: ['x'.repeat(40_000)] }, headers), 413);
      expectResponse('POST', await register(running, EDITOR, { ...headers, 'content-type': 'text/plain' }), 415);
      if (dynamicRegistration === 'token') expectResponse('POST', await register(running), 401);
    });

    it('with every member that a registration can have', async () => {
      const members = {
        ...EDITOR,
        policy_uri: 'https://editor.example/policy',
        tos_uri: 'https://editor.example/terms',
        post_logout_redirect_uris: ['https://editor.example/out'],
        subject_type: 'public',
        id_token_signed_response_alg: 'ES256',
        userinfo_signed_response_alg: 'PS256',
        default_max_age: 600,
        require_auth_time: true,
        dpop_bound_access_tokens: true,
        require_pushed_authorization_requests: true,
        software_id: 'editor',
        software_version: '1',
      };
      const response = await register(running, members, initialTokenHeaders);
      expectResponse('POST', response, 201);
      expect(response.json).to.deep.include(members);
      const description = (await running.get('/openapi.json')).text;
      for (const member of Object.keys(response.json ?? {})) expect(description).to.include(`"${member}":`);
    });

    it('for a registered client', async () => {
      const { client_id: id, registration_access_token: token } =
        dynamicRegistration === 'open' ? await registerByConsent() : await registerWithToken();
      const registrationTokenHeaders = { authorization: `Bearer ${token}` };
      const sendRequest = (
        method: string,
        headers: Readonly<Record<string, string>> = registrationTokenHeaders,
        metadata?: object,
      ) =>
        running.send(`/o/register/${id}/`, {
          method,
          headers: metadata === undefined ? headers : { ...JSON_TYPE, ...headers },
          ...(metadata !== undefined && { body: JSON.stringify(metadata) }),
        });
      const changedMetadata = { ...EDITOR, client_id: id, client_name: 'Renamed' };

      expectResponse('GET', await sendRequest('GET'), 200);
      expectResponse('GET', await sendRequest('GET', {}), 401);
      expectResponse('GET', await running.get('/o/register/%zz/', registrationTokenHeaders), 400);
      expectResponse('PUT', await sendRequest('PUT', registrationTokenHeaders, changedMetadata), 200);
      expectResponse(
        'PUT',
        await sendRequest('PUT', registrationTokenHeaders, { ...changedMetadata, redirect_uris: [] }),
        400,
      );
      expectResponse('PUT', await sendRequest('PUT', { authorization: 'Bearer glm_x' }, changedMetadata), 401);
      expectResponse(
        'PUT',
        await sendRequest('PUT', registrationTokenHeaders, { ...changedMetadata, contacts: ['x'.repeat(40_000)] }),
        413,
      );
      expectResponse(
        'PUT',
        await sendRequest('PUT', { ...registrationTokenHeaders, 'content-type': 'text/plain' }, changedMetadata),
        415,
      );
      expectResponse(
        'DELETE',
        await running.send('/o/register/%zz/', { method: 'DELETE', headers: registrationTokenHeaders }),
        400,
      );
      expectResponse('DELETE', await sendRequest('DELETE', {}), 401);
      expectResponse('DELETE', await sendRequest('DELETE'), 204);
      expectResponse('DELETE', await sendRequest('DELETE'), 401);
    });

    /** Registers a client, checks the responses before its authorization, and lets a user authorize it. */
    async function registerByConsent(): Promise<RegistrationResponse> {
      const client = await registerSuccessfully(running);
      const path = `/o/register/${client.client_id}/`;
      const headers = { authorization: `Bearer ${client.registration_access_token}`, ...JSON_TYPE };
      const body = JSON.stringify({ ...EDITOR, client_id: client.client_id });
      expectResponse('PUT', await running.send(path, { method: 'PUT', headers, body }), 403);
      expectResponse('DELETE', await running.send(path, { method: 'DELETE', headers }), 403);
      await obtainCode(await openSession(running, await running.addUser()), client.client_id);
      return client;
    }

    async function registerWithToken(): Promise<RegistrationResponse> {
      return (await register(running, EDITOR, initialTokenHeaders)).json as unknown as RegistrationResponse;
    }
  });
}

describe('Registration', () => {
  it('responds with every described status', () => {
    for (const { method, responses } of operations.values())
      expect([...(seenStatuses.get(method) ?? [])].toSorted(), method).to.deep.equal(
        Object.keys(responses).filter((status) => !UNREACHABLE_STATUSES.includes(status)),
      );
  });
});

describe('The registration example in docs/protocol.md', () => {
  it('registers a client', async () => {
    const running = await runningService({ settings: { dynamicRegistration: 'open' } });
    try {
      const example = codeBlocksOf(readDocument('docs/protocol.md')).find(({ code }) => code.includes('/o/register/'));
      const [, type = '', , metadata = ''] =
        /^curl -H '([^']+)' (-d) '([^']+)' http:\/\/localhost:8000\/o\/register\/\n$/.exec(example?.code ?? '') ?? [];
      const { status, json } = await curl('-H', type, '-d', metadata, `${running.origin()}/o/register/`);
      expect([status, json['client_name']]).to.deep.equal([201, 'Editor']);
    } finally {
      await running.close();
    }
  });
});
