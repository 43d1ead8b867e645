import type { ExchangeRequest, SubjectToken } from '../../src/domain/token-exchange.ts';
import type { ExchangeToken } from '../../src/domain/authorization-grant.ts';
import { clientId, grantId, hashOf, seconds, userId } from './domain-values.ts';

/** Ada's token for the client Web, with read and write at every resource server, valid until second 1,000. */
export const SUBJECT: SubjectToken = {
  grantId: grantId('root'),
  clientId: clientId('Web'),
  userId: userId('ada'),
  tokenHash: hashOf('subject'),
  tokenType: 'access_token',
  scope: ['read', 'write'],
  resource: [],
  expiresAt: seconds(1_000),
  login: undefined,
  exchange: undefined,
};

/** The client Api exchanges that token without an actor, for the whole scope and every resource server. */
export const REQUEST: ExchangeRequest = {
  clientId: clientId('Api'),
  subject: SUBJECT,
  actor: undefined,
  policy: { modes: ['impersonation', 'delegation'], scope: null, resources: null },
  requested: { scope: [], resource: [] },
};

/** The client Api's own token, as the actor token. */
export const ACTOR: NonNullable<ExchangeRequest['actor']> = {
  grantId: grantId('actor'),
  clientId: clientId('Api'),
  userId: null,
  tokenHash: hashOf('actor'),
  scope: ['read', 'write'],
  expiresAt: seconds(800),
  isExchanged: false,
};

export const exchangeToken = (changes: Partial<ExchangeToken> = {}): ExchangeToken => ({
  type: 'ExchangeToken',
  ...REQUEST,
  grantId: grantId('exchange'),
  now: seconds(10),
  accessHash: hashOf('exchanged'),
  accessExpiresAt: seconds(500),
  previousSecretUsed: false,
  ...changes,
});
