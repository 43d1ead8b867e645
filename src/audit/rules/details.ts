import type { EventOf } from '../../domain/events.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { grantStreamOf } from './history/exchanges.ts';
import type { GrantRecord } from './history/grants.ts';
import { limitsOf } from './presented-tokens.ts';
import { finding, isSubset, lateViolation, type EventRule, type Violation } from './rule.ts';

type Details = NonNullable<EventOf<'AccessTokenIssued'>['data']['details']>;
type GrantedDetails = readonly { readonly type: string; readonly hash: string }[];

/** Returns a detail of the token that is not in `granted` and does not narrow one of the same type. */
function findUngranted(details: Details, granted: GrantedDetails): Details[number] | undefined {
  return details.find(
    ({ type, hash, narrows = hash }) => !granted.some((one) => one.hash === narrows && one.type === type),
  );
}

/**
 * Checks that each detail of a token is one of its consent, or narrows one. The text of a narrowed detail is in the
 * event of the token.
 */
function checkToken({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  if (type !== 'AccessTokenIssued' || data.details === undefined || data.exchanged === true) return undefined;
  const isClientToken = data.userId === null;
  const ungranted = isClientToken ? undefined : findUngranted(data.details, grant?.details ?? []);
  if (ungranted !== undefined) return finding(`a detail of the type ${ungranted.type} that was not granted`);
  const misplaced = data.details.find(
    ({ sealed, narrows }) => (sealed !== undefined) !== (isClientToken || narrows !== undefined),
  );
  const problem = misplaced?.sealed === undefined ? 'without its text' : 'whose text belongs in the consent';
  return misplaced && finding(`a detail of the type ${misplaced.type} ${problem}`);
}

/**
 * Checks that details only narrow along a chain. Their texts are encrypted, so only the server can compare them with
 * each other, or with those of the actor.
 */
function checkExchanged(
  { event: { type, data }, recorded: { stream } }: AuditedEvent,
  history: History,
): Violation | undefined {
  if (type !== 'AccessTokenIssued' || data.exchanged !== true) return undefined;
  const exchange = history.exchanges.inStream(stream);
  const { details = [] } = data;
  if (exchange === undefined) return undefined; // another rule reports it
  const [exchangeHashes, tokenHashes] = [exchange.details ?? [], details].map((each) => each.map(({ hash }) => hash));
  if (
    exchangeHashes === undefined ||
    tokenHashes === undefined ||
    !isSubset(exchangeHashes, tokenHashes) ||
    !isSubset(tokenHashes, exchangeHashes)
  )
    return finding('details that differ from those that the exchange describes');
  const { parent } = exchange;
  // A JWT from another issuer has no details. Another rule reports an unknown token.
  const granted = 'issuer' in parent ? [] : (limitsOf(parent, history)?.details ?? details);
  const ungranted = findUngranted(details, granted);
  if (ungranted !== undefined)
    return finding(`a detail of the type ${ungranted.type} that was not in its subject token`);
  const unreadable = details.find(({ sealed }) => sealed === undefined);
  return unreadable && finding(`a detail of the type ${unreadable.type} without its text`);
}

function checkConsent({ event: { type, data } }: AuditedEvent, { grants }: History): Violation | undefined {
  if (type !== 'ConsentGiven') return undefined;
  const { details = [], requested, shown, basis, management } = data;
  const hashes = details.map(({ hash }) => hash);
  const updates = management?.action === 'merge' ? management.updates : undefined;
  const merged = (updates && grants.inStream(grantStreamOf(updates))?.details) ?? [];
  if (
    requested !== undefined &&
    !isSubset(
      hashes,
      [...(requested.details ?? []), ...merged].map(({ hash }) => hash),
    )
  )
    return finding('a detail that was not requested');
  if (details.length > 0 && (basis === 'remembered' || basis === 'password'))
    return finding(`details, but the basis of the consent is ${basis}`);
  if (shown === undefined) return undefined;
  const [types, described] = [details.map((each) => each.type), (shown.details ?? []).map((each) => each.type)];
  return isSubset(types, described) && isSubset(described, types)
    ? undefined
    : finding('the text of the page describes different types of details from those that were granted');
}

/**
 * Checks that exactly one resource server declares the type of each detail, and that the token is for it. A type that
 * two resource servers declare at the same time belongs to neither.
 */
function checkDeclared(
  { event: { type, data }, recorded }: AuditedEvent,
  { resources }: History,
): Violation | undefined {
  if (type !== 'AccessTokenIssued') return undefined;
  for (const detail of data.details ?? []) {
    const { uris, changedAt } = resources.declarersOf(detail.type);
    const [declarer, ...others] = uris;
    const isForDeclarer = declarer !== undefined && (data.resource === undefined || data.resource.includes(declarer));
    if (isForDeclarer && others.length === 0) continue;
    const message = `no resource server of the token declares the type ${detail.type} alone`;
    return changedAt === null ? finding(message) : lateViolation(recorded, changedAt, message);
  }
  return undefined;
}

export const detailRules: readonly EventRule[] = [
  {
    name: 'details-never-widen',
    description:
      'An access token of a user has only authorization details that are in its consent or that narrow one of the ' +
      'same type; the encrypted text is in the consent, or in the event of the token that narrows it.',
    check: (audited, { grants }) => checkToken(audited, grants.inStream(audited.recorded.stream)),
  },
  {
    name: 'details-narrow-along-chains',
    description:
      'Each authorization detail of an exchanged token is one of its subject token, or narrows one of the same type, ' +
      'with its encrypted text beside it, and the exchange records the same ones.',
    check: checkExchanged,
  },
  {
    name: 'details-are-consented',
    description:
      'A consent grants only authorization details that were requested, or that the merged grant has, and none if it ' +
      'was remembered or given with a password; the text of its page describes exactly their types.',
    check: checkConsent,
  },
  {
    name: 'details-are-declared',
    description:
      'Exactly one resource server declares the type of each authorization detail of a token, and the token is for ' +
      'it; a violation up to a minute after a change of the declarations is a notice.',
    check: checkDeclared,
  },
];
