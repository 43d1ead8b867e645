import type { AuditedEvent } from './audited-event.ts';
import { grantStreamOf } from './history/exchanges.ts';
import { finding, type EventRule, type Violation } from './rule.ts';
import type { History } from './history.ts';

function checkUpdate({ event: { type, data }, record }: AuditedEvent, history: History): Violation | undefined {
  if (type !== 'ConsentGiven' || data.management === undefined) return undefined;
  const { action, grantId, updates } = data.management;
  if (action === 'create')
    return grantId === data.grantId && updates === undefined
      ? undefined
      : finding(`the new grant has the id ${grantId}, but is in stream ${record.stream}`);
  if (updates === undefined) return finding(`${action} without a grant to update`);
  const earlierGrant = history.grants.inStream(grantStreamOf(updates));
  if (earlierGrant === undefined) return finding(`${action} of grant ${updates}, which never existed`);
  if (earlierGrant.clientId !== data.clientId)
    return finding(`${action} of a grant to client ${earlierGrant.clientId}`);
  if (earlierGrant.userId !== data.userId)
    return finding(`${action} of a grant by user ${String(earlierGrant.userId)}`);
  return history.grantUpdates.managementOf(grantStreamOf(updates))?.grantId === grantId
    ? undefined
    : finding(`${action} of grant ${updates} under ${grantId}, which is not its id`);
}

/** Checks the append from both sides: an end without its update, and an update without its end. */
function checkReplacement({ event: { type, data }, record }: AuditedEvent, history: History): Violation | undefined {
  const expectedEnd = history.grantUpdates.expectedEnd();
  const isUpdate = type === 'GrantRevoked' && data.reason === 'updated';
  const replacement = isUpdate && data.replacedBy !== undefined ? grantStreamOf(data.replacedBy) : undefined;
  if (
    isUpdate &&
    (expectedEnd === undefined ||
      expectedEnd.replacedStream !== record.stream ||
      expectedEnd.replacementStream !== replacement)
  )
    return finding('an update ended a grant, but the code of the update was not redeemed in the same append');
  if (!isUpdate && type === 'GrantRevoked' && data.replacedBy !== undefined)
    return finding(`the grant was replaced, although it was revoked for the reason ${data.reason}`);
  if (expectedEnd === undefined || isUpdate || record.stream === expectedEnd.replacementStream) return undefined;
  return finding(`${type}, but the end of the updated grant must follow in ${expectedEnd.replacedStream}`);
}

export const grantUpdateRules: readonly EventRule[] = [
  {
    name: 'updates-keep-the-id-client-and-user',
    description:
      'A managed grant begins under its own id, and an update refers to an earlier grant of the same client and ' +
      'user, whose id it keeps.',
    check: checkUpdate,
  },
  {
    name: 'updates-replace-one-grant',
    description:
      'The append that redeems the code of an update also ends the earlier grant, and nothing else ends a grant as ' +
      'updated, so that at most one grant is current under an id.',
    check: checkReplacement,
  },
];
