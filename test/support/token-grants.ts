import { plainResources } from '../../src/oauth/resources/known-resources.ts';
import { createSecretKey } from 'node:crypto';
import { createCommandHandlers } from '../../src/composition/command-handlers.ts';
import type { ParameterName } from '../../src/config/input-limits.ts';
import type { GrantByPassword, IssueCode } from '../../src/domain/authorization-grant.ts';
import type { Confirmation } from '../../src/domain/confirmation.ts';
import { decodeEvent, type DomainEvent } from '../../src/domain/events.ts';
import { passwordLogin } from '../../src/domain/login.ts';
import { defaultAuthentication } from '../../src/domain/client-authentication.ts';
import { DEFAULT_SECURITY } from '../../src/domain/security-settings.ts';
import { DEFAULT_OPENID } from '../../src/domain/openid-settings.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { grantStream } from '../../src/domain/streams.ts';
import type { GrantId, UserId } from '../../src/domain/values.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import type { EventLog, Position } from '../../src/event-store/event-log.ts';
import { createAccessTokenFormatter } from '../../src/oauth/credentials/access-token-format.ts';
import { mintId } from '../../src/oauth/credentials/credentials.ts';
import { createIssuedCheck } from '../../src/oauth/credentials/issued-refresh-tokens.ts';
import { accessExpiry, refreshExpiry } from '../../src/oauth/credentials/lifetimes.ts';
import { createRefreshTokens } from '../../src/oauth/credentials/refresh-tokens.ts';
import { createTaggedCredentials } from '../../src/oauth/credentials/tagged-credentials.ts';
import { OAuthError } from '../../src/oauth/endpoints/errors.ts';
import { createTokenEndpoint, requireRegisteredGrantType } from '../../src/oauth/endpoints/token-endpoint.ts';
import { createEffectiveScope } from '../../src/oauth/endpoints/restricted-scopes.ts';
import { authorizationCodeGrant } from '../../src/oauth/grant-types/authorization-code.ts';
import type { CodeRuleSettings } from '../../src/oauth/grant-types/code-rules.ts';
import { createGrantHistoryReader } from '../../src/oauth/grant-types/grant-history.ts';
import type { TokenResponse } from '../../src/oauth/grant-types/grant-type.ts';
import { createPostMortem } from '../../src/oauth/grant-types/post-mortem.ts';
import { refreshTokenGrant } from '../../src/oauth/grant-types/refresh-token.ts';
import { createTokenDetails } from '../../src/oauth/details/token-details.ts';
import { createIdTokens } from '../../src/oauth/openid/id-token.ts';
import type { Refusal } from '../../src/oauth/refusals/refusal.ts';
import type { Client, ClientMember } from '../../src/projections/clients.ts';
import { clientId, keyId, loginOf, seconds, userId } from './domain-values.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { unchecked } from './unchecked.ts';

const KID = keyId('signing');
export const ISSUER = 'https://auth.example';
export const REDIRECT_URI = 'https://app.example/callback';
/** An auditor, so she may delegate the `audit` scope. */
export const ADA = userId('ada');
export const ADA_AS_TEST_USER: ClientMember = {
  userId: ADA,
  role: 'test-user',
  position: 1 as Position,
  since: seconds(0),
};

/** Derives the tokens of successive refreshes like the server does. */
export const REFRESH_TOKENS = createRefreshTokens(createSecretKey(Buffer.alloc(32, 1)));

const CREDENTIALS = createTaggedCredentials(createSecretKey(Buffer.alloc(32, 2)));

const SETTINGS = {
  accessTokenLifetimeSeconds: 3_600,
  refreshTokenLifetimeSeconds: 86_400 as number | null,
  refreshReuseWindowSeconds: 60,
  authorizationCodeLifetimeSeconds: 60,
  scopes: { read: 'Read', write: 'Write', audit: 'Audit' } as Readonly<Record<string, string>>,
  requirePkce: 'none' as CodeRuleSettings['requirePkce'],
  pkceMethods: ['S256', 'plain'] as CodeRuleSettings['pkceMethods'],
  plainHttpRedirectUris: false,
  redirectUriSchemes: [] as readonly string[],
  /** The known resource servers other than this server. */
  resources: ['https://one.example', 'https://two.example'] as readonly string[],
  issuer: ISSUER,
};

export type KnownClient = Pick<
  Client,
  | 'clientId'
  | 'clientType'
  | 'accessTokenFormat'
  | 'accessTokenAlgorithm'
  | 'grantTypes'
  | 'restrictedScopes'
  | 'openid'
  | 'authentication'
  | 'security'
  | 'mode'
  | 'members'
>;

/** A confidential client with opaque tokens and the restricted scope `audit`. */
export const CLIENT: KnownClient = {
  clientId: clientId('A'),
  clientType: 'confidential',
  accessTokenFormat: 'opaque',
  accessTokenAlgorithm: 'RS256',
  grantTypes: ['authorization-code'],
  restrictedScopes: ['audit'],
  openid: DEFAULT_OPENID,
  authentication: defaultAuthentication('confidential'),
  security: DEFAULT_SECURITY,
  mode: 'live',
  members: [],
};
export const JWT_CLIENT: KnownClient = { ...CLIENT, accessTokenFormat: 'jwt' };

interface Request {
  readonly client?: KnownClient;
  readonly previousSecretUsed?: boolean;
  readonly confirmation?: Confirmation;
  /** Whether the grant ends while its tokens are recorded. */
  readonly endsMeanwhile?: boolean;
  readonly parameters?: Readonly<Partial<Record<ParameterName, string>>>;
}

/** Redeems codes and refreshes tokens without HTTP or authentication. */
export interface TokenGrants {
  readonly log: EventLog;
  readonly clock: ManualClock;
  /** The grants that have ended for a reason that is not in their streams. */
  readonly endedGrants: Set<GrantId>;
  /** The users whose budgets have been charged, newest last. */
  readonly chargedUsers: readonly (UserId | null)[];
  /** The scopes with which the authorization details of a grant were narrowed, newest last. */
  readonly narrowedScopes: readonly Scope[];
  /** Returns how many ID tokens have been signed. */
  signedIdTokenCount(): number;
  /** Issues a code, by default to `CLIENT` for Ada and the read, write and audit scopes. */
  issueCode(details?: Partial<IssueCode>): Promise<string>;
  /** Returns the refresh token of a new password grant for `CLIENT`, Ada and the read scope. */
  grantByPassword(): Promise<string>;
  /** @throws OAuthError if the request is refused */
  redeem(code: string, request?: Request): Promise<TokenResponse>;
  /** @throws OAuthError if the request is refused */
  refresh(token: string, request?: Request): Promise<TokenResponse>;
  revoke(credential: string): Promise<void>;
  /** Returns the types and data of the grant's events. */
  events(credential: string): Promise<readonly DomainEvent[]>;
}

/** Creates an instance, which can continue with another one's log and clock, like a restart with new settings. */
export function createTokenGrants(
  changes: Partial<typeof SETTINGS> = {},
  { log, clock }: Pick<TokenGrants, 'log' | 'clock'> = { log: createMemoryLog(), clock: manualClock() },
): TokenGrants {
  const settings = { ...SETTINGS, ...changes };
  const entropy = seededEntropy(log.head());
  const { grants } = createCommandHandlers(log, clock.now);
  const endedGrants = new Set<GrantId>();
  const managedGrants = new Map<GrantId, Pick<IssueCode, 'management'>>();
  const chargedUsers: (UserId | null)[] = [];
  const now = () => seconds(Math.floor(clock.now() / 1000));
  const unsignedToken = (type: string, payload: object): string => `${type} ${JSON.stringify(payload)}`;
  const signer = {
    sign: async (_algorithm: string, type: string, payload: object) => ({
      jws: unsignedToken(type, payload),
      kid: KID,
    }),
    signAgain: async (_kid: string, type: string, payload: object) => unsignedToken(type, payload),
  };
  const idTokenSigner = createIdTokenSigner();
  const users = { find: (id: string) => (id === ADA ? unchecked({ roles: ['auditor'] }) : undefined) };
  const resources = plainResources([ISSUER, ...settings.resources], settings.scopes);
  const tokenDetails = createTokenDetails(unchecked(undefined), resources); // no request has details
  const narrowedScopes: Scope[] = [];
  const deps = {
    grants,
    entropy,
    credentials: CREDENTIALS,
    settings,
    liveGrants: {
      isLive: (id: GrantId) => !endedGrants.has(id),
      find: (id: GrantId) => unchecked(managedGrants.get(id)),
    },
    refreshTokens: REFRESH_TOKENS,
    postMortem: createPostMortem({
      history: createGrantHistoryReader({ log, clock }),
      accessTokens: unchecked(undefined),
      exchanges: unchecked(undefined),
      signatures: unchecked(undefined),
      clients: unchecked(undefined),
      users: { isActive: () => true },
      issuer: () => ISSUER,
      settings,
    }),
    idTokens: createIdTokens({
      keys: idTokenSigner,
      subjects: { subjectOf: (_client, id) => id },
      users: { find: () => undefined }, // no request has the claims parameter
      groupsOf: () => [],
      issuer: () => settings.issuer,
    }),
    ...createAccessTokenFormatter(
      signer,
      { sign: unsignedToken },
      () => settings.issuer,
      (_clientId, user) => user,
      () => [],
    ),
    resources,
    tokenDetails: {
      ...tokenDetails,
      narrow: async (request: Parameters<typeof tokenDetails.narrow>[0]) => {
        narrowedScopes.push(request.scope);
        return tokenDetails.narrow(request);
      },
    },
    effectiveScope: createEffectiveScope(users, resources),
  };
  const { selectGrantType } = createTokenEndpoint(
    [authorizationCodeGrant(deps), refreshTokenGrant({ ...deps, wasIssued: createIssuedCheck({ log, grants }) })],
    unchecked(undefined),
    () => undefined, // the clients are registered
    {},
  );

  async function requestTokens(
    grant: 'authorization_code' | 'refresh_token',
    name: ParameterName,
    credential: string,
    {
      client = CLIENT,
      previousSecretUsed = false,
      confirmation,
      endsMeanwhile = false,
      parameters: extraParameters = {},
    }: Request,
  ): Promise<TokenResponse> {
    const parameters = new Map<ParameterName, string>([
      ['grant_type', grant],
      [name, credential],
    ]);
    for (const [parameter, value] of Object.entries(extraParameters)) parameters.set(parameter as ParameterName, value);
    const grantType = selectGrantType(parameters);
    requireRegisteredGrantType(unchecked(client), grantType);
    return grantType.exchange({
      parameters,
      client: unchecked(client),
      previousSecretUsed,
      confirmation,
      now: now(),
      address: '192.0.2.1',
      context: { actor: { kind: 'client', id: client.clientId }, requestId: null },
      once: unchecked(undefined),
      async withinBudget(user, issue) {
        chargedUsers.push(user);
        const outcome = await issue();
        if (endsMeanwhile) endedGrants.add(extractGrantId(credential));
        return outcome;
      },
    });
  }

  return {
    log,
    clock,
    endedGrants,
    chargedUsers,
    narrowedScopes,
    signedIdTokenCount: idTokenSigner.signatures,

    async issueCode(details = {}) {
      const { grantId, code } = CREDENTIALS.deriveCode(String(log.head()));
      const command: IssueCode = {
        type: 'IssueCode',
        grantId,
        clientId: CLIENT.clientId,
        userId: ADA,
        scope: ['read', 'write', 'audit'],
        resource: [],
        consent: 'asked',
        codeHash: code.hash,
        redirectUri: REDIRECT_URI,
        redirectUriRequired: false,
        codeChallenge: null,
        login: loginOf('session'),
        requested: { scope: ['read', 'write', 'audit'] },
        now: now(),
        expiresAt: seconds(now() + settings.authorizationCodeLifetimeSeconds),
        ...details,
      };
      if (command.management !== undefined) managedGrants.set(grantId, { management: command.management });
      await grants.execute(grantStream(grantId), command, { actor: { kind: 'user', id: ADA }, requestId: null });
      return code.value;
    },

    async grantByPassword() {
      const grantId = mintId<GrantId>(entropy);
      const refresh = REFRESH_TOKENS.mint(grantId, entropy);
      const command: GrantByPassword = {
        type: 'GrantByPassword',
        grantId,
        clientId: CLIENT.clientId,
        userId: ADA,
        scope: ['read'],
        resource: [],
        login: passwordLogin(now()),
        requested: { scope: ['read'] },
        now: now(),
        accessHash: CREDENTIALS.mintAccessToken(entropy).hash,
        accessExpiresAt: accessExpiry(now(), settings),
        previousSecretUsed: false,
        refreshHash: refresh.hash,
        refreshExpiresAt: refreshExpiry(now(), settings),
      };
      const context = { actor: { kind: 'client', id: CLIENT.clientId }, requestId: null } as const;
      await grants.execute(grantStream(grantId), command, context);
      return refresh.value;
    },

    redeem: (code, request = {}) => requestTokens('authorization_code', 'code', code, request),
    refresh: (token, request = {}) => requestTokens('refresh_token', 'refresh_token', token, request),

    async revoke(credential) {
      const context = { actor: { kind: 'user', id: ADA }, requestId: null } as const;
      await grants.execute(
        grantStream(extractGrantId(credential)),
        { type: 'RevokeGrant', reason: 'revoked-by-resource-owner' },
        context,
      );
    },

    async events(credential) {
      const events: DomainEvent[] = [];
      for await (const page of log.readStream(grantStream(extractGrantId(credential))))
        events.push(...page.map(decodeEvent).map(({ type, data }) => unchecked({ type, data })));
      return events;
    },
  };
}

/** Creates a fake signer that returns a different result each time. */
function createIdTokenSigner() {
  let signatures = 0;
  const jwsOf = (payload: object): string => `JWT ${JSON.stringify(payload)}.${(signatures += 1)}`;
  return {
    signatures: () => signatures,
    sign: async (_algorithm: string, _type: string, payload: object) => ({ jws: jwsOf(payload), kid: KID }),
    signAgain: async (_kid: string, _type: string, payload: object) => jwsOf(payload),
  };
}

/** Extracts the grant ID from a code or a refresh token. */
export function extractGrantId(credential: string): GrantId {
  return credential.slice(4, 26) as GrantId;
}

/** Decodes the access token, an unsigned JWT that `createTokenGrants` has issued. */
export function decodeAccessToken({ access_token: token }: TokenResponse): Readonly<Record<string, unknown>> {
  return JSON.parse(token.slice(token.indexOf(' ') + 1)) as Readonly<Record<string, unknown>>;
}

/** Decodes the ID token; returns undefined if the response does not contain one. */
export function decodeIdToken({ id_token: token }: TokenResponse): Readonly<Record<string, unknown>> | undefined {
  if (token === undefined) return undefined;
  return JSON.parse(token.slice(token.indexOf(' ') + 1, token.lastIndexOf('.'))) as Readonly<Record<string, unknown>>;
}

/** Returns the refusal of a request. Throws if the request is not refused. */
export async function catchRefusal(request: Promise<unknown>): Promise<Refusal> {
  const result = await request.catch((error: unknown) => error);
  if (result instanceof OAuthError) return result.refusal;
  throw result instanceof Error ? result : new Error('the request is not refused');
}
