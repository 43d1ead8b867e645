import { MAX_LENGTH } from '../../domain/lengths.ts';
import type { Presentation } from '../../domain/presentation.ts';
import { invisibleCharacterProblem } from './application-name.ts';
import { hasScheme, isLoopback, uriFormProblem } from './redirect-uris.ts';

/** As entered. An empty text is the same as null. Members that are left out are null. */
export type PresentationFields = Partial<Presentation>;

/** The problem of each member; undefined if there is none. */
export type PresentationProblems = { readonly [Member in keyof Presentation]?: string | undefined };

/** The validated presentation, and what to fix in each invalid member (RFC 7591 §2). */
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
    policyUri: linkProblem('privacy policy', entered('policyUri')),
    tosUri: linkProblem('terms of service', entered('tosUri')),
  };
  return { presentation, problems };
}

/** Surrounding spaces count towards the length: trimming must not make an overlong text valid. */
function descriptionProblem(entered: string): string | undefined {
  if (entered.length > MAX_LENGTH.applicationDescription)
    return `Use at most ${MAX_LENGTH.applicationDescription} characters.`;
  return invisibleCharacterProblem(entered.trim());
}

/** Users follow the link from the consent page, so it must be as safe as that page. */
function linkProblem(what: string, entered: string): string | undefined {
  const uri = entered.length > MAX_LENGTH.redirectUri ? entered : entered.trim();
  if (uri === '') return undefined;
  const [address = ''] = uri.split('#', 1);
  const isTooLong = uri.length > MAX_LENGTH.redirectUri;
  if (!isTooLong && !hasScheme(uri)) return 'Enter a full address, such as https://app.example.com.';
  const problem = uriFormProblem(isTooLong ? uri : address);
  if (problem !== undefined) return `The address of the ${what} ${problem}.`;
  if (!/^[\x21-\x7e]*$/.test(uri) || /[\\<>"^`{|}]/.test(uri))
    return `The address of the ${what} contains a character that must be percent-encoded.`;
  return new URL(address).protocol === 'https:' || isLoopback(address)
    ? undefined
    : `The address of the ${what} must use https; http is only allowed for 127.0.0.1, [::1] and localhost.`;
}
