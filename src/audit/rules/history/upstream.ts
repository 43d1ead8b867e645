import type { AuditedEvent } from '../audited-event.ts';

interface ProviderRecord {
  readonly isDisabled: boolean;
}

/** The providers that are set up, and the users whose accounts at providers are linked, according to the log. */
export interface UpstreamHistory {
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  /** The user ids of linked accounts, by the hash of the subject. */
  readonly linkedUserIds: ReadonlyMap<string, string>;
  apply(auditedEvent: AuditedEvent): void;
}

export function createUpstreamHistory(): UpstreamHistory {
  const providers = new Map<string, ProviderRecord>();
  const linkedUserIds = new Map<string, string>();
  return {
    providers,
    linkedUserIds,
    apply({ event: { type, data } }) {
      if (type === 'UpstreamProviderSet')
        providers.set(data.providerId, { isDisabled: data.settings.disabled === true });
      if (type === 'UpstreamProviderRemoved') providers.delete(data.providerId);
      if (type === 'UpstreamAccountLinked') linkedUserIds.set(data.subjectHash, data.userId);
      if (type === 'UpstreamAccountUnlinked') linkedUserIds.delete(data.subjectHash);
    },
  };
}
