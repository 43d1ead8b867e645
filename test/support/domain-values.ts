import { createHash } from 'node:crypto';
import type { Login } from '../../src/domain/events.ts';
import type {
  ClientId,
  CredentialHash,
  EpochSeconds,
  GrantId,
  GroupId,
  KeyId,
  PasskeyId,
  ProviderId,
  RecoveryCodesId,
  TotpId,
  UserId,
} from '../../src/domain/values.ts';

/** Values of the domain's own types, distinguished by a label. */
export const seconds = (value: number): EpochSeconds => value as EpochSeconds;
export const hashOf = (label: string): CredentialHash =>
  createHash('sha256').update(label).digest('base64url') as CredentialHash;
export const clientId = (label: string): ClientId => `client${label}` as ClientId;
export const grantId = (label: string): GrantId => idOf(label) as GrantId;
export const userId = (label: string): UserId => idOf(label) as UserId;
export const passkeyId = (label: string): PasskeyId => idOf(label) as PasskeyId;
export const providerId = (label: string): ProviderId => label as ProviderId;
export const totpId = (label: string): TotpId => idOf(label) as TotpId;
export const recoveryCodesId = (label: string): RecoveryCodesId => idOf(label) as RecoveryCodesId;
/** Returns the login of a session, with a password at second 0. */
export const loginOf = (session: string): Login => ({
  sessionHash: hashOf(session),
  authTime: seconds(0),
  amr: ['pwd'],
  acr: 'pwd',
});
export const keyId = (label: string): KeyId => hashOf(label) as string as KeyId;
export const groupId = (label: string): GroupId => idOf(label) as GroupId;

function idOf(label: string): string {
  return hashOf(label).slice(0, 22);
}
