import { MAX_LENGTH } from '../../domain/lengths.ts';
import type { Presentation } from '../../domain/presentation.ts';
import { invisibleCharacterProblem } from './application-name.ts';
import { hasScheme, isLoopback, uriFormProblem } from './redirect-uris.ts';
import { message, type Message } from '../../language/message.ts';

/** The presentation as entered. Empty strings and missing members mean null. */
export type PresentationFields = Partial<Presentation>;

/** The problem with each member; undefined for a valid one. */
export type PresentationProblems = { readonly [Member in keyof Presentation]?: Message | undefined };

/** Returns the presentation with its values trimmed, and the problem with each invalid member (RFC 7591 §2). */
export function checkPresentation(fields: PresentationFields): {
  readonly presentation: Presentation;
  readonly problems: PresentationProblems;
} {
  const enteredValue = (member: keyof Presentation): string => fields[member] ?? '';
  const trimmedValue = (member: keyof Presentation): string | null => enteredValue(member).trim() || null;
  const presentation = {
    description: trimmedValue('description'),
    homepageUri: trimmedValue('homepageUri'),
    policyUri: trimmedValue('policyUri'),
    tosUri: trimmedValue('tosUri'),
  };
  const problems = {
    description: descriptionProblem(enteredValue('description')),
    homepageUri: linkProblem('homepage', enteredValue('homepageUri')),
    policyUri: linkProblem('policy', enteredValue('policyUri')),
    tosUri: linkProblem('terms', enteredValue('tosUri')),
  };
  return { presentation, problems };
}

/**
 * Returns the problem with the description, or undefined if it is valid. Surrounding whitespace counts toward the
 * length: trimming must not make an overlong description valid.
 */
function descriptionProblem(description: string): Message | undefined {
  if (description.length > MAX_LENGTH.applicationDescription)
    return message('problem.too-long', { limit: MAX_LENGTH.applicationDescription });
  return invisibleCharacterProblem(description.trim());
}

/**
 * Returns the problem with the link, or undefined if it is valid. Users follow the link from the consent page, so it
 * must use https, except for loopback hosts.
 */
function linkProblem(kind: 'homepage' | 'policy' | 'terms', enteredLink: string): Message | undefined {
  const uri = enteredLink.length > MAX_LENGTH.redirectUri ? enteredLink : enteredLink.trim();
  if (uri === '') return undefined;
  const [withoutFragment = ''] = uri.split('#', 1);
  const isTooLong = uri.length > MAX_LENGTH.redirectUri;
  if (!isTooLong && !hasScheme(uri)) return message('uri.link-not-full');
  const problem = uriFormProblem(isTooLong ? uri : withoutFragment);
  if (problem !== undefined) return message('uri.link', { what: kind, problem });
  if (!/^[\x21-\x7e]*$/.test(uri) || /[\\<>"^`{|}]/.test(uri))
    return message('uri.link', { what: kind, problem: message('uri.percent-encoding') });
  return new URL(withoutFragment).protocol === 'https:' || isLoopback(withoutFragment)
    ? undefined
    : message('uri.link', { what: kind, problem: message('uri.https-or-loopback') });
}
