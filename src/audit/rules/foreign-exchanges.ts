import type { EventOf } from '../../domain/events.ts';
import type { History } from './history.ts';
import { finding, isSubset, type EventRule } from './rule.ts';

type Exchange = EventOf<'TokenExchanged'>['data'];
type ForeignToken = Extract<Exchange['parent'], { readonly issuer: string }>;

/** The maximum time between a decision and its record. */
const TOLERANCE_SECONDS = 5;

function describeViolation(
  { issuer, mapping }: ForeignToken,
  use: 'subject-token' | 'actor-token',
  userId: Exchange['userId'],
  exchangedAt: number,
  { clientId, scope, expiresAt }: Exchange,
  { trustedIssuers }: History,
): string | undefined {
  const settings = trustedIssuers.find(issuer)?.settings ?? null;
  if (settings === null) return `the issuer ${issuer} was not trusted`;
  if (!settings.uses.includes(use)) return `the issuer was not trusted for the use ${use}`;
  if (!settings.clients.some((client) => client.clientId === clientId))
    return `client ${clientId} may not present tokens of the issuer`;
  if (settings.subject.by !== mapping) return `the subject was looked up by ${mapping}, not by ${settings.subject.by}`;
  if ((mapping === 'client') !== (userId === null))
    return 'the subject is of a different kind than the mapping requires';
  if (!isSubset(scope, settings.scope)) return "the token has more scope than the issuer's record allows";
  const latestExpiry = exchangedAt + settings.maxTokenLifetimeSeconds + TOLERANCE_SECONDS;
  return expiresAt > latestExpiry ? "the token has a longer lifetime than the issuer's record allows" : undefined;
}

function describeResourceViolation(
  { parent, resource = [] }: Exchange,
  { trustedIssuers }: History,
): string | undefined {
  const resources = 'issuer' in parent ? (trustedIssuers.find(parent.issuer)?.settings?.resources ?? null) : null;
  return resources !== null && (resource.length === 0 || !isSubset(resource, resources))
    ? "the token is for resource servers that the issuer's record does not allow"
    : undefined;
}

export const foreignExchangeRules: readonly EventRule[] = [
  {
    name: 'exchanged-jwts-follow-a-trusted-issuer',
    description:
      'When a JWT from another issuer is presented as a subject token or actor token, that issuer is trusted for ' +
      "this use and client, and the exchanged token is within the limits of the issuer's record.",
    check({ event: { type, data }, record: { recordedAt } }, history) {
      if (type !== 'TokenExchanged') return undefined;
      const { parent, actor, userId } = data;
      const exchangedAt = recordedAt / 1000;
      const message =
        ('issuer' in parent
          ? describeViolation(parent, 'subject-token', userId, exchangedAt, data, history)
          : undefined) ??
        (actor !== undefined && 'issuer' in actor
          ? describeViolation(actor, 'actor-token', actor.userId, exchangedAt, data, history)
          : undefined) ??
        describeResourceViolation(data, history);
      return message === undefined ? undefined : finding(message);
    },
  },
];
