import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ClientSettings } from '../../domain/client.ts';
import { mergeDocumentSettings } from '../../domain/document-settings.ts';
import type { ClientId, CredentialHash, DomainRule } from '../../domain/values.ts';
import { EgressError, isLocalLimit } from '../../platform/egress/egress-failed.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { TooManyAttemptsError } from '../../platform/limits/too-many-attempts.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { Client } from '../../projections/clients.ts';
import { NOT_IN_LOG, unusedClient } from '../../domain/unused-client.ts';
import { UnusableRequestError } from '../endpoints/authorization-request.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import type { ResolvedClient } from './resolved-client.ts';
import { domainRefusal, NOT_ACCEPTED_MESSAGES, type ClientDocumentsSetting } from './document-policy.ts';
import { documentUrlProblem, joinProblems, readClientDocument, type DocumentSettings } from './client-document.ts';
import { validateRegistration } from './registration-rules.ts';
import { message, type Message, type Text } from '../../language/message.ts';

export interface ClientDocumentSettings extends DocumentSettings {
  readonly clientDocuments: ClientDocumentsSetting;
}

/** Clients that describe themselves in a document whose URL is their id (Client ID Metadata Document). */
export interface ClientDocuments {
  /**
   * Returns the client as its document describes it. If one of this server's limits prevents a fetch, an existing
   * client is returned as it was last accepted. Records nothing in the log.
   * @param existingClient the client as it was last accepted; undefined if it never was
   * @param beforeFetch called before the document is fetched; may throw
   * @throws UnusableRequestError if the document is refused or unusable
   * @throws any error that `beforeFetch` throws, except TooManyAttemptsError for an existing client
   */
  resolve(clientId: string, existingClient: Client | undefined, beforeFetch: () => void): Promise<ResolvedClient>;
}

interface FetchedDocument {
  readonly text: string;
  readonly hash: CredentialHash;
  readonly settings: ClientSettings;
  /** When the document must be fetched again, in ticks. */
  readonly freshUntil: number;
}

/** Limits the contents of the cached documents to 5 MiB in total. */
const MAX_CACHED_DOCUMENTS = 1_000;

export function createClientDocuments(deps: {
  readonly egress: Pick<Egress, 'readJson'>;
  readonly ticks: Ticks;
  readonly domains: { find(domain: string): { readonly rule: DomainRule } | undefined };
  /** Reports whether a client with this id has been removed. */
  readonly isRemoved: (clientId: ClientId) => Promise<boolean>;
  /** Called when a document is taken from the cache. */
  readonly onCached: () => void;
  readonly settings: ClientDocumentSettings;
}): ClientDocuments {
  const { egress, ticks, domains, isRemoved, onCached, settings } = deps;
  // Only valid documents are cached, because the specification forbids caching errors.
  // The option `max` would allocate memory for all entries at startup.
  const documents = new LRUCache<string, FetchedDocument>({ maxSize: MAX_CACHED_DOCUMENTS, sizeCalculation: () => 1 });
  const pendingFetches = new Map<string, Promise<FetchedDocument>>();

  /** Returns the client as its document describes it now, with the operator's decisions applied. */
  function applyDocument(client: Client, { text, hash, settings: documentSettings }: FetchedDocument): ResolvedClient {
    if (client.document?.hash === hash) return client;
    const { clientId, openid } = client;
    const newSettings = mergeDocumentSettings(documentSettings, client);
    // The operator may since have added requirements that the document violates.
    const result = validateRegistration(newSettings, settings, { redirectUris: [], openid });
    if ('errors' in result) {
      const problem = message('client-document.contradicts', { problems: joinProblems(result.errors) });
      throw unusableError(clientId, { rule: 'client-document-invalid', problem });
    }
    const acceptance = { clientId, hash, document: text, ...documentSettings };
    return { ...client, ...newSettings, document: { hash }, recordingCommand: { type: 'AcceptDocument', acceptance } };
  }

  async function fetchDocument(clientId: string): Promise<FetchedDocument> {
    const { document, text, lifetimeSeconds } = await egress.readJson('client-document', clientId);
    const result = await readClientDocument(document, clientId, settings);
    if ('problem' in result)
      throw unusableError(clientId, { rule: 'client-document-invalid', problem: result.problem });
    const hash = createHash('sha256').update(text).digest('base64url') as CredentialHash;
    const fetchedDocument = { text, hash, settings: result.settings, freshUntil: ticks() + lifetimeSeconds * 1000 };
    documents.set(clientId, fetchedDocument);
    return fetchedDocument;
  }

  /** Returns the document from the cache or the client's server. Concurrent requests share a fetch. */
  async function currentDocument(clientId: string, beforeFetch: () => void): Promise<FetchedDocument> {
    const cachedDocument = documents.get(clientId);
    if (cachedDocument !== undefined && ticks() < cachedDocument.freshUntil) {
      onCached();
      return cachedDocument;
    }
    const pendingFetch = pendingFetches.get(clientId);
    if (pendingFetch !== undefined) return pendingFetch;
    beforeFetch();
    const newFetch = fetchDocument(clientId).finally(() => pendingFetches.delete(clientId));
    pendingFetches.set(clientId, newFetch);
    return newFetch;
  }

  return {
    async resolve(clientId, existingClient, beforeFetch) {
      const problem = documentUrlProblem(clientId, settings);
      if (problem !== undefined) throw unusableError(clientId, { rule: 'client-address', problem });
      const refusal = domainRefusal(clientId, settings.clientDocuments, (domain) => domains.find(domain)?.rule);
      if (refusal !== undefined) throw unusableError(clientId, refusal);
      if (existingClient === undefined && (await isRemoved(clientId as ClientId))) {
        const { hostname: host } = new URL(clientId);
        throw unusableError(clientId, { rule: 'client-document-not-accepted', why: 'removed', host });
      }
      try {
        const document = await currentDocument(clientId, beforeFetch);
        return existingClient === undefined
          ? newClient(clientId as ClientId, document)
          : applyDocument(existingClient, document);
      } catch (error) {
        // A flood of unknown clients must not lock out the existing ones.
        if (existingClient !== undefined && isOwnLimitReached(error)) return existingClient;
        if (!(error instanceof EgressError)) throw error;
        throw unusableError(clientId, { rule: 'client-document-unreadable', problem: error.problem });
      }
    },
  };
}

function isOwnLimitReached(error: unknown): boolean {
  return error instanceof TooManyAttemptsError || (error instanceof EgressError && isLocalLimit(error.outcome));
}

function newClient(clientId: ClientId, { text, hash, settings }: FetchedDocument): ResolvedClient {
  const acceptance = { clientId, hash, document: text, ...settings };
  return {
    ...unusedClient(clientId),
    ...settings,
    revision: NOT_IN_LOG,
    document: { hash },
    recordingCommand: { type: 'AcceptDocument', acceptance },
  };
}

type DocumentRefusal = RefusalOf<
  'client-address' | 'client-document-not-accepted' | 'client-document-unreadable' | 'client-document-invalid'
>;

function unusableError(clientId: string, refusal: DocumentRefusal): UnusableRequestError {
  return new UnusableRequestError(toMessage(refusal), refusal, { clientId });
}

/** Reports whether the problem includes problems with fields of the registration, and thus ends with a period. */
function hasFieldProblems(problem: Text): boolean {
  const key = typeof problem === 'string' ? undefined : problem.key;
  return key === 'client-document.unusable' || key === 'client-document.contradicts';
}

function toMessage(refusal: DocumentRefusal): Message {
  switch (refusal.rule) {
    case 'client-address':
      return message('unusable.client-id', { problem: refusal.problem });
    case 'client-document-not-accepted':
      return NOT_ACCEPTED_MESSAGES[refusal.why];
    case 'client-document-unreadable':
      return message('unusable.document-unreadable', { problem: refusal.problem });
    case 'client-document-invalid':
      return message(
        hasFieldProblems(refusal.problem) ? 'unusable.document-invalid-fields' : 'unusable.document-invalid',
        {
          problem: refusal.problem,
        },
      );
  }
}
