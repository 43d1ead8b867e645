import type { AuditedEvent } from '../audited-event.ts';

interface ProviderRecord {
  readonly isDisabled: boolean;
}

/** The providers that are set up, and the users whose accounts at providers are linked, according to the log. */
export interface UpstreamHistory {
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  /** The user of a linked account, by the hash of its subject. */
  readonly linkedUsers: ReadonlyMap<string, string>;
  apply(auditedEvent: AuditedEvent): void;
}

export function createUpstreamHistory(): UpstreamHistory {
  const providers = new Map<string, ProviderRecord>();
  const linkedUsers = new Map<string, string>();
  return {
    providers,
    linkedUsers,
    apply({ event: { type, data } }) {
      if (type === 'UpstreamProviderSet')
        providers.set(data.providerId, { isDisabled: data.settings.disabled === true });
      if (type === 'UpstreamProviderRemoved') providers.delete(data.providerId);
      if (type === 'UpstreamAccountLinked') linkedUsers.set(data.subjectHash, data.userId);
      if (type === 'UpstreamAccountUnlinked') linkedUsers.delete(data.subjectHash);
    },
  };
}
