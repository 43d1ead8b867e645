import { DEFAULT_OPENID, type OpenIdSettings } from '../../../domain/openid-settings.ts';
import type { OpenIdFields } from '../../../oauth/clients/openid-rules.ts';
import type { Form } from '../../pipeline/form.ts';
import type { FieldErrors } from '../page-context.ts';
import type { OpenIdValues } from './form-locals.ts';

/** The form field for each setting. */
export const OPENID_FORM_FIELDS = {
  idTokenAlgorithm: 'id_token_algorithm',
  userinfoAlgorithm: 'userinfo_algorithm',
  subjectType: 'subject_type',
  sectorIdentifierUri: 'sector_identifier_uri',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  backchannelLogoutUri: 'backchannel_logout_uri',
  backchannelLogoutSessionRequired: 'openid_requirement',
  initiateLoginUri: 'initiate_login_uri',
  defaultMaxAgeSeconds: 'default_max_age',
  requireAuthTime: 'openid_requirement',
} as const satisfies Readonly<Record<keyof OpenIdSettings, string>>;

const REQUIREMENTS = { session: 'session', loginTime: 'auth-time' } as const;

/**
 * Reads the OpenID Connect section of the form.
 * @param current the current values, kept if the form lacks this section (the hidden `openid` field is absent)
 */
export function readOpenIdFields(form: Form, current: OpenIdFields | undefined): OpenIdFields {
  if (form.text('openid') === '') return current ?? DEFAULT_OPENID;
  const requirements = form.list('openid_requirement');
  return {
    idTokenAlgorithm: form.text('id_token_algorithm') || DEFAULT_OPENID.idTokenAlgorithm,
    userinfoAlgorithm: form.text('userinfo_algorithm') || null,
    subjectType: form.text('subject_type') || DEFAULT_OPENID.subjectType,
    sectorIdentifierUri: form.trimmed('sector_identifier_uri') || null,
    postLogoutRedirectUris: form.words('post_logout_redirect_uris'),
    backchannelLogoutUri: form.trimmed('backchannel_logout_uri') || null,
    backchannelLogoutSessionRequired: requirements.includes(REQUIREMENTS.session),
    initiateLoginUri: form.trimmed('initiate_login_uri') || null,
    defaultMaxAgeSeconds: form.trimmed('default_max_age') || null,
    requireAuthTime: requirements.includes(REQUIREMENTS.loginTime),
  };
}

/** The settings in the subsection for user ids and signatures. */
const ID_SETTINGS = ['subjectType', 'sectorIdentifierUri', 'idTokenAlgorithm', 'userinfoAlgorithm'] as const;

/**
 * Returns the values of the section. The section is open if any setting differs from its default. If the form is
 * invalid, the section is open only if one of its own fields has an error.
 */
export function openIdValues(fields: OpenIdFields, errors: FieldErrors): OpenIdValues {
  const completeFields = { ...DEFAULT_OPENID, ...fields };
  const isInvalid = Object.keys(errors).length > 0;
  const hasError = (settings: readonly (keyof OpenIdSettings)[]): boolean =>
    settings.some((name) => errors[OPENID_FORM_FIELDS[name]] !== undefined);
  return {
    isOpen: isInvalid
      ? hasError(Object.keys(OPENID_FORM_FIELDS) as (keyof OpenIdSettings)[])
      : openIdDiffersFromDefault(fields),
    isIdSectionOpen: isInvalid
      ? hasError(ID_SETTINGS)
      : ID_SETTINGS.some((name) => completeFields[name] !== DEFAULT_OPENID[name]),
    postLogoutRedirectUris: completeFields.postLogoutRedirectUris.join('\n'),
    backchannelLogoutUri: completeFields.backchannelLogoutUri ?? '',
    initiateLoginUri: completeFields.initiateLoginUri ?? '',
    idTokenAlgorithm: completeFields.idTokenAlgorithm,
    userinfoAlgorithm: completeFields.userinfoAlgorithm ?? '',
    subjectType: completeFields.subjectType,
    sectorIdentifierUri: completeFields.sectorIdentifierUri ?? '',
    defaultMaxAge: String(completeFields.defaultMaxAgeSeconds ?? ''),
    requirements: [
      ...(completeFields.backchannelLogoutSessionRequired ? [REQUIREMENTS.session] : []),
      ...(completeFields.requireAuthTime ? [REQUIREMENTS.loginTime] : []),
    ],
  };
}

/** Reports whether any setting differs from its default. */
export function openIdDiffersFromDefault(fields: OpenIdFields): boolean {
  return JSON.stringify({ ...DEFAULT_OPENID, ...fields }) !== JSON.stringify(DEFAULT_OPENID);
}
