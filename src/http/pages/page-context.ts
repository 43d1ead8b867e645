import type { Role } from '../../domain/events.ts';
import type { Language } from '../../language/languages.ts';
import type { Text } from '../../language/message.ts';
import { readerLanguage } from '../pipeline/reader-language.ts';
import { readerTimeZone, type ReaderTimeZone } from '../pipeline/reader-time-zone.ts';
import type { Flash, LoggedInUser } from '../pipeline/web-session.ts';
import type { RequestContext } from '../pipeline/state.ts';

/** The logged-in user. */
export interface PageUser {
  readonly username: string;
  /** Used only to select the elements of pages, such as navigation entries. */
  readonly roles: readonly Role[];
}

/** The locals of the layout. */
export interface PageContext {
  /** The logged-in user, or null for a visitor. */
  readonly user: PageUser | null;
  /** The session's CSRF token, for every form on the page. */
  readonly csrfToken: string;
  /** The request path, which determines the current navigation entry. */
  readonly path: string;
  /** A message about the previous request, or null. */
  readonly flash: Flash | null;
  /** The language that the reader prefers, or null. */
  readonly readerLanguage: Language | null;
  /** The reader's time zone, or null if unknown. */
  readonly timeZone: ReaderTimeZone | null;
}

/** Error messages, keyed by field name. Messages with other keys are shown only above the form. */
export type FieldErrors = Readonly<Record<string, Text>>;

/** Returns the context of a page that visitors and logged-in users may see. */
export function pageContext(ctx: RequestContext): PageContext {
  const caller = ctx.state.webSession.loggedInUser();
  return caller === undefined ? { user: null, ...sharedContext(ctx) } : pageContextFor(ctx, caller);
}

/** Returns the context of a page that only logged-in users see. */
export function pageContextFor(ctx: RequestContext, { user }: LoggedInUser): PageContext & { readonly user: PageUser } {
  const timeZone = readerTimeZone(ctx, user.profile.zoneinfo);
  return { user: { username: user.username, roles: user.roles }, ...sharedContext(ctx), timeZone };
}

function sharedContext(ctx: RequestContext): Omit<PageContext, 'user'> {
  const { webSession } = ctx.state;
  const [csrfToken, flash] = [webSession.csrfToken(), webSession.takeFlash()];
  return { csrfToken, path: ctx.path, flash, readerLanguage: readerLanguage(ctx), timeZone: readerTimeZone(ctx) };
}

/** Returns the errors, omitting the fields that have none. */
export function definedErrors<Problem extends Text>(
  errors: Readonly<Record<string, Problem | undefined>>,
): Readonly<Record<string, Problem>> {
  return Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, Problem] => entry[1] !== undefined),
  );
}
