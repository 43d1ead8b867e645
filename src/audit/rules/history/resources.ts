import type { AuditedEvent } from '../audited-event.ts';

/** A resource server, according to the log. */
interface ResourceRecord {
  readonly uri: string;
  readonly isRemoved: boolean;
  readonly scopes: readonly { readonly name: string }[];
  /** The types of authorization details that it declares. */
  readonly detailTypes: readonly string[];
  /** When it last changed, in milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface ResourceHistory {
  inStream(stream: string): ResourceRecord | undefined;
  /** Returns undefined if the resource server was never registered. */
  find(uri: string): ResourceRecord | undefined;
  /**
   * Returns the resource servers that declare a type of authorization details. `changedAt` is the time of the latest
   * change to a resource server that declared the type, or null if none has ever declared it.
   */
  findDeclarers(type: string): { readonly uris: readonly string[]; readonly changedAt: number | null };
  apply(auditedEvent: AuditedEvent): void;
}

export function createResourceHistory(): ResourceHistory {
  const byStream = new Map<string, ResourceRecord>();
  const byUri = new Map<string, ResourceRecord>();
  /** For each type, the time of the latest change to a resource server that declared it. */
  const changeTimes = new Map<string, number>();
  return {
    inStream: (stream) => byStream.get(stream),
    find: (uri) => byUri.get(uri),
    findDeclarers: (type) => ({
      uris: [...byUri.values()].filter(({ detailTypes }) => detailTypes.includes(type)).map(({ uri }) => uri),
      changedAt: changeTimes.get(type) ?? null,
    }),
    apply({ event: { type, data }, record: { stream, recordedAt } }) {
      if (type !== 'ResourceRegistered' && type !== 'ResourceUpdated' && type !== 'ResourceRemoved') return;
      const isRemoved = type === 'ResourceRemoved';
      const scopes = isRemoved ? [] : data.settings.scopes;
      const detailTypes = isRemoved ? [] : (data.settings.detailTypes ?? []).map((declaration) => declaration.type);
      const record = { uri: data.uri, isRemoved, scopes, detailTypes, changedAt: recordedAt };
      for (const detailType of [...detailTypes, ...(byStream.get(stream)?.detailTypes ?? [])])
        changeTimes.set(detailType, recordedAt);
      byStream.set(stream, record);
      byUri.set(data.uri, record);
    },
  };
}
