import type { ExchangeLimit } from '../../../domain/token-exchange.ts';
import { INVALID_EXCHANGED_TOKEN, type ExchangeRefusal, type SeenToken } from '../exchange-refusal.ts';
import type { RefusalOf } from '../refusal.ts';
import { formatList, wire, type ProtocolMessagesFor } from '../messages.ts';
import { REVOCATION_CAUSES, timeAgo } from './credentials.ts';
import { INVALID_BEARER_TOKEN } from './tokens.ts';

const LIMITS: Readonly<Record<ExchangeLimit, string>> = {
  subject: 'the subject token',
  actor: 'the actor token',
  policy: 'the exchange policy',
  exchange: 'an exchanged token',
};

/** RFC 8693 §2.2.2: a token that is not acceptable makes the request invalid. */
const refused = (description: string) => wire('invalid_request', description);

const withArticle = (token: string): string => `${/^(?:access|authorization|ID)/.test(token) ? 'an' : 'a'} ${token}`;

const ISSUER_ADVICE = 'A JWT of another issuer is declared as urn:ietf:params:oauth:token-type:jwt.';
const TYPE_ADVICE: Readonly<Partial<Record<SeenToken, string>>> = {
  'refresh token': 'Refresh it first, and send the access token. A refresh token is for the token endpoint alone.',
  JWT:
    'An access token of this server is declared as urn:ietf:params:oauth:token-type:access_token, ' +
    'also if it is a JWT.',
  'JWT of another issuer': ISSUER_ADVICE,
};

const ID_TOKEN_PROBLEMS: Readonly<Record<RefusalOf<'exchange-id-token'>['problem'], string>> = {
  'not-verified': 'one whose signature or content is not of this server',
  'no-id': 'one of an earlier release, which does not name its authorization',
  expired: 'one that has expired',
  'not-newest': 'an earlier one: a refresh has issued another',
  ended: 'one whose authorization has ended',
};

const ACTOR_ADVICE = 'Send a token that this client got for itself, or for another user, as actor_token.';

/** The exchange of tokens (RFC 8693). */
export const EXCHANGE_MESSAGES: ProtocolMessagesFor<ExchangeRefusal['rule']> = {
  'exchange-policy-missing': () => ({
    wire: refused('no exchange policy lets this client exchange tokens of the client of the subject token'),
    rule: 'A client exchanges tokens of another one, or its own, only if a policy for the two allows it.',
    expected: 'an exchange policy for this client and the client of the subject token',
    seen: 'none',
    advice: 'Ask an administrator: grantlog exchange-policy set, or the page Token exchange.',
  }),
  'exchange-mode-not-allowed': ({ mode, allowed }) => ({
    wire: refused(`the exchange policy does not allow ${mode}`),
    rule: 'Without an actor_token, an exchange is impersonation, and with one, delegation (RFC 8693 §1.1).',
    expected: formatList(allowed),
    seen: mode,
    advice:
      mode === 'delegation'
        ? 'Leave out actor_token, or ask an administrator to change the policy.'
        : 'Send a token of this client as actor_token, or ask an administrator to change the policy.',
  }),
  'exchange-token-type': ({ parameter, declared, seen }) => ({
    wire: refused(`${parameter} is not of the type that ${parameter}_type declares`),
    rule:
      'A token is of the declared type: an access token or an ID token of this server, or a JWT of another issuer ' +
      '(RFC 8693 §3).',
    expected: withArticle(declared),
    seen: seen === 'JWT' ? 'an access token or another JWT of this server' : withArticle(seen),
    advice: TYPE_ADVICE[seen] ?? 'Send the token unchanged, with its own type.',
  }),
  'exchange-id-token': ({ parameter, problem }) => ({
    wire: refused(INVALID_EXCHANGED_TOKEN[parameter]),
    rule: 'An ID token of this server is exchanged while it is the newest of its authorization and has not expired.',
    expected: 'the ID token beside the newest access token of its authorization',
    seen: ID_TOKEN_PROBLEMS[problem],
    advice: 'Send the newest ID token, or the access token that was issued beside it, with its type.',
  }),
  'exchange-may-act': () => ({
    wire: refused('may_act of the subject_token does not name the actor'),
    rule: 'A subject token with may_act can be exchanged only by the party that it names (RFC 8693 §4.4).',
    expected: 'a may_act whose iss, sub and client_id are those of the actor, and without other members',
    seen: 'another party, or members that this server cannot compare',
    advice:
      'Let the issuer name the client_id of this client, or the sub and iss of the actor. Without iss, sub is one of ' +
      'the issuer of the subject token. Without actor_token, the client itself acts.',
  }),
  'exchange-chain-ended': ({ reason, revoked }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: 'An exchanged token ends with every grant above it, and with the grant of its actor.',
    expected: 'a chain of active grants',
    seen:
      reason === null
        ? 'the session, the account or an application that the chain depends on has ended, or one is disabled'
        : `a grant of the chain was revoked ${REVOCATION_CAUSES[reason]}${timeAgo(revoked)}`,
    advice: 'Start again from a new token of the user or client.',
  }),
  'exchange-type-alone': () => ({
    wire: refused('actor_token_type must not be sent without actor_token'),
    rule: 'actor_token_type describes actor_token (RFC 8693 §2.1).',
    expected: 'both, or neither',
    seen: 'only actor_token_type',
    advice: 'Send actor_token, or leave out its type.',
  }),
  'exchange-format': ({ seen }) => ({
    wire: refused('requested_token_type: the access token would not be a JWT; leave it out'),
    rule: 'The client and its resource servers determine the format of an access token.',
    expected: 'a client or a resource server with JWT access tokens',
    seen: `${seen} access tokens`,
    advice: 'Leave out requested_token_type, or change the format of the client or of the resource server.',
  }),
  'exchange-actor-of-another-client': () => ({
    wire: refused('the actor_token was issued to another client'),
    rule: 'A client can name only itself, or a user who uses it, as the actor.',
    expected: 'a token that was issued to this client',
    seen: 'one that was issued to another client',
    advice: ACTOR_ADVICE,
  }),
  'exchange-actor-exchanged': () => ({
    wire: refused('the actor_token was exchanged itself'),
    rule: 'An actor token is not exchanged, so that each chain depends on a few grants only.',
    expected: 'a token that this client got without an exchange',
    seen: 'an exchanged token',
    advice: ACTOR_ADVICE,
  }),
  'exchange-actor-is-subject': () => ({
    wire: refused('the actor is the subject'),
    rule: 'With delegation, somebody else acts for the subject (RFC 8693 §1.1).',
    expected: 'an actor other than the subject',
    seen: 'the same user or client',
    advice: 'Leave out actor_token if the policy allows impersonation, or send a token of another party.',
  }),
  'exchange-actor-repeated': () => ({
    wire: refused('the actor acts in this chain already'),
    rule: 'Nobody acts twice in a chain of delegations.',
    expected: 'an actor that is not in the chain',
    seen: 'one of its actors',
    advice: 'Use the token that this actor got before.',
  }),
  'exchange-client-repeated': () => ({
    wire: refused('this client has exchanged a token of this chain before'),
    rule: 'A client exchanges at most once in a chain, so that no chain becomes a circle.',
    expected: 'a token of a chain in which this client has not exchanged one',
    seen: 'a token of a chain in which it has',
    advice: 'Use the token that this client got from the earlier exchange, or start from a token of the user.',
  }),
  'exchange-chain-too-deep': () => ({
    wire: refused('the subject token has been exchanged too often'),
    rule: 'The number of exchanges in a chain is limited.',
    expected: 'at most four exchanges',
    seen: 'a token that was exchanged four times',
    advice: 'Let an earlier client of the chain exchange its token for the last one.',
  }),
  'exchange-not-bound': () => ({
    wire: refused('the subject token is bound to a key or certificate: prove the possession of one of this client'),
    rule: 'A token that only the holder of a key can use is exchanged for another such token.',
    expected: 'a DPoP proof or a client certificate of this client, to which the new token is bound',
    seen: 'neither',
    advice: 'Send a DPoP proof with the request (RFC 9449 §5), or authenticate with a certificate.',
  }),
  'exchange-second-factor': () => ({
    wire: refused('this client needs a login with a second factor'),
    rule: 'An application that requires a second factor gets no token of a user who logged in without one.',
    expected: 'a subject token of a login with a second factor or a passkey',
    seen: 'one of a login with the password alone, or of a login that is not recorded',
    advice: 'Let the user log in again with two steps at the first application: request acr_values=mfa there.',
  }),
  'exchange-too-many': ({ limit }) => ({
    wire: wire('invalid_request', 'too many valid tokens were exchanged from one authorization'),
    rule: 'The number of valid tokens that were exchanged from one authorization is limited.',
    expected: `at most ${limit} at the same time`,
    seen: `${limit}`,
    advice: 'Keep the token and use it until it expires. Shorter lifetimes of resource servers allow more exchanges.',
  }),
  'exchange-token-ended': ({ parameter }) => ({
    wire: refused(INVALID_EXCHANGED_TOKEN[parameter]),
    rule: 'A token is exchanged as long as it is valid.',
    expected: 'a valid token',
    seen: 'one that has ended, of an application whose tokens this one must not exchange',
    advice: 'Get a new token from the application that sent it. Its owners can see why it ended.',
  }),
  'exchange-resource-removed': ({ parameter }) => ({
    wire: refused(INVALID_EXCHANGED_TOKEN[parameter]),
    rule: 'A token ends with the last of its resource servers.',
    expected: 'a token for a resource server that this server knows',
    seen: 'one whose resource servers were removed',
    advice: 'Get a token for another resource server, or ask an administrator to register the old one again.',
  }),
  'exchange-scope-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_scope', `scope exceeds that of ${LIMITS[limit]}`),
    rule:
      limit === 'exchange'
        ? 'Scopes of OpenID Connect and restricted scopes are for the client that got them.'
        : 'An exchanged token has no scope that its subject token, its actor token or the policy lacks.',
    expected: `some of: ${formatList(allowed)}`,
    seen: `also ${formatList(missing)}`,
    advice: 'Leave out scope to get everything that is possible, or request less.',
  }),
  'exchange-resource-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_target', `resource or audience exceeds that of ${LIMITS[limit]}`),
    rule: 'An exchanged token is for no resource server that its subject token or the policy lacks.',
    expected: formatList(allowed),
    seen: `also ${formatList(missing)}`,
    advice: 'Name fewer resource servers, or get a subject token that is for all of them.',
  }),
  'exchange-details-beyond': ({ limit, type, allowed }) => ({
    wire: wire('invalid_authorization_details', `authorization_details exceeds that of ${LIMITS[limit]}`),
    rule:
      'Each detail of an exchanged token is one of its subject token, or narrows it: each list of texts to a part of ' +
      'it, and nothing else. If the actor token has details, too, it is also within one of those.',
    expected: allowed.length === 0 ? 'no authorization_details' : `a part of a detail: ${formatList(allowed)}`,
    seen: `more, in a detail of the type ${type}`,
    advice: 'Leave out authorization_details to get everything that is possible, or request less.',
  }),
  'exchange-no-details-left': () => ({
    wire: wire('invalid_authorization_details', 'no authorization detail of the subject token can be exchanged'),
    rule:
      'A token without scope needs a detail: of a type that its resource servers declare and that the application ' +
      'may use, and within a detail of the actor token if that has any.',
    expected: 'a detail of the subject token that is left',
    seen: 'none',
    advice:
      'Name the resource server that declares the type as audience, add the type to the registration of the ' +
      'application, or get an actor token for it.',
  }),
  'exchange-no-scope-left': () => ({
    wire: wire('invalid_scope', 'subject token, actor token and exchange policy have no scope in common'),
    rule: 'An exchanged token has the scopes that all of them have.',
    expected: 'a scope that all of them have',
    seen: 'none',
    advice: 'Get a subject token with more scopes, or ask an administrator to change the policy.',
  }),
  'exchange-no-resource-left': () => ({
    wire: wire('invalid_target', 'subject token and exchange policy have no resource server in common'),
    rule: 'An exchanged token is for the resource servers that both allow.',
    expected: 'a resource server that both allow',
    seen: 'none',
    advice: 'Get a subject token for another resource server, or ask an administrator to change the policy.',
  }),
};
