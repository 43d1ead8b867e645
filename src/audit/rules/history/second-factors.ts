import type { Authentication, DomainEvent, SecondFactor } from '../../../domain/events.ts';
import type { Position } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** An authenticator app, or a set of recovery codes. */
export interface FactorRecord {
  readonly userId: string;
  readonly addedAt: Position;
  /** The position where it was removed or replaced; null before that. */
  removedAt: Position | null;
}

export interface SecondFactorHistory {
  findTotp(totpId: string): Readonly<FactorRecord> | undefined;
  findRecoveryCodes(codesId: string): Readonly<FactorRecord> | undefined;
  /** Returns the id of the user's current authenticator app, or undefined if the user has no app. */
  totpOf(userId: string): string | undefined;
  /** Reports whether the user has ever turned on two-step login, which generates recovery codes. */
  hasTurnedOn(userId: string): boolean;
  /** Reports whether the account's stream records that the recovery code was used. */
  isRecordedAsUsed(codesId: string, number: number): boolean;
  /** Reports whether a session was started with this code of an authenticator app, or with this recovery code. */
  hasStartedSession(code: CodeFactor): boolean;
  apply(auditedEvent: AuditedEvent): void;
}

/** A second factor that works once. */
export type CodeFactor = Exclude<SecondFactor, { readonly method: 'passkey' }>;

/**
 * Returns the second factor that the user presented after the first, or undefined if the user presented no second one.
 */
export function secondFactorOf(authentication: Authentication | undefined): SecondFactor | undefined {
  return authentication === undefined || authentication.method === 'passkey' ? undefined : authentication.secondFactor;
}

/**
 * Returns the passkey that the user authenticated with, alone or after the password, or undefined if the user used
 * none.
 */
export function passkeyOf(authentication: Authentication | undefined): string | undefined {
  if (authentication?.method === 'passkey') return authentication.passkeyId;
  const secondFactor = secondFactorOf(authentication);
  return secondFactor?.method === 'passkey' ? secondFactor.passkeyId : undefined;
}

export function createSecondFactorHistory(): SecondFactorHistory {
  const totps = new Map<string, FactorRecord>();
  const codeSets = new Map<string, FactorRecord>();
  /** The current ids, by user. */
  const currentTotp = new Map<string, string>();
  const currentCodes = new Map<string, string>();
  const usersWithTwoStepLogin = new Set<string>();
  const usedRecoveryCodes = new Set<string>();
  const sessionCodes = new Set<string>();

  function end(
    userId: string,
    currentIds: Map<string, string>,
    records: Map<string, FactorRecord>,
    position: Position,
  ): void {
    const record = records.get(currentIds.get(userId) ?? '');
    if (record !== undefined) record.removedAt ??= position;
    currentIds.delete(userId);
  }

  function add(
    { userId, id, position }: { readonly userId: string; readonly id: string; readonly position: Position },
    currentIds: Map<string, string>,
    records: Map<string, FactorRecord>,
  ): void {
    end(userId, currentIds, records, position);
    currentIds.set(userId, id);
    if (!records.has(id)) records.set(id, { userId, addedAt: position, removedAt: null });
  }

  function change({ type, data }: DomainEvent, position: Position): void {
    if (type === 'TotpAdded') add({ userId: data.userId, id: data.totpId, position }, currentTotp, totps);
    if (type === 'RecoveryCodesGenerated') usersWithTwoStepLogin.add(data.userId);
    if (type === 'RecoveryCodesGenerated')
      add({ userId: data.userId, id: data.codesId, position }, currentCodes, codeSets);
    if (type === 'TotpRemoved' || type === 'SecondFactorsRemoved') end(data.userId, currentTotp, totps, position);
    if (type === 'SecondFactorsRemoved') end(data.userId, currentCodes, codeSets, position);
    if (type === 'RecoveryCodeUsed') usedRecoveryCodes.add(`${data.codesId} ${data.number}`);
  }

  return {
    findTotp: (totpId) => totps.get(totpId),
    findRecoveryCodes: (codesId) => codeSets.get(codesId),
    totpOf: (userId) => currentTotp.get(userId),
    hasTurnedOn: (userId) => usersWithTwoStepLogin.has(userId),
    isRecordedAsUsed: (codesId, number) => usedRecoveryCodes.has(`${codesId} ${number}`),
    hasStartedSession: (code) => sessionCodes.has(codeName(code)),
    apply({ event, record: { position } }) {
      change(event, position);
      const secondFactor = event.type === 'SessionStarted' ? secondFactorOf(event.data.authentication) : undefined;
      if (secondFactor !== undefined && secondFactor.method !== 'passkey') sessionCodes.add(codeName(secondFactor));
    },
  };
}

function codeName(code: CodeFactor): string {
  return code.method === 'totp' ? `${code.totpId} ${code.step}` : `${code.codesId} ${code.number}`;
}
