import { hash } from 'node:crypto';
import { expect } from 'chai';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import {
  SIGNING_ALGORITHMS,
  type ClientId,
  type EpochSeconds,
  type SigningAlgorithm,
} from '../../src/domain/values.ts';
import { seconds } from '../support/domain-values.ts';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { requestTokens } from '../support/client-requests.ts';

const ISSUER = 'http://localhost:8000';
const CALENDAR = 'https://cal.example/api';
const CONTACTS = 'https://contacts.example';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

let algorithm: SigningAlgorithm;
let running: RunningService;
let client: TestClient;
let owner: TestUser;

const jwtFormat = () => ({ accessTokenFormat: 'jwt', accessTokenAlgorithm: algorithm }) as const;
const now = (): EpochSeconds => seconds(Math.floor(running.clock.now() / 1000));
/** Performs the regular signing key maintenance. */
const maintain = (): Promise<void> => running.service().keyRotation.maintain(now());

async function setUp(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  running = await runningService({ settings: { resources: [CALENDAR, CONTACTS], ...settings } });
  client = await running.addClient(jwtFormat());
  await maintain();
  owner = await running.addUser();
}

const requestWithPassword = (extraParameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
  running.token(client, { grant_type: 'password', ...owner, ...extraParameters });
const requestWithClientCredentials = (extraParameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
  running.token(client, { grant_type: 'client_credentials', ...extraParameters });
const refresh = (token: unknown, extraParameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
  running.token(client, { grant_type: 'refresh_token', refresh_token: String(token), ...extraParameters });
const readAccessToken = ({ json, text }: TestResponse): string => {
  expect(json?.['access_token'], text).to.be.a('string');
  return String(json?.['access_token']);
};
const findUserId = ({ username }: TestUser): string | undefined =>
  running.service().projections.users.findByName(username)?.userId;
const introspect = async (token: string): Promise<TestResponse['json']> =>
  (await running.post('/o/introspect/', { token }, { authorization: client.basic })).json;

/** Reports whether two signatures over the same content differ. */
const areSignaturesRandom = (): boolean => algorithm === 'ES256' || algorithm === 'PS256';
const signingInput = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** Expects equal responses, except for random signatures. */
function expectSameResponse(repeatedResponse: TestResponse, firstResponse: TestResponse): void {
  const comparableResponse = ({ json }: TestResponse): object => ({
    ...json,
    access_token:
      areSignaturesRandom() && readAccessToken({ json } as TestResponse).startsWith('eyJ')
        ? signingInput(readAccessToken({ json } as TestResponse))
        : json?.['access_token'],
  });
  expect(comparableResponse(repeatedResponse)).to.deep.equal(comparableResponse(firstResponse));
  if (!areSignaturesRandom()) expect(repeatedResponse.text).to.equal(firstResponse.text);
}

async function fetchPublishedKeys(): Promise<JSONWebKeySet> {
  const { json } = await running.get('/.well-known/jwks.json');
  return json as unknown as JSONWebKeySet;
}

/** Verifies a token without introspection, as specified in RFC 9068 §4, and returns its claims. */
async function verify(token: string, audience = ISSUER, keys?: JSONWebKeySet): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys ?? (await fetchPublishedKeys())), {
    issuer: ISSUER,
    audience,
    typ: 'at+jwt',
    algorithms: [algorithm],
    currentDate: new Date(running.clock.now()),
    requiredClaims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti', 'scope'],
  });
  return payload;
}
const isVerified = async (token: string, audience?: string, keys?: JSONWebKeySet): Promise<boolean> =>
  verify(token, audience, keys).then(
    () => true,
    () => false,
  );

for (const candidateAlgorithm of SIGNING_ALGORITHMS) {
  describe(`with ${candidateAlgorithm}`, () => {
    before(() => {
      algorithm = candidateAlgorithm;
    });

    describe('RFC 9068 §2: a JWT access token', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('states its algorithm, its type and its signing key', async () => {
        const { keys } = await fetchPublishedKeys();
        const header = decodeProtectedHeader(readAccessToken(await requestWithPassword()));
        const { kid } = keys.find(({ alg }) => alg === algorithm) ?? {};
        expect(header).to.deep.equal({ alg: algorithm, typ: 'at+jwt', kid });
      });

      it('for a user has exactly the required claims', async () => {
        const { iat, exp, jti, ...claims } = await verify(
          readAccessToken(await requestWithPassword({ scope: 'read write' })),
        );
        expect(claims).to.deep.equal({
          iss: ISSUER,
          aud: ISSUER,
          sub: findUserId(owner),
          client_id: client.id,
          scope: 'read write',
          auth_time: iat,
          acr: 'pwd',
        });
        expect(iat).to.equal(Math.floor(running.clock.now() / 1000));
        expect(exp).to.equal(Number(iat) + 36_000);
        expect(jti).to.match(/^[\w-]{43}$/);
      });

      it('for a client that acts on its own behalf has the client as its subject', async () => {
        expect(await verify(readAccessToken(await requestWithClientCredentials()))).to.include({
          sub: client.id,
          client_id: client.id,
        });
      });

      it('has the requested resource servers as its audience, or else this server (RFC 9068 §3)', async () => {
        expect(
          (await verify(readAccessToken(await requestWithPassword({ resource: CALENDAR })), CALENDAR)).aud,
        ).to.equal(CALENDAR);
        expect((await verify(readAccessToken(await requestWithPassword()))).aud).to.equal(ISSUER);
        const response = await running.post(
          '/o/token/',
          `grant_type=client_credentials&resource=${CALENDAR}&resource=${CONTACTS}`,
          { authorization: client.basic },
        );
        expect((await verify(readAccessToken(response), CONTACTS)).aud).to.deep.equal([CALENDAR, CONTACTS]);
        expect(await isVerified(readAccessToken(response), ISSUER)).to.equal(false);
      });

      it('is issued by every grant type, with the granted scope', async () => {
        const code = await running.authorize(client, owner, { scope: 'groups', resource: CALENDAR });
        const response = await running.token(client, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
        });
        expect(await verify(readAccessToken(response), CALENDAR)).to.include({
          sub: findUserId(owner),
          scope: 'groups',
        });
        expectTokens(response, { scope: 'groups', refresh: true });
        running.clock.advance(10);
        const narrowedResponse = await refresh((await requestWithPassword()).json?.['refresh_token'], {
          scope: 'read',
          resource: CONTACTS,
        });
        expect(await verify(readAccessToken(narrowedResponse), CONTACTS)).to.include({
          sub: findUserId(owner),
          scope: 'read',
          iat: Math.floor(running.clock.now() / 1000),
        });
      });

      it('has as its audience the resource server that is requested when a code is redeemed', async () => {
        const code = await running.authorize(client, owner);
        expectRefusal(
          await running.token(client, {
            grant_type: 'authorization_code',
            code,
            redirect_uri: REDIRECT_URI,
            resource: 'https://elsewhere.example',
          }),
          'invalid_target',
        );
        const response = await running.token(client, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
          resource: CONTACTS,
        });
        expect((await verify(readAccessToken(response), CONTACTS)).aud).to.equal(CONTACTS);
      });

      it('is different each time', async () => {
        const tokens = await Promise.all([
          requestWithPassword(),
          requestWithPassword(),
          requestWithClientCredentials(),
          requestWithClientCredentials(),
        ]);
        expect(new Set(tokens.map(readAccessToken)).size).to.equal(4);
      });

      it('is stored only as a hash in the log', async () => {
        const token = readAccessToken(await requestWithPassword());
        const events = JSON.stringify(await running.events());
        expect(events).to.include(hash('sha256', areSignaturesRandom() ? signingInput(token) : token, 'base64url'));
        for (const part of token.split('.').slice(1)) expect(events).not.to.include(part);
      });

      it('is issued only to clients with that format, starting with the next token after a change', async () => {
        const jwtBeforeChange = readAccessToken(await requestWithPassword());
        const { registration, projections } = running.service();
        const registeredClient = projections.clients.find(client.id);
        if (registeredClient !== undefined)
          await registration.update(
            registeredClient.clientId,
            { ...registeredClient, accessTokenFormat: 'opaque' },
            OPERATOR,
          );
        const tokenAfterChange = readAccessToken(await requestWithPassword());
        expect(tokenAfterChange).to.match(/^gla_/);
        expect([await isAccepted(running, jwtBeforeChange), await isAccepted(running, tokenAfterChange)]).to.deep.equal(
          [true, true],
        );
        expect(
          readAccessToken(await running.token(await running.addClient(), { grant_type: 'client_credentials' })),
        ).to.match(/^gla_/);
      });
    });

    describe('RFC 9068 §2.2.3: the scope of a JWT access token', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('lacks restricted scopes that the operator has withdrawn', async () => {
        client = await running.addClient({ ...jwtFormat(), restrictedScopes: ['introspection'] });
        const withdrawScopes = async (): Promise<void> => {
          const registeredClient = running.service().projections.clients.find(client.id);
          if (registeredClient !== undefined)
            await running
              .service()
              .registration.update(registeredClient.clientId, { ...registeredClient, restrictedScopes: [] }, OPERATOR);
        };
        const code = await running.authorize(client, owner, { scope: 'read introspection' });
        const { json } = await requestWithPassword({ scope: 'read introspection' });
        await withdrawScopes();
        const refreshResponse = await refresh(json?.['refresh_token']);
        const redemptionResponse = await running.token(client, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
        });
        for (const response of [refreshResponse, redemptionResponse]) {
          expectTokens(response, { scope: 'read', refresh: true });
          expect((await verify(readAccessToken(response))).scope).to.equal('read');
          expect(await introspect(readAccessToken(response))).to.include({ active: true, scope: 'read' });
        }
        expectSameResponse(
          await expectNothingAppended(running, () => refresh(json?.['refresh_token'])),
          refreshResponse,
        );
      });
    });

    describe('RFC 9068 §4: a JWT access token at this server', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('is accepted like any other token, within its scope and its audience', async () => {
        const token = readAccessToken(await requestWithPassword({ scope: 'read' }));
        expect(await isAccepted(running, token)).to.equal(true);
        expect((await running.get('/groups/', { authorization: `Bearer ${token}` })).status).to.equal(403);
        expect(await isAccepted(running, readAccessToken(await requestWithPassword({ resource: CALENDAR })))).to.equal(
          false,
        );
        expect(await isAccepted(running, readAccessToken(await requestWithPassword({ resource: ISSUER })))).to.equal(
          true,
        );
      });

      it('is fully described by introspection, including its audience', async () => {
        const token = readAccessToken(await requestWithPassword({ scope: 'read' }));
        const { iat, exp, sub, aud } = await verify(token);
        expect(await introspect(token)).to.deep.equal({
          active: true,
          scope: 'read',
          client_id: client.id,
          username: owner.username,
          token_type: 'Bearer',
          exp,
          iat,
          sub,
          iss: ISSUER,
          aud,
          auth_time: iat,
          acr: 'pwd',
        });
        expect(await introspect(readAccessToken(await requestWithPassword({ resource: CALENDAR })))).to.include({
          active: true,
          aud: CALENDAR,
        });
      });

      it('is invalid after it has been revoked, although its signature is still valid', async () => {
        const responses = [await requestWithPassword(), await requestWithClientCredentials()];
        for (const token of responses.map(readAccessToken)) {
          expect((await running.post('/o/revoke_token/', { token }, { authorization: client.basic })).status).to.equal(
            200,
          );
          expect(await isAccepted(running, token)).to.equal(false);
          expect(await introspect(token)).to.deep.equal({ active: false });
          expect(await isVerified(token)).to.equal(true);
        }
      });

      it('is invalid once its client is removed or its user is disabled', async () => {
        const [userToken, clientToken] = [
          readAccessToken(await requestWithPassword()),
          readAccessToken(await requestWithClientCredentials()),
        ];
        const account = running.service().projections.users.findByName(owner.username);
        if (account !== undefined) await running.service().accounts.disable(account, OPERATOR);
        expect([await isAccepted(running, userToken), await isAccepted(running, clientToken)]).to.deep.equal([
          false,
          true,
        ]);
        await running.service().registration.remove(client.id as ClientId, OPERATOR);
        expect(await isAccepted(running, clientToken)).to.equal(false);
      });

      it('expires at the time stated in its exp claim', async () => {
        const token = readAccessToken(await requestWithPassword());
        running.clock.advance(35_999);
        expect([await isAccepted(running, token), await isVerified(token)]).to.deep.equal([true, true]);
        running.clock.advance(1);
        expect([await isAccepted(running, token), await isVerified(token)]).to.deep.equal([false, false]);
      });

      it('is unknown if it was tampered with, is unsigned or was signed with a different key', async () => {
        const token = readAccessToken(await requestWithPassword({ scope: 'read' }));
        const otherToken = readAccessToken(await requestWithPassword({ scope: 'write' }));
        const [header = '', payload = '', signature = ''] = token.split('.');
        const claims: object = {
          ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
          scope: 'read write groups audit',
        };
        const widenedPayload = Buffer.from(JSON.stringify(claims)).toString('base64url');
        const unsignedHeader = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
        const tamperedTokens = [
          `${header}.${widenedPayload}.${signature}`,
          `${unsignedHeader}.${payload}.`,
          `${unsignedHeader}.${payload}.${signature}`,
          `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
          `${header}.${payload}.${otherToken.split('.')[2] ?? ''}`,
          `${header}.${payload}.${signature.slice(0, -1)}`,
          `${header}.${payload}`,
          `${token}.${token}`,
        ];
        for (const tamperedToken of tamperedTokens) {
          expect(await isAccepted(running, tamperedToken), tamperedToken).to.equal(false);
          expect(await introspect(tamperedToken)).to.deep.equal({ active: false });
          expect(await isVerified(tamperedToken)).to.equal(false);
        }
      });

      it('is unknown if it was signed with the correct key but never issued', async () => {
        const [, payload = ''] = readAccessToken(await requestWithClientCredentials()).split('.');
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
        const { signingKeys } = running.service();
        const { jws } = await signingKeys.sign(algorithm, 'at+jwt', { ...claims, scope: 'read write groups' }, now());
        expect([await isVerified(jws), await isAccepted(running, jws)]).to.deep.equal([true, false]);
        expect(await introspect(jws)).to.deep.equal({ active: false });
      });

      it('fits into a header even with the maximum number of resource servers', async () => {
        await running.close();
        const longResources = Array.from({ length: 10 }, (_, index) => `${ISSUER}/${index}`.padEnd(256, 'x'));
        await setUp({ resources: longResources });
        const token = readAccessToken(
          await running.post(
            '/o/token/',
            new URLSearchParams([
              ['grant_type', 'client_credentials'],
              ...[ISSUER, ...longResources.slice(1)].map((uri): [string, string] => ['resource', uri]),
            ]).toString(),
            { authorization: client.basic },
          ),
        );
        expect([await isVerified(token, longResources[9]), await isAccepted(running, token)]).to.deep.equal([
          true,
          true,
        ]);
      });

      it('survives a restart, together with the keys', async () => {
        const token = readAccessToken(await requestWithPassword());
        const keys = await fetchPublishedKeys();
        await running.restart();
        expect(await fetchPublishedKeys()).to.deep.equal(keys);
        expect([await isAccepted(running, token), await isVerified(token)]).to.deep.equal([true, true]);
      });
    });

    describe('RFC 9068: a refresh whose response was lost', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('returns the same JWT again, even later and after a restart, without adding an event', async () => {
        const { json } = await requestWithPassword({ resource: CALENDAR });
        running.clock.advance(100);
        const first = await refresh(json?.['refresh_token'], { scope: 'read' });
        await verify(readAccessToken(first), CALENDAR);
        running.clock.advance(7);
        expectSameResponse(
          await expectNothingAppended(running, () => refresh(json?.['refresh_token'], { scope: 'read' })),
          first,
        );
        await running.restart();
        running.clock.advance(7);
        expectSameResponse(
          await expectNothingAppended(running, () => refresh(json?.['refresh_token'], { scope: 'read' })),
          first,
        );
        expectRefusal(
          await expectNothingAppended(running, () =>
            refresh(json?.['refresh_token'], { scope: 'read', resource: CONTACTS }),
          ),
          'invalid_target',
        );
      });

      it('returns the recorded JWT to all concurrent retries, each in a different second', async () => {
        const { json } = await requestWithPassword();
        const refreshToken = String(json?.['refresh_token']);
        const parameters = new Map([
          ['grant_type', 'refresh_token'] as const,
          ['refresh_token', refreshToken] as const,
        ]);
        const latest = now();
        const responses = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            requestTokens(running.service(), {
              parameters,
              authorization: client.basic,
              requestMetadata: { requestId: `${index}` },
              address: '127.0.0.1',
              now: () => seconds(latest - index),
            }),
          ),
        );
        expect(
          new Set(responses.map(({ access_token: token }) => (areSignaturesRandom() ? signingInput(token) : token)))
            .size,
        ).to.equal(1);
        expect(await introspect(responses[0]?.access_token ?? '')).to.include({ active: true });
      });

      it("returns the same token even after the client's token format has changed", async () => {
        const setFormat = async (accessTokenFormat: string): Promise<void> => {
          const registeredClient = running.service().projections.clients.find(client.id);
          if (registeredClient !== undefined)
            await running
              .service()
              .registration.update(registeredClient.clientId, { ...registeredClient, accessTokenFormat }, OPERATOR);
        };
        for (const [formatBefore, formatAfter] of [
          ['jwt', 'opaque'],
          ['opaque', 'jwt'],
        ] as const) {
          await setFormat(formatBefore);
          const { json } = await requestWithPassword();
          const first = await refresh(json?.['refresh_token']);
          await setFormat(formatAfter);
          expectSameResponse(await expectNothingAppended(running, () => refresh(json?.['refresh_token'])), first);
          expect(await isAccepted(running, readAccessToken(first))).to.equal(true);
        }
      });
    });
  });
}
