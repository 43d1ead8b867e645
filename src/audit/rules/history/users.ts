import type { EventType, Role } from '../../../domain/events.ts';
import type { Position, StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** The state of an account according to its stream. */
export interface UserRecord {
  readonly userId: string;
  status: 'active' | 'disabled' | 'erased';
  /** When it was last disabled or erased. `at` is in milliseconds since the epoch. */
  lastEnd: { readonly position: Position; readonly at: number } | null;
  roles: readonly Role[];
  /** When it last lost the administrator role, in milliseconds since the epoch, or null if it never did. */
  lostAdministrationAt: number | null;
  /** The position where each current passkey was added. */
  readonly passkeys: Map<string, Position>;
  /** The position where each former passkey was removed. */
  readonly removedPasskeys: Map<string, Position>;
  /** The position where all sessions of the account last ended. */
  sessionsEndedAt: Position | null;
  /** Whether its password still has the hash from its registration. */
  hasOriginalHash: boolean;
}

export interface UserHistory {
  /** Returns undefined if the account never existed. */
  find(userId: string): Readonly<UserRecord> | undefined;
  /** Returns the latest account in the stream of a user name. */
  inStream(stream: StreamName): Readonly<UserRecord> | undefined;
  /** Reports whether a passkey with this id has ever been added. */
  hasSeenPasskey(passkeyId: string): boolean;
  apply(auditedEvent: AuditedEvent): void;
}

const SESSION_ENDING_TYPES: readonly EventType[] = [
  'PasswordChanged',
  'AllSessionsEnded',
  'UserDisabled',
  'UserErased',
];

const STATUS_AFTER = { UserDisabled: 'disabled', UserEnabled: 'active', UserErased: 'erased' } as const;

export function createUserHistory(): UserHistory {
  const byId = new Map<string, UserRecord>();
  const byStream = new Map<StreamName, UserRecord>();
  const passkeyIds = new Set<string>();

  return {
    find: (userId) => byId.get(userId),
    inStream: (stream) => byStream.get(stream),
    hasSeenPasskey: (passkeyId) => passkeyIds.has(passkeyId),
    apply({ event: { type, data }, record: { stream, position, recordedAt } }) {
      if (type === 'UserRegistered') {
        const account: UserRecord = {
          userId: data.userId,
          status: 'active',
          lastEnd: null,
          roles: data.roles,
          lostAdministrationAt: null,
          passkeys: new Map(),
          removedPasskeys: new Map(),
          sessionsEndedAt: null,
          hasOriginalHash: true,
        };
        byId.set(data.userId, account);
        byStream.set(stream, account);
      }
      if (type === 'UserRolesChanged') {
        const account = byId.get(data.userId);
        if (account !== undefined) changeRoles(account, data.roles, recordedAt);
      }
      if (type === 'PasskeyAdded') {
        byId.get(data.userId)?.passkeys.set(data.passkeyId, position);
        passkeyIds.add(data.passkeyId);
      }
      if (type === 'PasswordChanged' || type === 'PasswordRehashed') {
        const account = byId.get(data.userId);
        if (account !== undefined) account.hasOriginalHash = false;
      }
      if (type === 'PasskeyRemoved') {
        byId.get(data.userId)?.passkeys.delete(data.passkeyId);
        byId.get(data.userId)?.removedPasskeys.set(data.passkeyId, position);
      }
      if (SESSION_ENDING_TYPES.includes(type) && 'userId' in data && data.userId !== null) {
        const account = byId.get(data.userId);
        if (account !== undefined) account.sessionsEndedAt = position;
      }
      if (type !== 'UserDisabled' && type !== 'UserEnabled' && type !== 'UserErased') return;
      const account = byId.get(data.userId);
      if (account === undefined || account.status === 'erased') return;
      account.status = STATUS_AFTER[type];
      if (type !== 'UserEnabled') account.lastEnd = { position, at: recordedAt };
    },
  };
}

function changeRoles(account: UserRecord, roles: readonly Role[], at: number): void {
  if (isAdministrator(account.roles) && !isAdministrator(roles)) account.lostAdministrationAt = at;
  account.roles = roles;
}

/** Not shared with the domain, so that the audit does not repeat its mistakes. */
export function isAdministrator(roles: readonly Role[]): boolean {
  return roles.includes('administrator');
}
