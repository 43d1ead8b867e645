import type { UserId } from '../../domain/values.ts';
import { EgressError } from '../../platform/egress/egress-failed.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import { message, type Message, type Text } from '../../language/message.ts';

/**
 * Reads sector documents, which list the redirect URIs of the clients that share pairwise subjects (OpenID Connect Core
 * §8.1).
 */
export interface SectorDocuments {
  /**
   * Returns the problem with the document, or undefined if it contains every redirect URI.
   * @param userId the user who registers or changes the client, whose limit applies if the document is not cached; null
   * for any other actor, who has no limit
   * @throws TooManyAttemptsError if the user's limit is exhausted
   */
  problem(uri: string, redirectUris: readonly string[], userId: UserId | null): Promise<Message | undefined>;
}

/** The maximum number of URIs in a message, enough to recognize the mistake. */
const MAX_LISTED_URIS = 3;

export function createSectorDocuments(
  egress: Pick<Egress, 'getJson'>,
  limits: Pick<RateLimits, 'spend'>,
): SectorDocuments {
  async function read(uri: string, userId: UserId | null): Promise<unknown> {
    return egress.getJson('sector-document', uri, () => {
      // A retry finds the document in the cache, so the request counts only once.
      if (userId !== null) limits.spend('sector-documents-by-user', userId, (_step, act) => act());
    });
  }

  return {
    async problem(uri, redirectUris, userId) {
      let document: unknown;
      try {
        document = await read(uri, userId);
      } catch (error) {
        if (error instanceof EgressError) return message('sector.unreadable', { uri, problem: error.problem });
        throw error;
      }
      if (!Array.isArray(document) || !document.every((entry) => typeof entry === 'string'))
        return message('sector.not-a-list', { uri });
      const listedUris = new Set<string>(document);
      const missingUris = redirectUris.filter((redirectUri) => !listedUris.has(redirectUri));
      return missingUris.length === 0 ? undefined : message('sector.lacks', { uri, missing: listUris(missingUris) });
    },
  };
}

function listUris(uris: readonly string[]): Text {
  const listedText = uris.slice(0, MAX_LISTED_URIS).join(', ');
  const unlistedCount = uris.length - MAX_LISTED_URIS;
  return unlistedCount > 0 ? message('sector.some-of', { some: listedText, more: unlistedCount }) : listedText;
}
