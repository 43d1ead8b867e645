import type { KeyObject } from 'node:crypto';
import type { SubjectType } from '../../domain/openid-settings.ts';
import type { ClientId, UserId } from '../../domain/values.ts';
import { isLoopback } from '../clients/redirect-uris.ts';
import { hmacSha256 } from '../credentials/hmac.ts';

/** The settings of a client that determine its subjects. */
export interface SubjectClient {
  readonly clientId: ClientId;
  readonly redirectUris: readonly string[];
  readonly openid: {
    readonly subjectType: SubjectType;
    readonly sectorIdentifierUri: string | null;
  };
}

/** The user identifiers that clients get as `sub`. */
export interface Subjects {
  /**
   * Returns the subject of the user for the client: the user's id, or a different identifier in each sector (OpenID
   * Connect Core §8).
   */
  subjectOf(client: SubjectClient, userId: UserId): string;
  /** Reports whether `subject`, which the client presented, identifies the user. */
  isSubjectOf(client: SubjectClient, userId: UserId, subject: string): boolean;
}

/**
 * Returns the subject of the user for the client. Access tokens and introspection responses also contain this subject.
 * Otherwise, two clients with pairwise subjects could compare user ids.
 */
export type SubjectFor = (clientId: ClientId, userId: UserId) => string;

/**
 * Creates a function that returns a user's subject for a client id.
 * @param find returns undefined for a client that has just been removed, whose tokens are no longer valid
 */
export function createSubjectLookup(
  subjects: Pick<Subjects, 'subjectOf'>,
  find: (clientId: ClientId) => SubjectClient | undefined,
): SubjectFor {
  return (clientId, userId) => {
    const client = find(clientId);
    return client === undefined ? userId : subjects.subjectOf(client, userId);
  };
}

/**
 * Returns the hosts in the redirect URIs. Ignores loopback hosts and private-use schemes, which unrelated clients may
 * share, because every machine has a loopback host and no registry assigns private-use schemes.
 */
export function sectorHosts(redirectUris: readonly string[]): readonly string[] {
  const hosts = redirectUris.flatMap((uri) => {
    const { protocol, hostname } = new URL(uri);
    return /^https?:$/.test(protocol) && !isLoopback(uri) ? [hostname] : [];
  });
  return [...new Set(hosts)];
}

/**
 * Returns the sector of the client (OpenID Connect Core §8.1): the host of the sector document, or the only host of
 * the redirect URIs. Otherwise, the client is a sector of its own. Clients in the same sector get the same pairwise
 * subjects.
 */
export function sectorOf({ clientId, redirectUris, openid }: SubjectClient): string {
  if (openid.sectorIdentifierUri !== null) return `host ${new URL(openid.sectorIdentifierUri).hostname}`;
  const [host, ...others] = sectorHosts(redirectUris);
  return host === undefined || others.length > 0 ? `client ${clientId}` : `host ${host}`;
}

/** @param key derives pairwise subjects; if it changed, every user would look like a new user to clients */
export function createSubjects(key: KeyObject): Subjects {
  const hmac = hmacSha256(key);
  const subjects: Subjects = {
    subjectOf(client, userId) {
      if (client.openid.subjectType === 'public') return userId;
      return hmac(`${userId} ${sectorOf(client)}`); // unambiguous, because the user id has a fixed length
    },
    isSubjectOf: (client, userId, subject) => subjects.subjectOf(client, userId) === subject,
  };
  return subjects;
}
