import type { EventOf } from '../../domain/events.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { grantStreamOf } from './history/exchanges.ts';
import type { GrantRecord } from './history/grants.ts';
import { findLimits } from './presented-tokens.ts';
import { finding, isSubset, lateViolation, type EventRule, type Violation } from './rule.ts';

type Details = NonNullable<EventOf<'AccessTokenIssued'>['data']['details']>;
type GrantedDetails = readonly { readonly type: string; readonly hash: string }[];

/** Returns a detail of the token that neither is in `grantedDetails` nor narrows one of the same type in it. */
function findUngranted(details: Details, grantedDetails: GrantedDetails): Details[number] | undefined {
  return details.find(
    ({ type, hash, narrows = hash }) =>
      !grantedDetails.some((grantedDetail) => grantedDetail.hash === narrows && grantedDetail.type === type),
  );
}

/**
 * Checks that each detail of a token is in the consent, or narrows one that is. The text of a narrowed detail is in the
 * token's event.
 */
function checkToken({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (type !== 'AccessTokenIssued' || data.details === undefined || data.exchanged === true) return undefined;
  const isClientToken = data.userId === null;
  const ungrantedDetail = isClientToken ? undefined : findUngranted(data.details, grant?.details ?? []);
  if (ungrantedDetail !== undefined) return finding(`a detail of the type ${ungrantedDetail.type} was not granted`);
  const misplacedDetail = data.details.find(
    ({ sealed, narrows }) => (sealed !== undefined) !== (isClientToken || narrows !== undefined),
  );
  const problem =
    misplacedDetail?.sealed === undefined
      ? 'is recorded without its text'
      : 'has its text here instead of in the consent';
  return misplacedDetail && finding(`a detail of the type ${misplacedDetail.type} ${problem}`);
}

/**
 * Checks that details only narrow along a chain. Their texts are encrypted, so only the server can compare them with
 * each other, or with the actor's.
 */
function checkExchange(
  { event: { type, data }, record: { stream } }: AuditedEvent,
  history: History,
): Violation | undefined {
  if (type !== 'AccessTokenIssued' || data.exchanged !== true) return undefined;
  const exchange = history.exchanges.inStream(stream);
  const { details = [] } = data;
  if (exchange === undefined) return undefined; // another rule reports it
  const [exchangeHashes, tokenHashes] = [exchange.details ?? [], details].map((list) => list.map(({ hash }) => hash));
  if (
    exchangeHashes === undefined ||
    tokenHashes === undefined ||
    !isSubset(exchangeHashes, tokenHashes) ||
    !isSubset(tokenHashes, exchangeHashes)
  )
    return finding('the details differ from those that the exchange describes');
  const { parent } = exchange;
  // A JWT from another issuer has no details. Another rule reports an unknown token.
  const grantedDetails = 'issuer' in parent ? [] : (findLimits(parent, history)?.details ?? details);
  const ungrantedDetail = findUngranted(details, grantedDetails);
  if (ungrantedDetail !== undefined)
    return finding(`a detail of the type ${ungrantedDetail.type} was not in the subject token`);
  const unreadableDetail = details.find(({ sealed }) => sealed === undefined);
  return unreadableDetail && finding(`a detail of the type ${unreadableDetail.type} is recorded without its text`);
}

function checkConsent({ event: { type, data } }: AuditedEvent, { grants }: History): Violation | undefined {
  if (type !== 'ConsentGiven') return undefined;
  const { details = [], requested, shown, basis, management } = data;
  const hashes = details.map(({ hash }) => hash);
  const updates = management?.action === 'merge' ? management.updates : undefined;
  const mergedDetails = (updates && grants.inStream(grantStreamOf(updates))?.details) ?? [];
  if (
    requested !== undefined &&
    !isSubset(
      hashes,
      [...(requested.details ?? []), ...mergedDetails].map(({ hash }) => hash),
    )
  )
    return finding('a detail was not requested');
  if (details.length > 0 && (basis === 'remembered' || basis === 'password'))
    return finding(`the consent has details, but its basis is ${basis}`);
  if (shown === undefined) return undefined;
  const [types, describedTypes] = [
    details.map((detail) => detail.type),
    (shown.details ?? []).map((detail) => detail.type),
  ];
  return isSubset(types, describedTypes) && isSubset(describedTypes, types)
    ? undefined
    : finding('the types of details that the page describes are not the granted types');
}

/**
 * Checks that exactly one resource server declares the type of each detail, and that the token is for it. A type that
 * two resource servers declare at the same time belongs to neither.
 */
function checkDeclarations(
  { event: { type, data }, record }: AuditedEvent,
  { resources }: History,
): Violation | undefined {
  if (type !== 'AccessTokenIssued') return undefined;
  for (const detail of data.details ?? []) {
    const { uris, changedAt } = resources.findDeclarers(detail.type);
    const [declarer, ...otherDeclarers] = uris;
    const isForDeclarer = declarer !== undefined && (data.resource === undefined || data.resource.includes(declarer));
    if (isForDeclarer && otherDeclarers.length === 0) continue;
    const message = `no resource server of the token is the only one that declares the type ${detail.type}`;
    return changedAt === null ? finding(message) : lateViolation(record, changedAt, message);
  }
  return undefined;
}

export const detailRules: readonly EventRule[] = [
  {
    name: 'details-never-widen',
    description:
      'An access token of a user has only authorization details that are in its consent or that narrow one of the ' +
      'same type; the encrypted text is in the consent, or in the event of the token that narrows it.',
    check: (auditedEvent, { grants }) => checkToken(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'details-narrow-along-chains',
    description:
      'Each authorization detail of an exchanged token is in the subject token, or narrows one of the same type; its ' +
      'encrypted text is beside it, and the exchange records the same details.',
    check: checkExchange,
  },
  {
    name: 'details-are-consented',
    description:
      'A consent grants only authorization details that were requested, or that the merged grant has, and none if it ' +
      'was remembered or given with a password; the text of the consent page describes exactly their types.',
    check: checkConsent,
  },
  {
    name: 'details-are-declared',
    description:
      'Exactly one resource server declares the type of each authorization detail of a token, and the token is for ' +
      'it; a violation up to a minute after a change to the declarations is a notice.',
    check: checkDeclarations,
  },
];
