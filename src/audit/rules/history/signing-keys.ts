import type { AuditedEvent } from '../audited-event.ts';

/** A key that signs tokens, according to the log. Unless stated otherwise, times are in seconds since the epoch. */
export interface SigningKeyRecord {
  readonly algorithm: string;
  readonly until: number;
  /** When it was retired, in milliseconds since the epoch, or null if it is not retired. */
  retiredAt: number | null;
  /** When the last token that it signed expires. */
  lastExpiry: number;
}

export interface SigningKeyHistory {
  find(kid: string): Readonly<SigningKeyRecord> | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createSigningKeyHistory(): SigningKeyHistory {
  const keys = new Map<string, SigningKeyRecord>();

  function recordExpiry(kid: string | undefined, expiresAt: number): void {
    const key = kid === undefined ? undefined : keys.get(kid);
    if (key !== undefined) key.lastExpiry = Math.max(key.lastExpiry, expiresAt);
  }

  return {
    find: (kid) => keys.get(kid),
    apply({ event: { type, data }, record: { recordedAt } }) {
      if (type === 'SigningKeyIntroduced' && !keys.has(data.kid)) {
        const { algorithm, until } = data;
        keys.set(data.kid, { algorithm, until, retiredAt: null, lastExpiry: 0 });
      }
      const retiredKey = type === 'SigningKeyRetired' ? keys.get(data.kid) : undefined;
      if (retiredKey !== undefined) retiredKey.retiredAt ??= recordedAt;
      if (type === 'AccessTokenIssued' || type === 'IdTokenIssued') recordExpiry(data.kid, data.expiresAt);
    },
  };
}
