import type { EventOf } from '../../domain/events.ts';
import type { Position } from '../../event-store/event-log.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import {
  secondFactorOf,
  type CodeFactor,
  type FactorRecord,
  type SecondFactorHistory,
} from './history/second-factors.ts';
import { finding, notice, type EventRule, type Violation } from './rule.ts';

function checkLifecycle({ event: { type, data } }: AuditedEvent, { secondFactors }: History): Violation | undefined {
  if (type === 'TotpAdded') {
    if (secondFactors.findTotp(data.totpId) !== undefined)
      return finding(`the authenticator app ${data.totpId} was already added`);
    const hasAuthenticatorApp = secondFactors.totpOf(data.userId) !== undefined;
    return hasAuthenticatorApp ? finding(`user ${data.userId} already has an authenticator app`) : undefined;
  }
  if (type === 'TotpRemoved') {
    const isCurrent = secondFactors.totpOf(data.userId) === data.totpId;
    return isCurrent ? undefined : finding(`the authenticator app ${data.totpId} is not the account's current one`);
  }
  if (type === 'RecoveryCodesGenerated') {
    const isNew = secondFactors.findRecoveryCodes(data.codesId) === undefined;
    return isNew ? undefined : finding(`the recovery codes ${data.codesId} were already generated`);
  }
  return type === 'RecoveryCodeUsed' ? checkRecoveryCode(data, secondFactors) : undefined;
}

function checkRecoveryCode(
  { codesId, number, userId }: EventOf<'RecoveryCodeUsed'>['data'],
  secondFactors: SecondFactorHistory,
): Violation | undefined {
  const codes = secondFactors.findRecoveryCodes(codesId);
  if (codes?.userId !== userId || codes.removedAt !== null)
    return finding(`the recovery codes ${codesId} are not the account's current ones`);
  const wasUsed = secondFactors.isRecordedAsUsed(codesId, number);
  return wasUsed ? finding(`recovery code ${number} of ${codesId} was already used`) : undefined;
}

function checkUse({ event: { type, data } }: AuditedEvent, { secondFactors }: History): Violation | undefined {
  if (type !== 'SessionStarted') return undefined;
  const secondFactor = secondFactorOf(data.authentication);
  if (secondFactor === undefined || secondFactor.method === 'passkey') return undefined; // its response is not recorded
  if (secondFactors.hasStartedSession(secondFactor))
    return finding(`${describeCode(secondFactor)} has already started a session`);
  const isUnrecorded =
    secondFactor.method === 'recovery-code' &&
    !secondFactors.isRecordedAsUsed(secondFactor.codesId, secondFactor.number);
  return isUnrecorded ? finding(`${describeCode(secondFactor)} is not recorded as used`) : undefined;
}

function checkPossession({ event: { type, data } }: AuditedEvent, { secondFactors }: History): Violation | undefined {
  if (type !== 'SessionStarted' || data.authentication === undefined) return undefined;
  const secondFactor = secondFactorOf(data.authentication);
  if (secondFactor === undefined || secondFactor.method === 'passkey') return undefined; // another rule checks it
  const factor =
    secondFactor.method === 'totp'
      ? secondFactors.findTotp(secondFactor.totpId)
      : secondFactors.findRecoveryCodes(secondFactor.codesId);
  return checkFactor(secondFactor, factor, data.userId, data.authentication.checkedAsOf);
}

function checkFactor(
  codeFactor: CodeFactor,
  factor: Readonly<FactorRecord> | undefined,
  userId: string,
  checkedAsOf: Position,
): Violation | undefined {
  if (factor === undefined || factor.userId !== userId || factor.addedAt > checkedAsOf)
    return finding(`${describeCode(codeFactor)} did not belong to the account`);
  if (factor.removedAt === null) return undefined;
  return factor.removedAt <= checkedAsOf
    ? finding(`${describeCode(codeFactor)} was already removed`)
    : notice(`${describeCode(codeFactor)} was removed at position ${factor.removedAt}, after it was checked`);
}

function describeCode(codeFactor: CodeFactor): string {
  return codeFactor.method === 'totp'
    ? `the code for time step ${codeFactor.step} of the authenticator app ${codeFactor.totpId}`
    : `recovery code ${codeFactor.number} of ${codeFactor.codesId}`;
}

export const secondFactorRules: readonly EventRule[] = [
  {
    name: 'a-second-factor-lives-once',
    description:
      'An account has at most one authenticator app and one set of recovery codes, which no other account has, and a ' +
      'recovery code is used at most once.',
    check: checkLifecycle,
  },
  {
    name: 'a-code-starts-one-session',
    description:
      'The code of an authenticator app for a time step, or a recovery code, starts at most one session, and the use ' +
      'of the recovery code is recorded.',
    check: checkUse,
  },
  {
    name: 'second-steps-have-a-factor-of-their-account',
    description:
      'The authenticator app or the recovery codes that a session was started with belonged to the account when ' +
      'they were checked; a removal after that and before the start of the session is a notice.',
    check: checkPossession,
  },
];
