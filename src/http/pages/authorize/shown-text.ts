import { createHash } from 'node:crypto';
import type { ShownText } from '../../../domain/events.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { AuthorizationRequest } from '../../../oauth/endpoints/authorization-request.ts';
import { claimsBeyondScope } from '../../../oauth/openid/claims.ts';
import { claimsOfScope, type ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { WebSession } from '../../pipeline/web-session.ts';
import { claimNames } from './claim-names.ts';
import { sentencesOf, type DetailSentences } from './described-details.ts';
import type { DescribeScope } from './scope-descriptions.ts';
import { textVersion, type ConsentPage } from './text-version.ts';

/** What a consent page says about a request. */
export interface RequestText {
  /** To be sealed into the form, so that users approve the text that they have seen. */
  readonly inForm: string;
  /** Whether the form with `inForm` has the same text, apart from the name of the application. */
  isIn(inForm: string): boolean;
  /** What that form says about the scopes that the user allows, to be recorded. Undefined if it is too long. */
  about(allowed: Scope, inForm: string): ShownText | undefined;
}

/** Operators write descriptions of any length, and a record has at most 65,535 bytes. */
const MAX_CHARACTERS = 12_000;

/** Contains the names of claims and of members of details, but not their values, which are personal data. */
export function requestText(
  page: ConsentPage,
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
  const besides = openid === null ? [] : claimNames(claimsBeyondScope(openid.claims, scope, scopeClaims));
  const whole = {
    textVersion: textVersion(page),
    scopes: scope.map((name) => {
      const { description, effects } = describeScope(name, resource);
      const claims = openid === null ? [] : claimNames(claimsOfScope([name], scopeClaims));
      return { name, text: [description, ...effects], ...(claims.length === 0 ? {} : { claims }) };
    }),
    ...(besides.length === 0 ? {} : { claims: besides }),
    ...(details.length === 0 ? {} : { details: sentencesOf(details, detailTypes) }),
  };
  const id = createHash('sha256').update(JSON.stringify(whole)).digest('base64url');
  return {
    inForm: `${id} ${client.name}`,
    isIn: (inForm) => inForm.startsWith(`${id} `),
    about(allowed, inForm) {
      const application = inForm.slice(id.length + 1);
      const scopes = whole.scopes.filter(({ name }) => allowed.includes(name));
      const text = { ...whole, application, scopes };
      return JSON.stringify(text).length > MAX_CHARACTERS ? undefined : text;
    },
  };
}

/** Tells the user why the page is shown again. */
export function flashChangedText(webSession: Pick<WebSession, 'flash'>, { name }: { readonly name: string }): void {
  webSession.flash(`The description of what ${name} asks for has changed. Read it again before you decide.`, 'warning');
}
