import type { AuditedEvent } from '../audited-event.ts';

/** The providers that are set up, and the users whose accounts at providers are linked, according to the log. */
export interface UpstreamHistory {
  readonly providers: ReadonlySet<string>;
  /** Those of them that are disabled. */
  readonly disabledProviders: ReadonlySet<string>;
  /** The user of a linked account, by the hash of its subject. */
  readonly linkedUsers: ReadonlyMap<string, string>;
  apply(audited: AuditedEvent): void;
}

export function createUpstreamHistory(): UpstreamHistory {
  const providers = new Set<string>();
  const disabledProviders = new Set<string>();
  const linkedUsers = new Map<string, string>();
  return {
    providers,
    disabledProviders,
    linkedUsers,
    apply({ event: { type, data } }) {
      if (type === 'UpstreamProviderSet') {
        providers.add(data.providerId);
        if (data.settings.disabled === true) disabledProviders.add(data.providerId);
        else disabledProviders.delete(data.providerId);
      }
      if (type === 'UpstreamProviderRemoved') {
        providers.delete(data.providerId);
        disabledProviders.delete(data.providerId);
      }
      if (type === 'UpstreamAccountLinked') linkedUsers.set(data.subjectHash, data.userId);
      if (type === 'UpstreamAccountUnlinked') linkedUsers.delete(data.subjectHash);
    },
  };
}
