import type { EpochSeconds } from '../../../domain/values.ts';
import type { Explanation } from '../../../oauth/refusals/explanations.ts';
import type { Text } from '../../../language/message.ts';
import type { PageContext } from '../page-context.ts';
import type { RefusalStep } from './refusal-steps.ts';

/** An explained refusal. */
export interface RefusalLocals {
  readonly requestId: string;
  readonly at: EpochSeconds;
  /** The method and path. */
  readonly request: string;
  /** The OAuth error code, or null. */
  readonly error: string | null;
  /** Whether the request may have come from someone else who knows the client id. */
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
  /** The application, with its page; null if it is unknown or was removed. */
  readonly application: { readonly name: string; readonly href: string } | null;
  /** The list that the page belongs to. */
  readonly list: { readonly href: string; readonly text: Text };
  /** Whether the page belongs to the administration, because the reader does not own the application. */
  readonly isAdministration: boolean;
  /** Pages that may help. */
  readonly steps: readonly RefusalStep[];
}

/**
 * The endpoints whose refusals are marked if the application did not authenticate. Most other endpoints are for
 * browsers, which cannot authenticate the application.
 */
const AUTHENTICATED_PATHS = [
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
    isUnverified: clientId !== null && !isProven && AUTHENTICATED_PATHS.some((start) => path.startsWith(start)),
    headline,
    ...messages,
  };
}

/** Returns the path of the page that explains the refusal to users who may see it. */
export function refusalPath(requestId: string): string {
  return `/o/refusals/${encodeURIComponent(requestId)}/`;
}
