import { expect } from 'chai';
import * as fc from 'fast-check';
import { expectRefusal } from '../support/protocol-responses.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const NAMES = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'username',
  'password',
  'scope',
  'token',
];
const ANY_VALUE = fc.oneof(
  fc.constantFrom('authorization_code', 'password', 'client_credentials', 'refresh_token', 'implicit', ''),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
);
const ANY_ENCODED_PAIR = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), ANY_VALUE)
      .map(([name, value]) => new URLSearchParams([[name, value]]).toString()),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%ff=1', '&&', '=', '=x', 'a=b=c', 'grant_type=password') },
);

describe('RFC 6749 §5.2: a refusal', () => {
  let running: RunningService;
  let client: TestClient;

  before(async () => {
    running = await runningService();
    client = await running.addClient();
  });
  after(() => running.close());

  it('is JSON with an error code from the RFC, and adds no event, for any unauthenticated request', async () => {
    const eventCount = (await running.events()).length;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/o/token/', '/o/revoke_token/', '/o/introspect/'),
        fc.array(ANY_ENCODED_PAIR, { maxLength: 6 }),
        fc.option(
          fc.oneof(
            fc.constantFrom(
              'Basic',
              'Bearer x',
              'Basic bm9ib2R5Ondyb25n',
              `Basic ${Buffer.from('\u0000:').toString('base64')}`,
            ),
            fc.base64String({ maxLength: 24 }).map((text) => `Basic ${text}`),
          ),
        ),
        async (path, pairs, authorization) => {
          const response = await running.post(path, pairs.join('&'), authorization === null ? {} : { authorization });
          const error = String(response.json?.['error']);
          expect(['invalid_request', 'invalid_client', 'unsupported_grant_type']).to.include(error);
          expectRefusal(response, error);
        },
      ),
      { numRuns: 150 },
    );
    expect((await running.events()).length).to.equal(eventCount);
  });

  it('has status 401 only for invalid_client', async () => {
    const refusals = [
      [{ grant_type: 'implicit' }, 'unsupported_grant_type'],
      [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
      [{ grant_type: 'client_credentials', scope: 'x' }, 'invalid_scope'],
      [{ grant_type: 'authorization_code' }, 'invalid_request'],
    ] as const;
    for (const [parameters, error] of refusals) {
      const response = await running.token(client, parameters);
      expect(response.status).to.equal(400);
      expectRefusal(response, error);
    }
    expectRefusal(await running.post('/o/token/', { grant_type: 'client_credentials' }), 'invalid_client', 401);
  });

  it('is an HTML page at an unknown path', async () => {
    const response = await running.get('/o/nothing/', { accept: 'text/html' });
    expect(response.status).to.equal(404);
    expect(response.headers.get('content-type')).to.include('text/html');
  });
});
