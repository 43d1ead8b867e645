import {
  authorizationGrant,
  type Grant,
  type GrantCommand,
  type GrantEvent,
  type GrantByPassword,
  type GrantToClient,
  type IssueCode,
  type RedeemCode,
  type RefreshGrant,
  type RevokeGrant,
} from '../../src/domain/authorization-grant.ts';
import { clientId, grantId, hashOf, loginOf, seconds, userId } from './domain-values.ts';

/** The commands to one grant of the user Ada to client A. Tests replace the members that they are about. */
export const GRANT = grantId('grant');
export const REDIRECT_URI = 'https://app.example/callback';
export const VERIFIER = { S256: 'the hash of the verifier', plain: 'the verifier' };

const grantFields = {
  grantId: GRANT,
  clientId: clientId('A'),
  userId: userId('ada'),
  scope: ['read', 'write'],
  resource: [],
} as const;
const firstTokens = {
  accessHash: hashOf('access 1'),
  accessExpiresAt: seconds(36_000),
  previousSecretUsed: false,
  refreshHash: hashOf('refresh 1'),
  refreshExpiresAt: null,
} as const;

export const issueCode = (changes: Partial<IssueCode> = {}): IssueCode => ({
  type: 'IssueCode',
  ...grantFields,
  consent: 'asked',
  codeHash: hashOf('code'),
  redirectUri: REDIRECT_URI,
  redirectUriRequired: true,
  codeChallenge: null,
  login: loginOf('session'),
  requested: { scope: ['read', 'write', 'audit'] },
  now: seconds(0),
  expiresAt: seconds(60),
  ...changes,
});
export const redeemCode = (changes: Partial<RedeemCode> = {}): RedeemCode => ({
  type: 'RedeemCode',
  grantId: GRANT,
  clientId: clientId('A'),
  codeHash: hashOf('code'),
  redirectUri: REDIRECT_URI,
  verifier: null,
  resource: [],
  now: seconds(10),
  ...firstTokens,
  ...changes,
});
export const grantByPassword = (changes: Partial<GrantByPassword> = {}): GrantByPassword => ({
  type: 'GrantByPassword',
  ...grantFields,
  login: { ...loginOf('none'), sessionHash: null },
  requested: { scope: ['read', 'write'] },
  now: seconds(0),
  ...firstTokens,
  ...changes,
});
/** Presents the nth refresh token. The response would contain the next refresh token. */
export const refresh = (nth: number, changes: Partial<RefreshGrant> = {}): RefreshGrant => ({
  type: 'RefreshGrant',
  grantId: GRANT,
  clientId: clientId('A'),
  presentedHash: hashOf(`refresh ${nth}`),
  isPresentedTokenGenuine: true,
  scope: null,
  resource: [],
  now: seconds(100),
  reuseWindowSeconds: 30,
  accessHash: hashOf(`access ${nth + 1}`),
  accessExpiresAt: seconds(36_100),
  previousSecretUsed: false,
  refreshHash: hashOf(`refresh ${nth + 1}`),
  refreshExpiresAt: null,
  ...changes,
});
export const revoke = (reason: RevokeGrant['reason'] = 'revoked-by-client'): RevokeGrant => ({
  type: 'RevokeGrant',
  reason,
});
export const grantToClient: GrantToClient = {
  type: 'GrantToClient',
  grantId: GRANT,
  clientId: clientId('A'),
  scope: ['read'],
  resource: [],
  now: seconds(0),
  accessHash: hashOf('access 1'),
  accessExpiresAt: seconds(36_000),
  previousSecretUsed: false,
};

/** Returns the events that the commands record, in an empty stream. */
export function eventsOf(commands: readonly GrantCommand[]): readonly GrantEvent[] {
  let state = authorizationGrant.initial;
  return commands.flatMap((command) => {
    const { events } = authorizationGrant.decide(command, state);
    state = events.reduce(authorizationGrant.evolve, state);
    return events;
  });
}

/** Returns the grant after the commands. */
export function grantAfter(...commands: readonly GrantCommand[]): Grant {
  return eventsOf(commands).reduce(authorizationGrant.evolve, authorizationGrant.initial);
}
