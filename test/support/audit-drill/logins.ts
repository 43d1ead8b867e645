import type { DomainEvent, EventOf, Login } from '../../../src/domain/events.ts';
import { grantStream, sessionStream } from '../../../src/domain/streams.ts';
import type { SubjectToken } from '../../../src/domain/token-exchange.ts';
import type { ClientId, CredentialHash, EpochSeconds, GrantId, UserId } from '../../../src/domain/values.ts';
import type { Position, StreamName } from '../../../src/event-store/event-log.ts';
import { hashOf, keyId, seconds } from '../domain-values.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const KEY = keyId('signing key');

export interface LoginRequest {
  readonly ids: { readonly grantId: GrantId; readonly tokenHash: CredentialHash };
  readonly client: ClientId;
  readonly user: UserId;
  /** The scope of the access token. The code and the refresh token also have the `openid` scope. */
  readonly scope: readonly string[];
  readonly resource: readonly string[];
}

/** The token of a grant that ends with a session, and that session. */
export interface LoginToken extends SubjectToken {
  readonly login: Login;
  readonly session: StreamName;
  /** The ID token that was issued with it. */
  readonly idToken: SubjectToken;
}

interface Recorder {
  now(): EpochSeconds;
  head(): number;
  record(stream: StreamName, event: DomainEvent): void;
}

/** Records the key that signs the ID tokens. */
export function recordKey({ now, record }: Recorder): void {
  record('signing-keys', {
    type: 'SigningKeyIntroduced',
    data: {
      kid: KEY,
      algorithm: 'RS256',
      publicKey: { kty: 'RSA', n: 'n', e: 'AQAB' },
      from: now(),
      until: seconds(now() + 10_000 * DAY),
      reason: 'first',
    },
  });
}

/**
 * Records that the user logs in and approves OpenID Connect, and that the client redeems the code for all three tokens.
 */
export function logIn(recording: Recorder, { ids, client, user, scope, resource }: LoginRequest): LoginToken {
  const { now, head, record } = recording;
  const { grantId, tokenHash } = ids;
  const sessionHash = hashOf(`session ${grantId}`);
  const login: Login = { sessionHash, authTime: now(), amr: ['pwd'], acr: 'pwd' };
  const party = { clientId: client, userId: user };
  const commonData = { ...party, login, ...(resource.length > 0 && { resource }) };
  const grantedScope = ['openid', ...scope];
  const idTokenHash = hashOf(`ID token ${grantId}`);
  const codeHash = hashOf(`code ${grantId}`);
  const expiresAt = seconds(now() + 10 * HOUR);
  const session = sessionStream(sessionHash);
  const checkedAsOf = head() as Position;
  record(session, {
    type: 'SessionStarted',
    data: {
      userId: user,
      expiresAt: seconds(now() + DAY),
      authentication: { method: 'password', authenticatedAt: now(), checkedAsOf },
    },
  });
  const code: EventOf<'AuthorizationCodeIssued'>['data'] = {
    ...commonData,
    codeHash,
    scope: grantedScope,
    redirectUri: '',
    redirectUriRequired: false,
    codeChallenge: null,
    expiresAt: seconds(now() + 60),
  };
  const events: readonly DomainEvent[] = [
    { type: 'ConsentGiven', data: { ...party, grantId, scope: grantedScope, basis: 'asked', login } },
    { type: 'AuthorizationCodeIssued', data: code },
    { type: 'AuthorizationCodeRedeemed', data: { codeHash } },
    { type: 'AccessTokenIssued', data: { ...commonData, grantId, tokenHash, scope, expiresAt } },
    {
      type: 'RefreshTokenIssued',
      data: { ...commonData, tokenHash: hashOf(`refresh ${grantId}`), scope: grantedScope, expiresAt: null },
    },
    {
      type: 'IdTokenIssued',
      data: {
        ...party,
        tokenHash: idTokenHash,
        kid: KEY,
        algorithm: 'RS256',
        issuedAt: now(),
        expiresAt,
        claims: [],
      },
    },
  ];
  for (const event of events) record(grantStream(grantId), event);
  const common = { ...party, grantId, scope, resource, login, exchange: undefined, expiresAt };
  const idToken: SubjectToken = { ...common, tokenHash: idTokenHash, tokenType: 'id_token' };
  return { ...common, tokenHash, tokenType: 'access_token', session, idToken };
}
