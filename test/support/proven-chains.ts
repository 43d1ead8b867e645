import fc from 'fast-check';
import { expect } from 'chai';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import { openSession, authorizePath } from './authorize-requests.ts';
import { REDIRECT_URI, type RunningService, type TestClient, type TestUser } from './running-service.ts';
import { signForeignToken, trustIssuer } from './trusted-issuers.ts';
import { expectAccessToken, allowExchange, exchangeForToken, ownToken, userTokens } from './token-exchange.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** A chain of exchanges, and how one of its parts is invalidated. */
export interface ChainShape {
  /**
   * The root of the chain: a user's password grant or login, a client's own token, or a JWT from another issuer
   * as the subject token (without a grant) or as an assertion.
   */
  readonly root: 'password' | 'login' | 'client' | 'foreign' | 'assertion';
  /** For each exchange, whether it has an actor; `foreign` for an actor token from another issuer. */
  readonly actors: readonly (boolean | 'foreign')[];
  readonly end:
    | 'nothing'
    | 'revoked'
    | 'actor-revoked'
    | 'client-removed'
    | 'user-disabled'
    | 'user-erased'
    | 'logged-out'
    | 'issuer-removed';
  /** Selects the hop to invalidate, if `end` applies to a single hop. */
  readonly hopIndex: number;
}

export const chainShape: fc.Arbitrary<ChainShape> = fc.record({
  root: fc.constantFrom('password', 'login', 'client', 'foreign', 'assertion'),
  actors: fc.array(fc.constantFrom(true, false, 'foreign' as const), { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom(
    'nothing',
    'revoked',
    'actor-revoked',
    'client-removed',
    'user-disabled',
    'user-erased',
    'logged-out',
    'issuer-removed',
  ),
  hopIndex: fc.nat({ max: 4 }),
});

let chainCount = 0;

/**
 * Creates the chain with new clients and a new user, by sending requests.
 * @returns its last token
 */
export async function createChain(
  running: RunningService,
  { root, actors, end, hopIndex }: ChainShape,
): Promise<string> {
  const user = await running.addUser(`chained${(chainCount += 1)}`);
  const clients: TestClient[] = [];
  for (const index of [0, ...actors].keys()) {
    const grantTypes = [
      'authorization-code',
      'password',
      'client-credentials',
      'token-exchange',
      'jwt-bearer',
    ] as const;
    clients.push(await running.addClient({ name: `Client ${index}`, grantTypes }));
  }
  // Trusting an issuer again would replace its clients, so each chain has its own issuers.
  const [issuer, actorIssuer] = [`https://users${chainCount}.example`, `https://actors${chainCount}.example`];
  await trustIssuer(
    running,
    clients[0] ?? expect.fail(),
    {
      uses: ['assertion', 'subject-token'],
      mapping: 'user-name',
      scope: ['read', 'write'],
      clients: clients.slice(0, 2).map(({ id }) => id),
    },
    issuer,
  );
  await trustIssuer(
    running,
    clients[0] ?? expect.fail(),
    { uses: ['actor-token'], scope: ['read', 'write'], clients: clients.map(({ id }) => id) },
    actorIssuer,
  );
  const tokens = [await rootToken(running, { root, user, client: clients[0] ?? expect.fail(), issuer })];
  const actorTokens: (string | undefined)[] = [undefined];
  for (const [index, hasActor] of actors.entries()) {
    const [previousClient, client] = [clients[index], clients[index + 1]];
    if (previousClient === undefined || client === undefined) return expect.fail();
    await allowExchange(running, client, previousClient);
    const actor =
      hasActor === 'foreign'
        ? await signForeignToken(running, { claims: { iss: actorIssuer } })
        : hasActor
          ? await ownToken(running, client)
          : undefined;
    actorTokens.push(hasActor === 'foreign' ? undefined : actor);
    running.clock.advance(1);
    const isForeign = root === 'foreign' && index === 0;
    const parameters: Record<string, string> = actor === undefined ? {} : { actor };
    if (isForeign) parameters['subject_token_type'] = TOKEN_TYPES.jwt;
    if (hasActor === 'foreign') parameters['actor_token_type'] = TOKEN_TYPES.jwt;
    tokens.push(await exchangeForToken(running, client, tokens[index] ?? '', parameters));
  }
  // A JWT from another issuer cannot be revoked on this server, so the first exchange is revoked instead.
  const invalidatedHop = root === 'foreign' ? 1 + (hopIndex % actors.length) : hopIndex % tokens.length;
  await invalidateHop();
  return tokens.at(-1) ?? '';

  async function invalidateHop(): Promise<void> {
    const { accounts, registration, projections, trustedIssuerRegistry } = running.service();
    const account = () => projections.users.findByName(user.username) ?? expect.fail();
    const client = clients[invalidatedHop] ?? expect.fail();
    const revoke = async (token: string): Promise<void> => {
      await running.post('/o/revoke_token/', { token }, { authorization: client.basic });
    };
    switch (end) {
      case 'nothing':
        return;
      case 'revoked':
        return revoke(tokens[invalidatedHop] ?? '');
      case 'actor-revoked':
        return revoke(actorTokens[invalidatedHop] ?? tokens[invalidatedHop] ?? '');
      case 'client-removed':
        return registration.remove(projections.clients.find(client.id)?.clientId ?? expect.fail(), OPERATOR);
      case 'user-disabled':
        return accounts.disable(account(), OPERATOR);
      case 'user-erased':
        return accounts.erase(account(), OPERATOR);
      case 'issuer-removed':
        for (const trustedIssuer of [issuer, actorIssuer])
          await trustedIssuerRegistry.remove(projections.trustedIssuers.find(trustedIssuer) ?? expect.fail(), OPERATOR);
        return;
      case 'logged-out':
        return accounts.logOutEverywhere(account(), OPERATOR);
    }
  }
}

async function rootToken(
  running: RunningService,
  {
    root,
    user,
    client,
    issuer,
  }: {
    readonly root: ChainShape['root'];
    readonly user: TestUser;
    readonly client: TestClient;
    readonly issuer: string;
  },
): Promise<string> {
  if (root === 'foreign' || root === 'assertion') {
    const jwt = await signForeignToken(running, { claims: { iss: issuer, sub: user.username } });
    if (root === 'foreign') return jwt;
    return expectAccessToken(await running.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion: jwt }));
  }
  if (root === 'client') return ownToken(running, client, { scope: 'read write' });
  if (root === 'password') return (await userTokens(running, client, user, { scope: 'read write' })).access;
  const browser = await openSession(running, user);
  const consent = await browser.get(authorizePath(client, { scope: 'openid read write' }));
  const { location } = await browser.submit(consent, { allow: 'Authorize' });
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  return expectAccessToken(
    await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }),
  );
}

/** A change to a JSON document: removes, duplicates, swaps, replaces or renames one part, or flips one bit. */
export interface Tampering {
  readonly kind: 'remove' | 'duplicate' | 'swap' | 'replace' | 'rename' | 'flip';
  /** Selects the object, array or character that changes. */
  readonly target: number;
  readonly variant: number;
}

export const tampering: fc.Arbitrary<Tampering> = fc.record({
  kind: fc.constantFrom('remove', 'duplicate', 'swap', 'replace', 'rename', 'flip'),
  target: fc.nat(),
  variant: fc.nat(),
});

/** Returns every object and array in a document. */
function containersIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}

/** Returns the changed text; undefined if the change has no effect. */
export function tamper(text: string, { kind, target, variant }: Tampering): string | undefined {
  if (kind === 'flip') {
    const index = target % text.length;
    const flippedCharacter = String.fromCodePoint((text.codePointAt(index) ?? 0) ^ (1 << (variant % 7)));
    return `${text.slice(0, index)}${flippedCharacter}${text.slice(index + 1)}`;
  }
  const document: unknown = JSON.parse(text);
  const containers = containersIn(document);
  const container = containers[target % containers.length] as Record<string, unknown> | unknown[];
  const keys = Object.keys(container);
  const key = keys[variant % keys.length];
  if (key === undefined) return undefined;
  if (Array.isArray(container)) changeArray(container, Number(key), kind);
  else changeObject(container, key, kind);
  const result = JSON.stringify(document, null, 2);
  return JSON.stringify(JSON.parse(text)) === JSON.stringify(document) ? undefined : result;
}

function changeArray(array: unknown[], index: number, kind: Tampering['kind']): void {
  if (kind === 'remove') array.splice(index, 1);
  else if (kind === 'duplicate') array.splice(index, 0, array[index]);
  else if (kind === 'swap') array.splice(index, 2, array[index + 1], array[index]);
  else array[index] = replaceValue(array[index]);
}

function changeObject(object: Record<string, unknown>, key: string, kind: Tampering['kind']): void {
  const value = object[key];
  if (kind === 'replace' || kind === 'swap') object[key] = replaceValue(value);
  else {
    if (kind !== 'duplicate') delete object[key];
    if (kind !== 'remove') object[`${key}x`] = value;
  }
}

function replaceValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`;
  return value === null ? {} : null;
}
