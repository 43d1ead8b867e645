import type { Refusal } from '../../oauth/refusals/refusal.ts';

/** An error that is shown to the caller. All of its text is public. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly status: number;
  readonly title: string;
  readonly advice: string;
  /** Set if the refusal is recorded. */
  readonly refusal: Refusal | undefined;

  constructor(status: number, title: string, message: string, whatToDo = '', refusal?: Refusal) {
    super(message);
    this.status = status;
    this.title = title;
    this.advice = whatToDo;
    this.refusal = refusal;
  }
}

/** Also for what belongs to another user: the response must not reveal that it exists. */
export function notFound(): PageError {
  return new PageError(
    404,
    'Page not found',
    'There is no page at this address.',
    'Check the address, or start from the home page.',
  );
}

/**
 * For a button on an outdated page, such as one in a second tab. The text is the same for another user's things.
 * @param where the title of the page that lists what is left
 */
export function alreadyEnded(where: string): PageError {
  return new PageError(
    404,
    'It has ended already',
    'Nothing of yours is left to end here, so nothing was changed.',
    `See what there is now under “${where}”.`,
  );
}

/** For a form that was rendered before the last change of what it replaces. It must not undo that change. */
export function outdatedForm(): PageError {
  return new PageError(
    409,
    'This form is out of date',
    'It was sent before, or its page was opened before the last change. Nothing was changed.',
    'Open the page again to change it once more.',
  );
}

/** For a request that was decided again and again, because what it depends on changed each time. */
export function conflictingChange(status: 409 | 503, reader: 'user' | 'program'): PageError {
  const [message, whatToDo] = CONFLICTING_CHANGE[reader];
  return new PageError(status, 'Something else was changed first', message, whatToDo);
}

const CONFLICTING_CHANGE = {
  user: [
    'Your account, or what you wanted to change, was changed while this request was in flight. Nothing was done.',
    'Go back, look at how things are now, and try again.',
  ],
  program: [
    'The user or the client was changed each time that this request was decided. Nothing was done.',
    'Send the same request again.',
  ],
} as const;
