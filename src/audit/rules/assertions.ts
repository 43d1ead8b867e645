import type { EventOf } from '../../domain/events.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { finding, isSubset, type EventRule } from './rule.ts';

type RedeemedAssertion = EventOf<'AssertionRedeemed'>['data'];

/** The maximum time between a decision and its record. */
const TOLERANCE_SECONDS = 5;

function describeViolation(
  assertion: RedeemedAssertion,
  issuedAt: number,
  { trustedIssuers }: History,
): string | undefined {
  const { issuer, use, clientId, userId, mapping, scope, resource = [], expiresAt } = assertion;
  const settings = trustedIssuers.find(issuer)?.settings ?? null;
  if (settings === null) return `the issuer ${issuer} was not trusted`;
  if (!settings.uses.includes(use)) return `the issuer was not trusted for the use ${use}`;
  if (!settings.clients.some((client) => client.clientId === clientId))
    return `client ${clientId} may not present tokens of the issuer`;
  if (settings.subject.by !== mapping) return `the subject was looked up by ${mapping}, not by ${settings.subject.by}`;
  if ((mapping === 'client') !== (userId === null))
    return 'the subject is of a different kind than the mapping requires';
  if (!isSubset(scope, settings.scope)) return "the token has more scope than the issuer's record allows";
  const { resources } = settings;
  if (resources !== null && (resource.length === 0 || !isSubset(resource, resources)))
    return "the token is for resource servers that the issuer's record does not allow";
  const latestExpiry = issuedAt + settings.maxTokenLifetimeSeconds + TOLERANCE_SECONDS;
  return expiresAt > latestExpiry ? "the token has a longer lifetime than the issuer's record allows" : undefined;
}

/**
 * Checks that a token is recorded as `asserted` if and only if an assertion was redeemed earlier in its stream, and
 * that it is the only token for that assertion.
 */
function checkToken({ event: { type, data }, record: { stream } }: AuditedEvent, { grants, trustedIssuers }: History) {
  if (type !== 'AccessTokenIssued') return undefined;
  const assertion = trustedIssuers.assertionOf(stream);
  if (assertion === undefined) return data.asserted === undefined ? undefined : finding('no assertion was redeemed');
  const matchesAssertion =
    data.asserted === true &&
    data.userId === assertion.userId &&
    data.expiresAt === assertion.expiresAt &&
    isSubset(data.scope, assertion.scope);
  if (!matchesAssertion) return finding('the token differs from the redeemed assertion');
  return grants.inStream(stream)?.latestExpiry === 0 ? undefined : finding('the assertion already led to a token');
}

export const assertionRules: readonly EventRule[] = [
  {
    name: 'assertions-follow-a-trusted-issuer',
    description:
      'When an assertion is redeemed, its issuer is trusted for that use and client, and the token is within the ' +
      'limits of the record.',
    check({ event: { type, data }, record: { recordedAt } }, history) {
      if (type !== 'AssertionRedeemed') return undefined;
      const message = describeViolation(data, recordedAt / 1000, history);
      return message === undefined ? undefined : finding(message);
    },
  },
  {
    name: 'assertions-are-redeemed-once',
    description: 'No assertion is redeemed twice.',
    check: ({ event: { type, data } }, { credentials }) =>
      type === 'AssertionRedeemed' && credentials.has(data.assertionHash)
        ? finding('the assertion was already redeemed')
        : undefined,
  },
  {
    name: 'asserted-tokens-are-as-recorded',
    description:
      'The only token for a redeemed assertion has the recorded user and expiry and at most the recorded scope, and ' +
      'only such a token is recorded as issued for an assertion.',
    check: checkToken,
  },
];
