import type { EpochSeconds } from '../../../domain/values.ts';
import type { Explanation } from '../../../oauth/refusals/explanations.ts';
import type { Text } from '../../../language/message.ts';
import type { PageContext } from '../page-context.ts';
import type { RefusalStep } from './refusal-steps.ts';

/** A refused request and its explanation. */
export interface RefusalLocals {
  readonly requestId: string;
  readonly at: EpochSeconds;
  /** The method and path. */
  readonly request: string;
  /** The OAuth error code, or null. */
  readonly error: string | null;
  /** Whether anyone who knows the client id could have sent the request. */
  readonly isUnverified: boolean;
  /** The refusal in a few words. */
  readonly headline: Text;
  readonly rule: Text;
  readonly expected: Text;
  readonly seen: Text;
  readonly advice: Text;
}

/** The page that explains a refusal. */
export interface RefusalPageLocals extends PageContext {
  readonly refusal: RefusalLocals;
  /** The application and the path of its page; null if the application is unknown or was removed. */
  readonly application: { readonly name: string; readonly href: string } | null;
  /** The list that contains the refusal. */
  readonly list: { readonly href: string; readonly text: Text };
  /** Whether the page appears as an administration page, because the reader does not own the application. */
  readonly isAdministration: boolean;
  /** Pages that may help. */
  readonly steps: readonly RefusalStep[];
}

/**
 * The prefixes of the paths at which clients authenticate. Refusals at these paths are marked as unverified if the
 * client did not authenticate. Most other paths are for browsers, which cannot authenticate a client.
 */
const CLIENT_PATH_PREFIXES = [
  '/o/token',
  '/o/introspect',
  '/o/revoke_token',
  '/o/par',
  '/o/device_authorization',
  '/o/device-authorization',
  '/o/register',
];

export function refusalLocals(explanation: Explanation): RefusalLocals {
  const { id, at, method, path, error, clientId, isProven, headline, messages } = explanation;
  return {
    requestId: id,
    at: at as EpochSeconds,
    request: `${method} ${path}`,
    error,
    isUnverified: clientId !== null && !isProven && CLIENT_PATH_PREFIXES.some((prefix) => path.startsWith(prefix)),
    headline,
    ...messages,
  };
}

/** Returns the path of the page that explains the refusal to users who may see it. */
export function refusalPath(requestId: string): string {
  return `/o/refusals/${encodeURIComponent(requestId)}/`;
}
