import { MAX_LENGTH } from '../../domain/lengths.ts';
import type { Presentation } from '../../domain/presentation.ts';
import { invisibleCharacterProblem } from './application-name.ts';
import { hasScheme, isLoopback, uriFormProblem } from './redirect-uris.ts';
import { message, type Message } from '../../language/message.ts';

/** The presentation as entered. Empty strings and missing members mean null. */
export type PresentationFields = Partial<Presentation>;

/** The problem with each member; undefined for a valid one. */
export type PresentationProblems = { readonly [Member in keyof Presentation]?: Message | undefined };

/** Returns the presentation without surrounding spaces, and what to fix in each invalid member (RFC 7591 §2). */
export function checkPresentation(fields: PresentationFields): {
  readonly presentation: Presentation;
  readonly problems: PresentationProblems;
} {
  const entered = (member: keyof Presentation): string => fields[member] ?? '';
  const text = (member: keyof Presentation): string | null => entered(member).trim() || null;
  const presentation = {
    description: text('description'),
    homepageUri: text('homepageUri'),
    policyUri: text('policyUri'),
    tosUri: text('tosUri'),
  };
  const problems = {
    description: descriptionProblem(entered('description')),
    homepageUri: linkProblem('homepage', entered('homepageUri')),
    policyUri: linkProblem('policy', entered('policyUri')),
    tosUri: linkProblem('terms', entered('tosUri')),
  };
  return { presentation, problems };
}

/**
 * Returns the problem with the description, or undefined if it is valid. Surrounding spaces count towards the length:
 * trimming must not make an overlong description valid.
 */
function descriptionProblem(entered: string): Message | undefined {
  if (entered.length > MAX_LENGTH.applicationDescription)
    return message('problem.too-long', { limit: MAX_LENGTH.applicationDescription });
  return invisibleCharacterProblem(entered.trim());
}

/**
 * Returns the problem with the link, or undefined if it is valid. Users follow the link from the consent page, so it
 * must be as safe as that page.
 */
function linkProblem(what: 'homepage' | 'policy' | 'terms', entered: string): Message | undefined {
  const uri = entered.length > MAX_LENGTH.redirectUri ? entered : entered.trim();
  if (uri === '') return undefined;
  const [withoutFragment = ''] = uri.split('#', 1);
  const isTooLong = uri.length > MAX_LENGTH.redirectUri;
  if (!isTooLong && !hasScheme(uri)) return message('uri.link-not-full');
  const problem = uriFormProblem(isTooLong ? uri : withoutFragment);
  if (problem !== undefined) return message('uri.link', { what, problem });
  if (!/^[\x21-\x7e]*$/.test(uri) || /[\\<>"^`{|}]/.test(uri))
    return message('uri.link', { what, problem: message('uri.percent-encoding') });
  return new URL(withoutFragment).protocol === 'https:' || isLoopback(withoutFragment)
    ? undefined
    : message('uri.link', { what, problem: message('uri.https-or-loopback') });
}
