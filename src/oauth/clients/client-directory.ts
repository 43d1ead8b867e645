import type { ClientCommand, ClientEvent, ClientRefusal, ClientState } from '../../domain/client.ts';
import { NOT_IN_LOG } from '../../domain/unused-client.ts';
import { clientAsRead, clientStream } from '../../domain/streams.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { DecisionOutdated } from '../../event-store/event-log.ts';
import type { Client } from '../../projections/clients.ts';
import type { FoundClient } from './found-client.ts';
import { isDocumentAddress } from './client-document.ts';
import type { ClientDocuments } from './client-documents.ts';
import type { ClientLookup } from './secret-authentication.ts';

/**
 * Answers which client an id belongs to, including clients that the log does not know yet. Endpoints that issue
 * something without a consent need only the clients of the log.
 */
export interface ClientDirectory {
  /** The client, if that can be told without a request to another server. */
  find(clientId: string): FoundClient | undefined;
  /**
   * The client, wherever it is described.
   * @param admit called before anything is requested from another server; may throw
   */
  resolve(clientId: string, admit: () => void): Promise<FoundClient | undefined>;
  /**
   * Records the client as it was found, because a user consents.
   * @returns the recorded client; undefined if it was removed for good
   * @throws DecisionOutdated the client has changed since it was found
   */
  record(client: FoundClient, context: CommandContext): Promise<Client | undefined>;
}

export function createClientDirectory(parts: {
  readonly registered: Pick<ClientLookup, 'find'>;
  readonly documents: ClientDocuments;
  /** The client whose id contains its registration; undefined if there is none. */
  readonly selfRegistered: (clientId: string) => FoundClient | undefined;
  readonly commands: Pick<CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>, 'execute'>;
}): ClientDirectory {
  const { registered, documents, selfRegistered, commands } = parts;

  const find = (clientId: string): FoundClient | undefined => registered.find(clientId) ?? selfRegistered(clientId);

  return {
    find,

    async resolve(clientId, admit) {
      const known = find(clientId);
      const isDescribed = known === undefined ? isDocumentAddress(clientId) : known.document !== undefined;
      return isDescribed ? documents.resolve(clientId, known, admit) : known;
    },

    async record({ unrecorded, ...client }, context) {
      if (unrecorded === undefined) return client;
      const { clientId, revision } = client;
      const known = revision === NOT_IN_LOG ? [] : [clientAsRead(client)];
      const basedOn = [...(context.basedOn ?? []), ...known];
      const { refusal } = await commands.execute(clientStream(clientId), unrecorded, { ...context, basedOn });
      if (refusal !== undefined) return undefined;
      const recorded = registered.find(clientId);
      // Another request recorded it a moment ago, and the operator may have decided something about it since.
      if (recorded?.revision !== revision + 1) throw new DecisionOutdated(null);
      return recorded;
    },
  };
}
