import type { UserId } from '../../domain/values.ts';
import { EgressError } from '../../platform/egress/egress-failed.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import { message, type Message, type Text } from '../../language/message.ts';

/** Reads sector documents, which list the redirect URIs that share pairwise subjects (OpenID Connect Core §8.1). */
export interface SectorDocuments {
  /**
   * Returns the problem with the document, or undefined if it contains every redirect URI.
   * @param developer the user whose limit applies if the document is not cached; null for the operator, without a limit
   * @throws TooManyAttemptsError if the developer's limit is exhausted
   */
  problem(uri: string, redirectUris: readonly string[], developer: UserId | null): Promise<Message | undefined>;
}

/** The maximum number of URIs in a problem, enough to recognize the mistake. */
const MAX_LISTED_URIS = 3;

export function createSectorDocuments(
  egress: Pick<Egress, 'getJson'>,
  limits: Pick<RateLimits, 'spend'>,
): SectorDocuments {
  async function read(uri: string, developer: UserId | null): Promise<unknown> {
    return egress.getJson('sector-document', uri, () => {
      // A retried request finds the document in the cache, so it counts only once.
      if (developer !== null) limits.spend('sector-documents-by-user', developer, (_step, act) => act());
    });
  }

  return {
    async problem(uri, redirectUris, developer) {
      let document: unknown;
      try {
        document = await read(uri, developer);
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
  const [some, more] = [uris.slice(0, MAX_LISTED_URIS).join(', '), uris.length - MAX_LISTED_URIS];
  return more > 0 ? message('sector.some-of', { some, more }) : some;
}
