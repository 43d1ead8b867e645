import type { EventOf } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import { logoutUriProblem } from '../../oauth/clients/openid-rules.ts';
import {
  redirectUriProblem,
  alreadyCheckedUris,
  type ClientUris,
  type RedirectUriSettings,
} from '../../oauth/clients/redirect-uris.ts';
import type { Clients, Client } from '../../projections/clients.ts';
import { redirectUriSettings, type SimulatedSettings } from './simulated-settings.ts';
import { newRefusal, type Difference } from './outcome.ts';
import { english } from '../../language/english.ts';
import type { Message } from '../../language/message.ts';
import type { DomainRule } from '../../domain/values.ts';
import { domainRefusal, NOT_ACCEPTED_MESSAGES } from '../../oauth/clients/document-policy.ts';
import { explain } from '../../oauth/refusals/refusal-messages.ts';

type RegisteredFields = Pick<EventOf<'ClientUpdated'>['data'], 'name' | 'clientType' | 'redirectUris' | 'openid'>;

/** The applications as they would have been registered. */
export interface SimulatedClients {
  readonly find: Clients['find'];
  /** Returns the application's name, even if the application would not have been registered. */
  nameOf(clientId: string): string;
  /** Returns the refusal of the application's registration, unless a later update has replaced the registration. */
  refusalOf(clientId: string): Difference | undefined;
  register(clientId: string, fields: RegisteredFields, event: RecordedEvent): Difference | undefined;
  update(clientId: string, fields: RegisteredFields, event: RecordedEvent): Difference | undefined;
  /** Applies an event that the settings do not affect. */
  apply(event: RecordedEvent): void;
}

export function createSimulatedClients(
  clients: Pick<Clients, 'find' | 'apply'>,
  changedSettings: SimulatedSettings,
): SimulatedClients {
  const refusals = new Map<string, { readonly refusal: Difference; readonly name: string }>();

  /** @param existing the URIs that the client already has; they are not checked again */
  function checkAddedUris(
    clientId: string,
    fields: RegisteredFields,
    existing: ClientUris = alreadyCheckedUris(undefined, fields),
  ): Difference | undefined {
    const refusal = addedUris(fields, existing).flatMap((addedUri) => uriRefusal(addedUri, changedSettings) ?? [])[0];
    if (refusal !== undefined) refusals.set(clientId, { refusal, name: fields.name });
    return refusal;
  }

  return {
    find: clients.find,
    nameOf: (clientId) => refusals.get(clientId)?.name ?? clients.find(clientId)?.name ?? '',
    refusalOf: (clientId) => refusals.get(clientId)?.refusal,

    register(clientId, fields, event) {
      const difference = checkAddedUris(clientId, fields);
      if (difference === undefined) clients.apply(event);
      return difference;
    },

    update(clientId, fields, event) {
      const isMissing = refusals.has(clientId) && clients.find(clientId) === undefined;
      if (isMissing) return undefined; // there would be no client to update
      const difference = checkAddedUris(clientId, fields, alreadyCheckedUris(clients.find(clientId), fields));
      if (difference !== undefined) return difference;
      refusals.delete(clientId); // an update replaces every field
      clients.apply(event);
      return undefined;
    },

    apply: (event) => clients.apply(event),
  };
}

interface AddedUri {
  readonly uri: string;
  /** Returns the problem with the URI under the settings, or undefined if they allow it. */
  readonly problem: (settings: RedirectUriSettings) => Message | undefined;
}

function addedUris({ clientType, redirectUris, openid }: RegisteredFields, existing: ClientUris): readonly AddedUri[] {
  const redirects = [
    ...redirectUris.filter((uri) => !existing.redirectUris.includes(uri)),
    ...openid.postLogoutRedirectUris.filter((uri) => !existing.openid.postLogoutRedirectUris.includes(uri)),
  ].map((uri) => ({ uri, problem: (settings: RedirectUriSettings) => redirectUriProblem(uri, clientType, settings) }));
  const uri = openid.backchannelLogoutUri;
  if (uri === null || uri === existing.openid.backchannelLogoutUri) return redirects;
  return [...redirects, { uri, problem: (settings) => logoutUriProblem(uri, clientType, settings) }];
}

/** Returns the refusal that the changed settings cause for an added URI. The recorded URI met all other rules. */
function uriRefusal({ uri, problem }: AddedUri, changedSettings: SimulatedSettings): Difference | undefined {
  const simulatedProblem = problem(redirectUriSettings(changedSettings, uri));
  if (simulatedProblem === undefined || problem(redirectUriSettings({}, uri)) !== undefined) return undefined;
  return newRefusal(
    'redirect-uri-not-allowed',
    `${uri} ${english.text(simulatedProblem)}`,
    'Register an allowed redirect URI, and use it.',
  );
}

/**
 * Returns the refusal that a client with a metadata document would get under the changed setting, or undefined if the
 * client is accepted.
 * @param findRule finds the rule for a domain in the current list, because the operator prepares the list before
 *   simulating the setting
 */
export function documentRefusal(
  { clientId, document }: Pick<Client, 'clientId' | 'document'>,
  { clientDocuments }: SimulatedSettings,
  findRule: (domain: string) => DomainRule | undefined,
): Difference | undefined {
  if (document === undefined || clientDocuments === undefined) return undefined;
  const refusal = domainRefusal(clientId, clientDocuments, findRule);
  return (
    refusal &&
    newRefusal(refusal.rule, english.text(NOT_ACCEPTED_MESSAGES[refusal.why]), english.text(explain(refusal).advice))
  );
}
