import { english } from '../../language/english.ts';
import { message, type Text } from '../../language/message.ts';
import type { Refusal } from '../../oauth/refusals/refusal.ts';

/** A value from the request that helps explain an error. The page escapes the text and never turns it into a link. */
export interface ErrorFact {
  readonly title: Text;
  readonly text: Text;
}

/** A link to a page that may help, such as the list of existing users. */
export interface ErrorLink {
  readonly href: string;
  readonly text: Text;
}

/** A kind of link that an error page shows in addition to the link to the home page. */
export type ErrorOffer = 'login' | 'new-reset-link' | 'form-again' | 'without-query';

/** An error that is shown to the caller. All of its text is public. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly status: number;
  readonly title: Text;
  /** The text for the reader. `message` contains the English version. */
  readonly text: Text;
  readonly advice: Text;
  /** The refusal to record; undefined if nothing is recorded. */
  readonly refusal: Refusal | undefined;
  /** Values from the request that the page shows. */
  readonly facts: readonly ErrorFact[];
  readonly offers: readonly ErrorOffer[];
  readonly link: ErrorLink | null;

  constructor(
    status: number,
    title: Text,
    text: Text,
    advice: Text = '',
    refusal?: Refusal,
    facts: readonly ErrorFact[] = [],
    offers: readonly ErrorOffer[] = [],
    link: ErrorLink | null = null,
  ) {
    super(english.text(text));
    this.status = status;
    this.title = title;
    this.text = text;
    this.advice = advice;
    this.refusal = refusal;
    this.facts = facts;
    this.offers = offers;
    this.link = link;
  }
}

/**
 * Returns the error for a page that does not exist. Also used for items that the caller may not see, because the
 * response must not reveal that they exist.
 */
export function notFound(): PageError {
  return new PageError(
    404,
    message('error.not-found'),
    message('error.not-found.text'),
    message('error.not-found.advice'),
  );
}

/** The path of the page that lists the items of each kind. */
const LIST_PATHS = {
  user: '/admin/users/',
  group: '/admin/groups/',
  application: '/admin/applications/',
  setting: '/admin/settings/',
  scope: '/admin/scopes/',
  provider: '/admin/providers/',
  issuer: '/admin/trusted-issuers/',
  policy: '/admin/exchange-policies/',
  event: '/audit/',
  grant: '/audit/',
  managed: '/o/applications/',
  resource: '/o/resources/',
} as const;

/**
 * Returns the error for the page of an item that does not exist. For `managed` and `resource`, the response is the same
 * for items that the caller does not manage, because the response must not reveal that they exist.
 */
export function missingItemError(kind: keyof typeof LIST_PATHS): PageError {
  return new PageError(
    404,
    message('error.missing', { what: kind }),
    message('error.missing.text', { what: kind }),
    message('error.missing.advice', { what: kind }),
    undefined,
    [],
    [],
    { href: LIST_PATHS[kind], text: message('error.missing.list', { what: kind }) },
  );
}

/**
 * Returns the error for a button on an outdated page, such as a page in a second tab, whose item no longer exists. The
 * text is the same for other users' items.
 * @param listTitle the title of the page that lists the remaining items
 */
export function noLongerExistsError(listTitle: Text): PageError {
  return new PageError(
    404,
    message('error.ended'),
    message('error.ended.text'),
    message('error.ended.advice', { page: listTitle }),
  );
}

/**
 * Returns the error for an outdated form: the value that the form replaces has changed since the form was rendered.
 * Submitting the form must not undo that change.
 */
export function outdatedFormError(): PageError {
  return new PageError(
    409,
    message('error.outdated-form'),
    message('error.outdated-form.text'),
    message('error.outdated-form.advice'),
  );
}

/** Returns the error for a request that failed after several retries, because other changes kept interfering. */
export function conflictError(status: 409 | 503, reader: 'user' | 'program'): PageError {
  const [text, advice] = CONFLICTING_CHANGE[reader];
  return new PageError(status, message('error.conflict'), text, advice);
}

const CONFLICTING_CHANGE = {
  user: [message('error.conflict.text'), message('error.conflict.advice')],
  program: [
    'Other requests kept changing the same data while this request was being processed. This request changed nothing.',
    'Send the same request again.',
  ],
} as const;
