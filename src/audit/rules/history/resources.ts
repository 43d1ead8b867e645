import type { AuditedEvent } from '../audited-event.ts';

/** A resource server, according to the log. */
interface ResourceRecord {
  readonly uri: string;
  readonly isRemoved: boolean;
  readonly scopes: readonly { readonly name: string }[];
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface ResourceHistory {
  inStream(stream: string): ResourceRecord | undefined;
  /** Undefined if it was never registered. */
  find(uri: string): ResourceRecord | undefined;
  apply(audited: AuditedEvent): void;
}

export function createResourceHistory(): ResourceHistory {
  const byStream = new Map<string, ResourceRecord>();
  const byUri = new Map<string, ResourceRecord>();
  return {
    inStream: (stream) => byStream.get(stream),
    find: (uri) => byUri.get(uri),
    apply({ event: { type, data }, recorded: { stream, recordedAt } }) {
      if (type !== 'ResourceRegistered' && type !== 'ResourceUpdated' && type !== 'ResourceRemoved') return;
      const isRemoved = type === 'ResourceRemoved';
      const scopes = isRemoved ? [] : data.settings.scopes;
      const record = { uri: data.uri, isRemoved, scopes, changedAt: recordedAt };
      byStream.set(stream, record);
      byUri.set(data.uri, record);
    },
  };
}
