import type { Grant } from '../../domain/authorization-grant.ts';
import type { Login } from '../../domain/events.ts';
import { accountAsRead, clientAsRead, grantStream, sessionStream } from '../../domain/streams.ts';
import type { ActorToken, EarlierExchange, SubjectToken } from '../../domain/token-exchange.ts';
import type { ClientId, EpochSeconds, GrantId } from '../../domain/values.ts';
import type { ObservedRevision, Revision, StreamName } from '../../event-store/event-log.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Users } from '../../projections/users.ts';
import { isJwt, parseAccessToken } from '../credentials/credentials.ts';
import type { IssuedDetails } from '../details/presented-details.ts';
import type { PresentedTokens } from '../credentials/presented-tokens.ts';
import type { LookAgain } from '../credentials/unknown-credentials.ts';
import { OAuthError, oauthError } from '../endpoints/errors.ts';
import { requireParameter, type Parameters } from '../endpoints/parameters.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import type { PostMortem } from '../grant-types/post-mortem.ts';
import { ID_TOKEN_TYPE } from '../openid/id-token.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { INVALID_EXCHANGED_TOKEN, type ExchangedParameter } from '../refusals/exchange-refusal.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { knownKeywords } from '../refusals/sanitize.ts';
import { TOKEN_TYPES } from './token-types.ts';

/** The tokens of an exchange that are valid at present. */
export interface PresentedSubjects {
  readonly subject: SubjectToken;
  readonly actor: ActorToken | undefined;
  /** The streams of everything that the tokens depend on, so that an exchange is outdated as soon as one ends. */
  readonly basedOn: readonly ObservedRevision[];
  /** Whether the tokens are still valid, for the turn in which the exchange is recorded. */
  isStillValid(): boolean;
  /** Why the subject token is not valid any more. */
  ended(): Promise<OAuthError>;
}

/** @throws OAuthError a parameter is missing or has another type, or a token is not valid */
export type ReadSubjects = (
  parameters: Parameters,
  now: EpochSeconds,
  mayExchange: MayExchange,
) => Promise<PresentedSubjects>;

/** Whether the client may know why a token of the other client has ended. */
type MayExchange = (clientId: ClientId) => boolean;

export function createReadSubjects(parts: {
  readonly grants: Pick<GrantCommands, 'observe'>;
  readonly sessions: { observe(stream: StreamName): Promise<{ readonly revision: Revision | undefined }> };
  readonly presentedTokens: PresentedTokens;
  readonly exchanges: Pick<Exchanges, 'ancestry'>;
  readonly issuedDetails: IssuedDetails;
  readonly logins: Pick<Grants, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Pick<Users, 'find'>;
  readonly postMortem: Pick<PostMortem, 'deadAccessToken'>;
  /** For tokens that another node may just have issued. */
  readonly lookAgain?: LookAgain | undefined;
}): ReadSubjects {
  const { grants, sessions, presentedTokens, exchanges, issuedDetails, logins, clients, users, postMortem, lookAgain } =
    parts;

  /** The explanation is that of a bearer token, with the error of a token exchange (RFC 8693 §2.2.2). */
  async function invalid(
    parameter: ExchangedParameter,
    value: string,
    now: EpochSeconds,
    mayExchange: MayExchange,
  ): Promise<OAuthError> {
    const { refusal, clientId } = await postMortem.deadAccessToken(value, now);
    return new OAuthError('invalid_request', INVALID_EXCHANGED_TOKEN[parameter], explain());

    function explain(): ProtocolRefusal {
      if (clientId !== null && !mayExchange(clientId as ClientId)) return { rule: 'exchange-token-ended', parameter };
      return refusal.rule === 'token-for-other-resource' ? { rule: 'exchange-resource-removed', parameter } : refusal;
    }
  }

  async function find(value: string, now: EpochSeconds): Promise<AccessToken | undefined> {
    const found = await presentedTokens.find(value, now);
    if (found !== undefined || (await lookAgain?.(value)) !== true) return found;
    return presentedTokens.find(value, now);
  }

  async function readToken(
    parameters: Parameters,
    parameter: ExchangedParameter,
    now: EpochSeconds,
    mayExchange: MayExchange,
  ) {
    const value = requireParameter(parameters, parameter);
    requireType(parameters, parameter, value);
    const token = await find(value, now);
    const tokenHash = parseAccessToken(value);
    if (token === undefined || tokenHash === undefined) throw await invalid(parameter, value, now, mayExchange);
    return { value, token: { ...token, details: issuedDetails(tokenHash, token)?.details }, tokenHash };
  }

  function earlierExchange({ grantId }: AccessToken): EarlierExchange | undefined {
    const ancestry = exchanges.ancestry(grantId);
    const [newest] = ancestry;
    if (newest === undefined) return undefined;
    const { depth, chain, root } = newest;
    return { depth, chain, root, clients: ancestry.map(({ clientId }) => clientId) };
  }

  const loginBehind = ({ grantId }: AccessToken): Login | undefined =>
    (exchanges.ancestry(grantId)[0] ?? logins.find(grantId))?.login;

  /** The grant of a token, and those that the grants of its chain and their actors depend on. */
  function grantsBehind({ grantId }: AccessToken): readonly GrantId[] {
    const above = exchanges.ancestry(grantId).flatMap(({ parent, actor }) => [parent, actor ?? []].flat());
    return [grantId, ...above.map((each) => each.grantId)];
  }

  /** The clients and accounts that end the grants of a token when they end. */
  function partiesBehind({ grantId, clientId, userId }: AccessToken): readonly ObservedRevision[] {
    const above = exchanges.ancestry(grantId);
    const parties = [{ clientId, userId }, ...above.flatMap(({ parent, actor }) => [parent, actor ?? []].flat())];
    return parties.flatMap((party) => {
      const client = clients.find(party.clientId);
      const user = 'userId' in party && party.userId !== null ? users.find(party.userId) : undefined;
      return [client === undefined ? [] : clientAsRead(client), user === undefined ? [] : accountAsRead(user)].flat();
    });
  }

  /** The sessions with which the grants of a token and its actors end. */
  async function sessionsBehind(token: AccessToken): Promise<readonly ObservedRevision[]> {
    const hashes = grantsBehind(token).flatMap((grantId) => logins.find(grantId)?.endsWith?.sessionHash ?? []);
    const streams = [...new Set(hashes)].map(sessionStream);
    const observed = await Promise.all(
      streams.map(async (stream) => ({ stream, ...(await sessions.observe(stream)) })),
    );
    return observed.flatMap(({ stream, revision }) => (revision === undefined ? [] : [{ stream, revision }]));
  }

  /** Undefined if one of the grants was revoked. */
  async function observe(grantIds: readonly GrantId[]): Promise<readonly ObservedRevision[] | undefined> {
    const streams = [...new Set(grantIds)].map(grantStream);
    const observed = await Promise.all(streams.map(async (stream) => ({ stream, ...(await grants.observe(stream)) })));
    const active = observed.flatMap(({ stream, state, revision }) =>
      revision !== undefined && isActive(state) ? [{ stream, revision }] : [],
    );
    return active.length < observed.length ? undefined : active;
  }

  return async (parameters, now, mayExchange) => {
    const presented = await readToken(parameters, 'subject_token', now, mayExchange);
    const actorType = parameters.get('actor_token_type');
    if (actorType !== undefined && parameters.get('actor_token') === undefined)
      throw oauthError({ rule: 'exchange-type-alone' });
    const acting =
      parameters.get('actor_token') === undefined
        ? undefined
        : await readToken(parameters, 'actor_token', now, mayExchange);
    const all = [presented, acting ?? []].flat();
    const active = await observe(all.flatMap(({ token }) => grantsBehind(token)));
    const sessionsRead = await Promise.all(all.map(({ token }) => sessionsBehind(token)));
    const isStillValid = (): boolean => all.every(({ value }) => presentedTokens.findAgain(value, now) !== undefined);
    const ended = async (): Promise<OAuthError> =>
      acting === undefined || presentedTokens.findAgain(presented.value, now) === undefined
        ? invalid('subject_token', presented.value, now, mayExchange)
        : invalid('actor_token', acting.value, now, mayExchange);
    if (active === undefined || !isStillValid()) throw await ended();
    const basedOn = [...active, ...sessionsRead.flat(), ...all.flatMap(({ token }) => partiesBehind(token))];
    const exchange = earlierExchange(presented.token);
    return {
      subject: {
        ...presented.token,
        tokenHash: presented.tokenHash,
        tokenType: 'access_token',
        login: loginBehind(presented.token),
        exchange,
      },
      actor: acting && { ...acting.token, tokenHash: acting.tokenHash, isExchanged: acting.token.exchanged === true },
      basedOn,
      isStillValid,
      ended,
    };
  };
}

const isActive = ({ status }: Pick<Grant, 'status'>): boolean => status === 'open' || status === 'redeemed';

/** @throws OAuthError the type is missing or unsupported, or the token has another one */
function requireType(parameters: Parameters, parameter: ExchangedParameter, value: string): void {
  const name = `${parameter}_type` as const;
  const type = requireParameter(parameters, name);
  if (type !== TOKEN_TYPES.accessToken) {
    const seen = knownKeywords(type);
    throw oauthError({
      rule: 'parameter-value',
      parameter: name,
      allowed: [TOKEN_TYPES.accessToken],
      seen,
      length: type.length,
    });
  }
  const seen = isIdToken(value) ? 'ID token' : credentialForm(value);
  if (seen === 'access token' || seen === 'JWT' || seen === 'other' || seen === 'incomplete') return;
  throw oauthError({ rule: 'exchange-token-type', parameter, declared: 'access token', seen });
}

/** By its header, which says what it is. */
function isIdToken(value: string): boolean {
  if (!isJwt(value)) return false;
  try {
    const header: unknown = JSON.parse(Buffer.from(value.slice(0, value.indexOf('.')), 'base64url').toString());
    return typeof header === 'object' && header !== null && 'typ' in header && header.typ === ID_TOKEN_TYPE;
  } catch {
    return false;
  }
}
