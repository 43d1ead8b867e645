import { createHash } from 'node:crypto';
import type { ShownText } from '../../../domain/events.ts';
import type { Scope } from '../../../domain/scope.ts';
import { isLanguage, type Language } from '../../../language/languages.ts';
import { message, type Text } from '../../../language/message.ts';
import { createTranslators } from '../../../language/translators.ts';
import type { AuthorizationRequest } from '../../../oauth/endpoints/authorization-request.ts';
import { claimsBeyondScope } from '../../../oauth/openid/claims.ts';
import { claimsOfScope, type ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { WebSession } from '../../pipeline/web-session.ts';
import { claimNames } from './claim-names.ts';
import { sentencesOf, type DetailSentences } from './described-details.ts';
import type { DescribeScope } from './scope-descriptions.ts';
import { textVersion, type ConsentPage } from './text-version.ts';

/** The text of the consent page for a request. */
export interface RequestText {
  /** The value to seal into the form, so that users approve the text that they have seen. */
  readonly formValue: string;
  /** Reports whether the form with this value showed the same text, apart from the application's name. */
  matches(formValue: string): boolean;
  /**
   * Returns the text to record: the text of the form without the scopes that the user left out. Returns undefined if
   * the text is too long.
   */
  allowedPart(allowedScope: Scope, formValue: string): ShownText | undefined;
}

/**
 * The maximum length of a recorded text. Operators can configure descriptions of any length, but a record has at most
 * 65,535 bytes.
 */
const MAX_CHARACTERS = 12_000;

const translators = createTranslators();

/**
 * Returns the text of a consent page. The text contains the names of claims and of members of authorization details,
 * but not their values, because the values are personal data.
 */
export function requestText(
  page: ConsentPage,
  language: Language,
  {
    client,
    scope,
    resource,
    details,
    openid,
  }: Pick<AuthorizationRequest, 'scope' | 'resource' | 'details' | 'openid'> & {
    readonly client: { readonly name: string };
  },
  describeScope: DescribeScope,
  scopeClaims: ScopeClaims,
  detailTypes: DetailSentences,
): RequestText {
  const translate = (texts: readonly Text[]): readonly string[] => texts.map(translators[language].text);
  const individualClaims =
    openid === null ? [] : translate(claimNames(claimsBeyondScope(openid.claims, scope, scopeClaims)));
  const completeText = {
    textVersion: textVersion(page, language),
    scopes: scope.map((name) => {
      const { description, effects } = describeScope(name, resource);
      const claims = openid === null ? [] : translate(claimNames(claimsOfScope([name], scopeClaims)));
      return { name, text: translate([description, ...effects]), ...(claims.length === 0 ? {} : { claims }) };
    }),
    ...(individualClaims.length === 0 ? {} : { claims: individualClaims }),
    ...(details.length === 0 ? {} : { details: sentencesOf(details, detailTypes) }),
  };
  const id = createHash('sha256').update(JSON.stringify(completeText)).digest('base64url');
  const prefix = `${language} ${id} `;
  return {
    formValue: `${prefix}${client.name}`,
    matches: (formValue) => formValue.startsWith(prefix),
    allowedPart(allowedScope, formValue) {
      const application = formValue.slice(prefix.length);
      const scopes = completeText.scopes.filter(({ name }) => allowedScope.includes(name));
      const text = { ...completeText, application, scopes };
      return JSON.stringify(text).length > MAX_CHARACTERS ? undefined : text;
    },
  };
}

/** Returns the language in which the form was shown, or undefined for an empty value or one from an earlier release. */
export function languageOfForm(formValue: string): Language | undefined {
  const [tag = ''] = formValue.split(' ', 1);
  return isLanguage(tag) ? tag : undefined;
}

/** Shows a warning on the next page that explains why the user must decide again. */
export function flashChangedText(webSession: Pick<WebSession, 'flash'>, { name }: { readonly name: string }): void {
  webSession.flash(message('consent.changed-text', { application: name }), 'warning');
}
