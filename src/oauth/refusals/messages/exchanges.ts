import { message, type Text } from '../../../language/message.ts';
import { formatList } from '../list-text.ts';
import { modeName } from '../named-choices.ts';
import { credentialWithArticle } from '../credential-text.ts';
import type { ExchangeLimit } from '../../../domain/token-exchange.ts';
import { INVALID_EXCHANGED_TOKEN, type ExchangeRefusal, type SeenToken } from '../exchange-refusal.ts';
import type { RefusalOf } from '../refusal.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';
import { REVOCATION_CAUSES, eventValues } from './credentials.ts';
import { INVALID_BEARER_TOKEN } from './tokens.ts';

const LIMITS: Readonly<Record<ExchangeLimit, string>> = {
  subject: 'that of the subject token',
  actor: 'that of the actor token',
  policy: 'that of the exchange policy',
  exchange: 'what an exchanged token can have',
};

/** An unacceptable token makes the request invalid (RFC 8693 §2.2.2). */
const invalidRequest = (description: string) => wire('invalid_request', description);

const ISSUER_ADVICE = message('refusal.exchanges.issuer-advice');
const TYPE_ADVICE: Readonly<Partial<Record<SeenToken, Text>>> = {
  'refresh token': message('refusal.exchanges.type-advice.refresh-token'),
  JWT: message('refusal.exchanges.type-advice.jwt'),
  'JWT of another issuer': ISSUER_ADVICE,
};

const ID_TOKEN_PROBLEMS: Readonly<Record<RefusalOf<'exchange-id-token'>['problem'], Text>> = {
  'not-verified': message('refusal.exchanges.id-token-problems.not-verified'),
  'no-id': message('refusal.exchanges.id-token-problems.no-id'),
  expired: message('refusal.exchanges.id-token-problems.expired'),
  'not-newest': message('refusal.exchanges.id-token-problems.not-newest'),
  ended: message('refusal.exchanges.id-token-problems.ended'),
};

const ACTOR_ADVICE = message('refusal.exchanges.actor-advice');

/** Messages about token exchange (RFC 8693). */
export const EXCHANGE_MESSAGES: ProtocolMessagesFor<ExchangeRefusal['rule']> = {
  'exchange-policy-missing': () => ({
    wire: invalidRequest('no exchange policy allows this client to exchange the subject token'),
    rule: message('refusal.exchange-policy-missing.rule'),
    expected: message('refusal.exchange-policy-missing.expected'),
    seen: message('refusal.exchange-policy-missing.seen'),
    advice: message('refusal.exchange-policy-missing.advice'),
  }),
  'exchange-mode-not-allowed': ({ mode, allowed }) => ({
    wire: invalidRequest(`the exchange policy does not allow ${mode}`),
    rule: message('refusal.exchange-mode-not-allowed.rule'),
    expected: formatList(allowed.map(modeName)),
    seen: modeName(mode),
    advice:
      mode === 'delegation'
        ? message('refusal.exchange-mode-not-allowed.advice')
        : message('refusal.exchange-mode-not-allowed.advice-2'),
  }),
  'exchange-token-type': ({ parameter, declared, seen }) => ({
    wire: invalidRequest(`${parameter} is not of the type that ${parameter}_type declares`),
    rule: message('refusal.exchange-token-type.rule'),
    expected: credentialWithArticle(declared),
    seen: seen === 'JWT' ? message('refusal.exchange-token-type.seen') : credentialWithArticle(seen),
    advice: TYPE_ADVICE[seen] ?? message('refusal.exchange-token-type.advice'),
  }),
  'exchange-id-token': ({ parameter, problem }) => ({
    wire: invalidRequest(INVALID_EXCHANGED_TOKEN[parameter]),
    rule: message('refusal.exchange-id-token.rule'),
    expected: message('refusal.exchange-id-token.expected'),
    seen: ID_TOKEN_PROBLEMS[problem],
    advice: message('refusal.exchange-id-token.advice'),
  }),
  'exchange-may-act': () => ({
    wire: invalidRequest('may_act in the subject_token does not allow the actor'),
    rule: message('refusal.exchange-may-act.rule'),
    expected: message('refusal.exchange-may-act.expected'),
    seen: message('refusal.exchange-may-act.seen'),
    advice: message('refusal.exchange-may-act.advice'),
  }),
  'exchange-chain-ended': ({ reason, revoked }) => ({
    wire: INVALID_BEARER_TOKEN,
    rule: message('refusal.exchange-chain-ended.rule'),
    expected: message('refusal.exchange-chain-ended.expected'),
    seen:
      reason === null
        ? message('refusal.exchange-chain-ended.seen')
        : message('refusal.exchange-chain-ended.seen-2', {
            revocationCause: REVOCATION_CAUSES[reason],
            ...eventValues(revoked),
          }),
    advice: message('refusal.exchange-chain-ended.advice'),
  }),
  'exchange-type-alone': () => ({
    wire: invalidRequest('actor_token_type must not be sent without actor_token'),
    rule: message('refusal.exchange-type-alone.rule'),
    expected: message('refusal.exchange-type-alone.expected'),
    seen: message('refusal.exchange-type-alone.seen'),
    advice: message('refusal.exchange-type-alone.advice'),
  }),
  'exchange-format': ({ seen }) => ({
    wire: invalidRequest('the access token would not be a JWT; leave out requested_token_type'),
    rule: message('refusal.exchange-format.rule'),
    expected: message('refusal.exchange-format.expected'),
    seen: message('refusal.exchange-format.seen', { seen }),
    advice: message('refusal.exchange-format.advice'),
  }),
  'exchange-actor-of-another-client': () => ({
    wire: invalidRequest('the actor_token was issued to another client'),
    rule: message('refusal.exchange-actor-of-another-client.rule'),
    expected: message('refusal.exchange-actor-of-another-client.expected'),
    seen: message('refusal.exchange-actor-of-another-client.seen'),
    advice: ACTOR_ADVICE,
  }),
  'exchange-actor-exchanged': () => ({
    wire: invalidRequest('the actor_token is an exchanged token'),
    rule: message('refusal.exchange-actor-exchanged.rule'),
    expected: message('refusal.exchange-actor-exchanged.expected'),
    seen: message('refusal.exchange-actor-exchanged.seen'),
    advice: ACTOR_ADVICE,
  }),
  'exchange-actor-is-subject': () => ({
    wire: invalidRequest('the actor is the subject'),
    rule: message('refusal.exchange-actor-is-subject.rule'),
    expected: message('refusal.exchange-actor-is-subject.expected'),
    seen: message('refusal.exchange-actor-is-subject.seen'),
    advice: message('refusal.exchange-actor-is-subject.advice'),
  }),
  'exchange-actor-repeated': () => ({
    wire: invalidRequest('the actor is already an actor in this chain'),
    rule: message('refusal.exchange-actor-repeated.rule'),
    expected: message('refusal.exchange-actor-repeated.expected'),
    seen: message('refusal.exchange-actor-repeated.seen'),
    advice: message('refusal.exchange-actor-repeated.advice'),
  }),
  'exchange-client-repeated': () => ({
    wire: invalidRequest('this client has already exchanged a token in this chain'),
    rule: message('refusal.exchange-client-repeated.rule'),
    expected: message('refusal.exchange-client-repeated.expected'),
    seen: message('refusal.exchange-client-repeated.seen'),
    advice: message('refusal.exchange-client-repeated.advice'),
  }),
  'exchange-chain-too-deep': () => ({
    wire: invalidRequest('the subject token is the result of too many exchanges'),
    rule: message('refusal.exchange-chain-too-deep.rule'),
    expected: message('refusal.exchange-chain-too-deep.expected'),
    seen: message('refusal.exchange-chain-too-deep.seen'),
    advice: message('refusal.exchange-chain-too-deep.advice'),
  }),
  'exchange-not-bound': () => ({
    wire: invalidRequest(
      'the subject token is bound to a key or certificate: prove possession of a key or certificate of this client',
    ),
    rule: message('refusal.exchange-not-bound.rule'),
    expected: message('refusal.exchange-not-bound.expected'),
    seen: message('refusal.exchange-not-bound.seen'),
    advice: message('refusal.exchange-not-bound.advice'),
  }),
  'exchange-second-factor': () => ({
    wire: invalidRequest('this client requires a login with a second factor'),
    rule: message('refusal.exchange-second-factor.rule'),
    expected: message('refusal.exchange-second-factor.expected'),
    seen: message('refusal.exchange-second-factor.seen'),
    advice: message('refusal.exchange-second-factor.advice'),
  }),
  'exchange-too-many': ({ limit }) => ({
    wire: invalidRequest('too many exchanged tokens from one authorization are still valid'),
    rule: message('refusal.exchange-too-many.rule'),
    expected: message('refusal.exchange-too-many.expected', { limit }),
    seen: message('refusal.exchange-too-many.seen', { limit }),
    advice: message('refusal.exchange-too-many.advice'),
  }),
  'exchange-token-ended': ({ parameter }) => ({
    wire: invalidRequest(INVALID_EXCHANGED_TOKEN[parameter]),
    rule: message('refusal.exchange-token-ended.rule'),
    expected: message('refusal.exchange-token-ended.expected'),
    seen: message('refusal.exchange-token-ended.seen'),
    advice: message('refusal.exchange-token-ended.advice'),
  }),
  'exchange-resource-removed': ({ parameter }) => ({
    wire: invalidRequest(INVALID_EXCHANGED_TOKEN[parameter]),
    rule: message('refusal.exchange-resource-removed.rule'),
    expected: message('refusal.exchange-resource-removed.expected'),
    seen: message('refusal.exchange-resource-removed.seen'),
    advice: message('refusal.exchange-resource-removed.advice'),
  }),
  'exchange-scope-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_scope', `scope exceeds ${LIMITS[limit]}`),
    rule:
      limit === 'exchange'
        ? message('refusal.exchange-scope-beyond.rule')
        : message('refusal.exchange-scope-beyond.rule-2'),
    expected: message('refusal.exchange-scope-beyond.expected', { allowed: formatList(allowed) }),
    seen: message('refusal.exchange-scope-beyond.seen', { missing: formatList(missing) }),
    advice: message('refusal.exchange-scope-beyond.advice'),
  }),
  'exchange-resource-beyond': ({ limit, missing, allowed }) => ({
    wire: wire('invalid_target', `resource or audience exceeds ${LIMITS[limit]}`),
    rule: message('refusal.exchange-resource-beyond.rule'),
    expected: formatList(allowed),
    seen: message('refusal.exchange-resource-beyond.seen', { missing: formatList(missing) }),
    advice: message('refusal.exchange-resource-beyond.advice'),
  }),
  'exchange-details-beyond': ({ limit, type, allowed }) => ({
    wire: wire('invalid_authorization_details', `authorization_details exceeds ${LIMITS[limit]}`),
    rule: message('refusal.exchange-details-beyond.rule'),
    expected:
      allowed.length === 0
        ? message('refusal.exchange-details-beyond.expected')
        : message('refusal.exchange-details-beyond.expected-2', { allowed: formatList(allowed) }),
    seen: message('refusal.exchange-details-beyond.seen', { type }),
    advice: message('refusal.exchange-details-beyond.advice'),
  }),
  'exchange-no-details-left': () => ({
    wire: wire('invalid_authorization_details', 'no authorization detail of the subject token can be exchanged'),
    rule: message('refusal.exchange-no-details-left.rule'),
    expected: message('refusal.exchange-no-details-left.expected'),
    seen: message('refusal.exchange-no-details-left.seen'),
    advice: message('refusal.exchange-no-details-left.advice'),
  }),
  'exchange-no-scope-left': () => ({
    wire: wire('invalid_scope', 'the subject token, the actor token and the exchange policy have no scope in common'),
    rule: message('refusal.exchange-no-scope-left.rule'),
    expected: message('refusal.exchange-no-scope-left.expected'),
    seen: message('refusal.exchange-no-scope-left.seen'),
    advice: message('refusal.exchange-no-scope-left.advice'),
  }),
  'exchange-no-resource-left': () => ({
    wire: wire('invalid_target', 'the subject token and the exchange policy have no resource server in common'),
    rule: message('refusal.exchange-no-resource-left.rule'),
    expected: message('refusal.exchange-no-resource-left.expected'),
    seen: message('refusal.exchange-no-resource-left.seen'),
    advice: message('refusal.exchange-no-resource-left.advice'),
  }),
};
