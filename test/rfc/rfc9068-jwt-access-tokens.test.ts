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
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-answers.ts';
import {
  REDIRECT_URI,
  runningService,
  type Answer,
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

const jwts = () => ({ accessTokenFormat: 'jwt', accessTokenAlgorithm: algorithm }) as const;
const now = (): EpochSeconds => seconds(Math.floor(running.clock.now() / 1000));
/** Performs the regular work of the server. */
const maintain = (): Promise<void> => running.service().keyRotation.maintain(now());

async function setUp(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  running = await runningService({ settings: { resources: [CALENDAR, CONTACTS], ...settings } });
  client = await running.addClient(jwts());
  await maintain();
  owner = await running.addUser();
}

const byPassword = (more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  running.token(client, { grant_type: 'password', ...owner, ...more });
const forItself = (more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  running.token(client, { grant_type: 'client_credentials', ...more });
const refresh = (token: unknown, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  running.token(client, { grant_type: 'refresh_token', refresh_token: String(token), ...more });
const accessOf = ({ json, text }: Answer): string => {
  expect(json?.['access_token'], text).to.be.a('string');
  return String(json?.['access_token']);
};
const userIdOf = ({ username }: TestUser): string | undefined =>
  running.service().projections.users.findByName(username)?.userId;
const introspect = async (token: string): Promise<Answer['json']> =>
  (await running.post('/o/introspect/', { token }, { authorization: client.basic })).json;

/** Whether every signature differs, even of the same content. */
const isRandom = (): boolean => algorithm === 'ES256' || algorithm === 'PS256';
const signedPart = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** A repeated response: the same but for the signature, if that is random. */
function expectSame(repeated: Answer, first: Answer): void {
  const comparable = ({ json }: Answer): object => ({
    ...json,
    access_token:
      isRandom() && accessOf({ json } as Answer).startsWith('eyJ')
        ? signedPart(accessOf({ json } as Answer))
        : json?.['access_token'],
  });
  expect(comparable(repeated)).to.deep.equal(comparable(first));
  if (!isRandom()) expect(repeated.text).to.equal(first.text);
}

async function publishedKeys(): Promise<JSONWebKeySet> {
  const { json } = await running.get('/.well-known/jwks.json');
  return json as unknown as JSONWebKeySet;
}

/** A resource server that follows RFC 9068 §4 and the metadata, without introspection. */
async function verify(token: string, audience = ISSUER, keys?: JSONWebKeySet): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys ?? (await publishedKeys())), {
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

for (const each of SIGNING_ALGORITHMS) {
  describe(`with ${each}`, () => {
    before(() => {
      algorithm = each;
    });

    describe('RFC 9068 §2: a JWT access token', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('contains its type and the key that signed it', async () => {
        const { keys } = await publishedKeys();
        const header = decodeProtectedHeader(accessOf(await byPassword()));
        const { kid } = keys.find(({ alg }) => alg === algorithm) ?? {};
        expect(header).to.deep.equal({ alg: algorithm, typ: 'at+jwt', kid });
      });

      it('of a user has every required claim, and no other', async () => {
        const { iat, exp, jti, ...rest } = await verify(accessOf(await byPassword({ scope: 'read write' })));
        expect(rest).to.deep.equal({
          iss: ISSUER,
          aud: ISSUER,
          sub: userIdOf(owner),
          client_id: client.id,
          scope: 'read write',
          auth_time: iat,
          acr: 'pwd',
        });
        expect(iat).to.equal(Math.floor(running.clock.now() / 1000));
        expect(exp).to.equal(Number(iat) + 36_000);
        expect(jti).to.match(/^[\w-]{43}$/);
      });

      it('of a client that acts on its own behalf has the client as subject', async () => {
        expect(await verify(accessOf(await forItself()))).to.include({ sub: client.id, client_id: client.id });
      });

      it('is for the named resource servers, or for this server itself (RFC 9068 §3)', async () => {
        expect((await verify(accessOf(await byPassword({ resource: CALENDAR })), CALENDAR)).aud).to.equal(CALENDAR);
        expect((await verify(accessOf(await byPassword()))).aud).to.equal(ISSUER);
        const both = await running.post(
          '/o/token/',
          `grant_type=client_credentials&resource=${CALENDAR}&resource=${CONTACTS}`,
          { authorization: client.basic },
        );
        expect((await verify(accessOf(both), CONTACTS)).aud).to.deep.equal([CALENDAR, CONTACTS]);
        expect(await isVerified(accessOf(both), ISSUER)).to.equal(false);
      });

      it('is issued by every grant type, with the granted scope', async () => {
        const code = await running.authorize(client, owner, { scope: 'groups', resource: CALENDAR });
        const answer = await running.token(client, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
        });
        expect(await verify(accessOf(answer), CALENDAR)).to.include({ sub: userIdOf(owner), scope: 'groups' });
        expectTokens(answer, { scope: 'groups', refresh: true });
        running.clock.advance(10);
        const narrowed = await refresh((await byPassword()).json?.['refresh_token'], {
          scope: 'read',
          resource: CONTACTS,
        });
        expect(await verify(accessOf(narrowed), CONTACTS)).to.include({
          sub: userIdOf(owner),
          scope: 'read',
          iat: Math.floor(running.clock.now() / 1000),
        });
      });

      it('of a narrowed code is for the narrower resource server', async () => {
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
        const answer = await running.token(client, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
          resource: CONTACTS,
        });
        expect((await verify(accessOf(answer), CONTACTS)).aud).to.equal(CONTACTS);
      });

      it('is different each time', async () => {
        const tokens = await Promise.all([byPassword(), byPassword(), forItself(), forItself()]);
        expect(new Set(tokens.map(accessOf)).size).to.equal(4);
      });

      it('is not stored; the log contains its hash', async () => {
        const token = accessOf(await byPassword());
        const events = JSON.stringify(await running.events());
        expect(events).to.include(hash('sha256', isRandom() ? signedPart(token) : token, 'base64url'));
        for (const part of token.split('.').slice(1)) expect(events).not.to.include(part);
      });

      it('is issued only to clients with that setting, from the next token on', async () => {
        const before = accessOf(await byPassword());
        const { registration, projections } = running.service();
        const known = projections.clients.find(client.id);
        if (known !== undefined)
          await registration.update(known.clientId, { ...known, accessTokenFormat: 'opaque' }, OPERATOR);
        const after = accessOf(await byPassword());
        expect(after).to.match(/^gla_/);
        expect([await isAccepted(running, before), await isAccepted(running, after)]).to.deep.equal([true, true]);
        expect(accessOf(await running.token(await running.addClient(), { grant_type: 'client_credentials' }))).to.match(
          /^gla_/,
        );
      });
    });

    describe('RFC 9068 §2.2.3: the scope of a JWT access token', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('lacks restricted scopes that the operator has withdrawn', async () => {
        client = await running.addClient({ ...jwts(), restrictedScopes: ['introspection'] });
        const forget = async (): Promise<void> => {
          const known = running.service().projections.clients.find(client.id);
          if (known !== undefined)
            await running.service().registration.update(known.clientId, { ...known, restrictedScopes: [] }, OPERATOR);
        };
        const code = await running.authorize(client, owner, { scope: 'read introspection' });
        const { json } = await byPassword({ scope: 'read introspection' });
        await forget();
        const refreshed = await refresh(json?.['refresh_token']);
        const redeemed = await running.token(client, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
        });
        for (const answer of [refreshed, redeemed]) {
          expectTokens(answer, { scope: 'read', refresh: true });
          expect((await verify(accessOf(answer))).scope).to.equal('read');
          expect(await introspect(accessOf(answer))).to.include({ active: true, scope: 'read' });
        }
        expectSame(await expectNothingAppended(running, () => refresh(json?.['refresh_token'])), refreshed);
      });
    });

    describe('RFC 9068 §4: a JWT access token at this server', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('is accepted like any other, for its scope and its audience', async () => {
        const token = accessOf(await byPassword({ scope: 'read' }));
        expect(await isAccepted(running, token)).to.equal(true);
        expect((await running.get('/groups/', { authorization: `Bearer ${token}` })).status).to.equal(403);
        expect(await isAccepted(running, accessOf(await byPassword({ resource: CALENDAR })))).to.equal(false);
        expect(await isAccepted(running, accessOf(await byPassword({ resource: ISSUER })))).to.equal(true);
      });

      it('is introspected with its own audience', async () => {
        const token = accessOf(await byPassword({ scope: 'read' }));
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
        expect(await introspect(accessOf(await byPassword({ resource: CALENDAR })))).to.include({
          active: true,
          aud: CALENDAR,
        });
      });

      it('is invalid here once it is revoked, although its signature still verifies', async () => {
        const answers = [await byPassword(), await forItself()];
        for (const token of answers.map(accessOf)) {
          expect((await running.post('/o/revoke_token/', { token }, { authorization: client.basic })).status).to.equal(
            200,
          );
          expect(await isAccepted(running, token)).to.equal(false);
          expect(await introspect(token)).to.deep.equal({ active: false });
          expect(await isVerified(token)).to.equal(true);
        }
      });

      it('ends with its client and with its user', async () => {
        const [ofUser, ofClient] = [accessOf(await byPassword()), accessOf(await forItself())];
        const account = running.service().projections.users.findByName(owner.username);
        if (account !== undefined) await running.service().accounts.disable(account, OPERATOR);
        expect([await isAccepted(running, ofUser), await isAccepted(running, ofClient)]).to.deep.equal([false, true]);
        await running.service().registration.remove(client.id as ClientId, OPERATOR);
        expect(await isAccepted(running, ofClient)).to.equal(false);
      });

      it('expires in the second that its exp names', async () => {
        const token = accessOf(await byPassword());
        running.clock.advance(35_999);
        expect([await isAccepted(running, token), await isVerified(token)]).to.deep.equal([true, true]);
        running.clock.advance(1);
        expect([await isAccepted(running, token), await isVerified(token)]).to.deep.equal([false, false]);
      });

      it('that was changed, or signed without a key or with another key, is unknown', async () => {
        const token = accessOf(await byPassword({ scope: 'read' }));
        const foreign = accessOf(await byPassword({ scope: 'write' }));
        const [header = '', payload = '', signature = ''] = token.split('.');
        const claims: object = {
          ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
          scope: 'read write groups audit',
        };
        const widened = Buffer.from(JSON.stringify(claims)).toString('base64url');
        const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
        const tampered = [
          `${header}.${widened}.${signature}`,
          `${none}.${payload}.`,
          `${none}.${payload}.${signature}`,
          `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
          `${header}.${payload}.${foreign.split('.')[2] ?? ''}`,
          `${header}.${payload}.${signature.slice(0, -1)}`,
          `${header}.${payload}`,
          `${token}.${token}`,
        ];
        for (const forged of tampered) {
          expect(await isAccepted(running, forged), forged).to.equal(false);
          expect(await introspect(forged)).to.deep.equal({ active: false });
          expect(await isVerified(forged)).to.equal(false);
        }
      });

      it('that was signed with the right key but never issued is unknown: the lookup decides', async () => {
        const [, payload = ''] = accessOf(await forItself()).split('.');
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
        const { signingKeys } = running.service();
        const { jws } = await signingKeys.sign(algorithm, 'at+jwt', { ...claims, scope: 'read write groups' }, now());
        expect([await isVerified(jws), await isAccepted(running, jws)]).to.deep.equal([true, false]);
        expect(await introspect(jws)).to.deep.equal({ active: false });
      });

      it('for the maximum number of resource servers still fits into a header', async () => {
        await running.close();
        const long = Array.from({ length: 10 }, (_, index) => `${ISSUER}/${index}`.padEnd(256, 'x'));
        await setUp({ resources: long });
        const token = accessOf(
          await running.post(
            '/o/token/',
            new URLSearchParams([
              ['grant_type', 'client_credentials'],
              ...[ISSUER, ...long.slice(1)].map((uri): [string, string] => ['resource', uri]),
            ]).toString(),
            { authorization: client.basic },
          ),
        );
        expect([await isVerified(token, long[9]), await isAccepted(running, token)]).to.deep.equal([true, true]);
      });

      it('survives a restart, and so do the keys', async () => {
        const token = accessOf(await byPassword());
        const keys = await publishedKeys();
        await running.restart();
        expect(await publishedKeys()).to.deep.equal(keys);
        expect([await isAccepted(running, token), await isVerified(token)]).to.deep.equal([true, true]);
      });
    });

    describe('RFC 9068: a refresh whose response was lost', () => {
      beforeEach(() => setUp());
      afterEach(() => running.close());

      it('gets the same JWT again, later and after a restart, without an event', async () => {
        const { json } = await byPassword({ resource: CALENDAR });
        running.clock.advance(100);
        const first = await refresh(json?.['refresh_token'], { scope: 'read' });
        await verify(accessOf(first), CALENDAR);
        running.clock.advance(7);
        expectSame(
          await expectNothingAppended(running, () => refresh(json?.['refresh_token'], { scope: 'read' })),
          first,
        );
        await running.restart();
        running.clock.advance(7);
        expectSame(
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

      it('among concurrent retries, each in another second, returns the recorded JWT to all', async () => {
        const { json } = await byPassword();
        const refreshToken = String(json?.['refresh_token']);
        const parameters = new Map([
          ['grant_type', 'refresh_token'] as const,
          ['refresh_token', refreshToken] as const,
        ]);
        const latest = now();
        const answers = await Promise.all(
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
          new Set(answers.map(({ access_token: token }) => (isRandom() ? signedPart(token) : token))).size,
        ).to.equal(1);
        expect(await introspect(answers[0]?.access_token ?? '')).to.include({ active: true });
      });

      it('gets the same token even if the format of the client has changed since', async () => {
        const set = async (accessTokenFormat: string): Promise<void> => {
          const known = running.service().projections.clients.find(client.id);
          if (known !== undefined)
            await running.service().registration.update(known.clientId, { ...known, accessTokenFormat }, OPERATOR);
        };
        for (const [before, after] of [
          ['jwt', 'opaque'],
          ['opaque', 'jwt'],
        ] as const) {
          await set(before);
          const { json } = await byPassword();
          const first = await refresh(json?.['refresh_token']);
          await set(after);
          expectSame(await expectNothingAppended(running, () => refresh(json?.['refresh_token'])), first);
          expect(await isAccepted(running, accessOf(first))).to.equal(true);
        }
      });
    });
  });
}
