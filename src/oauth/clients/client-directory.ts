import type { ClientCommand, ClientEvent, ClientRefusal, ClientState } from '../../domain/client.ts';
import { NOT_IN_LOG } from '../../domain/unused-client.ts';
import { observedClient, clientStream } from '../../domain/streams.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { DecisionOutdated } from '../../event-store/event-log.ts';
import type { Client } from '../../projections/clients.ts';
import type { ResolvedClient } from './resolved-client.ts';
import { isDocumentUrl } from './client-document.ts';
import type { ClientDocuments } from './client-documents.ts';
import type { ClientLookup } from './secret-authentication.ts';

/**
 * Finds clients by id, including clients that are not yet in the log. Endpoints that issue tokens without consent use
 * only the clients in the log.
 */
export interface ClientDirectory {
  /** Returns the client, or undefined if it is unknown or can be found only by asking another server. */
  find(clientId: string): ResolvedClient | undefined;
  /**
   * Returns the client, even if its metadata document must be fetched.
   * @param beforeFetch called before a request to another server; may throw
   */
  resolve(clientId: string, beforeFetch: () => void): Promise<ResolvedClient | undefined>;
  /**
   * Records the client as it was found. Called when a user consents.
   * @returns the recorded client; undefined if it has been removed
   * @throws DecisionOutdated if the client has changed since it was found
   */
  record(client: ResolvedClient, context: CommandContext): Promise<Client | undefined>;
}

export function createClientDirectory(deps: {
  readonly registeredClients: Pick<ClientLookup, 'find'>;
  readonly documents: ClientDocuments;
  /** Decodes a client from an id that contains its registration, or returns undefined if the id contains none. */
  readonly findSelfRegistered: (clientId: string) => ResolvedClient | undefined;
  readonly commands: Pick<CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>, 'execute'>;
}): ClientDirectory {
  const { registeredClients, documents, findSelfRegistered, commands } = deps;

  const find = (clientId: string): ResolvedClient | undefined =>
    registeredClients.find(clientId) ?? findSelfRegistered(clientId);

  return {
    find,

    async resolve(clientId, beforeFetch) {
      const existingClient = find(clientId);
      const isDocumentClient =
        existingClient === undefined ? isDocumentUrl(clientId) : existingClient.document !== undefined;
      return isDocumentClient ? documents.resolve(clientId, existingClient, beforeFetch) : existingClient;
    },

    async record({ recordingCommand, ...client }, context) {
      if (recordingCommand === undefined) return client;
      const { clientId, revision } = client;
      const observedRevisions = revision === NOT_IN_LOG ? [] : [observedClient(client)];
      const basedOn = [...(context.basedOn ?? []), ...observedRevisions];
      const { refusal } = await commands.execute(clientStream(clientId), recordingCommand, { ...context, basedOn });
      if (refusal !== undefined) return undefined;
      const recordedClient = registeredClients.find(clientId);
      // Another request may have recorded the client first, and the operator may have changed it since.
      if (recordedClient?.revision !== revision + 1) throw new DecisionOutdated(null);
      return recordedClient;
    },
  };
}
