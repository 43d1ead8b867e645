import type { UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { ClientLookup } from '../clients/secret-authentication.ts';
import { withParameters, type RedirectUriSettings } from '../clients/redirect-uris.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { redirectUriViolation } from '../grant-types/code-rules.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { closestUri } from '../refusals/uri-difference.ts';
import { readIdTokenHint, type IdTokenHint, type VerifyIdToken } from './id-token-hint.ts';
import type { Subjects } from './subjects.ts';
import { message, type Message } from '../../language/message.ts';
import { english } from '../../language/english.ts';

/** A valid request to log out (OpenID Connect RP-Initiated Logout §2). */
export interface LogoutRequest {
  /** The application that sent the user here; undefined if the request does not identify it. */
  readonly client: Client | undefined;
  /** The post-logout redirect URI, with the `state`; undefined if the request does not contain such a URI. */
  readonly returnUri: string | undefined;
  /** Reports whether the request contains an ID token that was issued to the application for this user. */
  identifiesUser(userId: UserId): boolean;
  /** Whether the request contains an ID token, for any user. */
  readonly hasHint: boolean;
}

/** Thrown to refuse a request. The refusal is shown on a page, never sent as a redirect (RP-Initiated Logout §4). */
export class LogoutError extends Error {
  override readonly name = 'LogoutError';
  /** The message to show in the reader's language. `message` is in English. */
  readonly text: Message;
  readonly refusal: Refusal;

  constructor(text: Message, refusal: Refusal) {
    super(english.text(text));
    this.text = text;
    this.refusal = refusal;
  }
}

/**
 * Reads a request to log out.
 * @throws LogoutError if the hint is not an ID token from this server, the client is unknown or does not match
 * the hint, or the post-logout redirect URI is not registered or no longer allowed
 */
export type ReadLogoutRequest = (parameters: Parameters) => Promise<LogoutRequest>;

export function createLogoutRequestReader(deps: {
  readonly clients: Pick<ClientLookup, 'find'>;
  readonly subjects: Pick<Subjects, 'isSubjectOf'>;
  readonly issuer: () => string;
  readonly verifyIdToken: VerifyIdToken;
  readonly settings: RedirectUriSettings;
}): ReadLogoutRequest {
  const { clients, subjects, issuer, verifyIdToken, settings } = deps;

  async function readHint(hint: string | undefined, clientId: string | undefined): Promise<IdTokenHint | undefined> {
    if (hint === undefined) return undefined;
    const result = await readIdTokenHint(hint, clientId ?? null, issuer(), verifyIdToken);
    if (typeof result !== 'string') return result;
    throw new LogoutError(message('logout-error.hint'), {
      rule: 'hint-refused',
      problem: result,
    });
  }

  function readClient(clientId: string | undefined, hint: IdTokenHint | undefined): Client | undefined {
    const client = clients.find(clientId ?? hint?.audience[0] ?? '');
    if (client !== undefined || clientId === undefined) return client;
    throw new LogoutError(message('logout-error.unknown-client'), {
      rule: 'client-unknown',
      form: credentialForm(clientId),
      length: clientId.length,
      isSwapped: false,
    });
  }

  function requireRegistered(uri: string, client: Client | undefined): void {
    if (client === undefined)
      throw new LogoutError(message('logout-error.no-client'), { rule: 'post-logout-uri-without-client' });
    const { postLogoutRedirectUris: registeredUris } = client.openid;
    if (!registeredUris.includes(uri))
      throw new LogoutError(message('logout-error.unregistered-uri'), {
        rule: 'post-logout-uri-not-registered',
        ...closestUri(registeredUris, uri),
        registered: registeredUris.length,
      });
    const violation = redirectUriViolation(uri, client, settings);
    if (violation !== undefined) throw new LogoutError(violation.message, violation.refusal);
  }

  return async (parameters) => {
    const clientId = parameters.get('client_id');
    const hint = await readHint(parameters.get('id_token_hint'), clientId);
    const client = readClient(clientId, hint);
    const uri = parameters.get('post_logout_redirect_uri');
    if (uri !== undefined) requireRegistered(uri, client);
    return {
      client,
      returnUri: uri === undefined ? undefined : uriWithState(uri, parameters.get('state')),
      hasHint: hint !== undefined,
      identifiesUser: (userId) =>
        hint !== undefined && client !== undefined && subjects.isSubjectOf(client, userId, hint.subject),
    };
  };
}

function uriWithState(uri: string, state: string | undefined): string {
  return state === undefined ? uri : withParameters(uri, { state });
}
