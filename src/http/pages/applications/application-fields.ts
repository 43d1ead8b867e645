import type { RegistrationErrors, RegistrationFields } from '../../../oauth/clients/registration-rules.ts';
import { formOf } from '../../pipeline/page-form.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { FieldErrors } from '../page-context.ts';
import type { ApplicationFormLocals } from './locals.ts';
import { OPENID_FORM_FIELDS, openIdValues, readOpenIdFields } from './openid-fields.ts';

/** The fields of the form that registers an application. */
export const BLANK_FIELDS: RegistrationFields = {
  name: '',
  clientType: 'confidential',
  grantTypes: ['authorization-code'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
};

/** @param known provides the fields that owners cannot change, and defaults for fields that the form leaves out */
export function readFields(
  ctx: RequestContext,
  known: Pick<
    RegistrationFields,
    'skipAuthorization' | 'restrictedScopes' | 'accessTokenFormat' | 'accessTokenAlgorithm' | 'openid'
  >,
): RegistrationFields {
  const form = formOf(ctx);
  return {
    name: form.input('name'),
    clientType: form.text('client_type'),
    grantTypes: form.list('authorization_grant_type'),
    redirectUris: form.words('redirect_uris'),
    allowedOrigins: form.words('allowed_origins'),
    skipAuthorization: known.skipAuthorization,
    restrictedScopes: known.restrictedScopes ?? [],
    accessTokenFormat: form.text('access_token_format') || known.accessTokenFormat,
    accessTokenAlgorithm: form.text('access_token_algorithm') || known.accessTokenAlgorithm,
    openid: readOpenIdFields(form, known.openid),
  };
}

const FORM_FIELDS: Readonly<Record<keyof RegistrationErrors, string>> = {
  name: 'name',
  clientType: 'client_type',
  grantTypes: 'authorization_grant_type',
  redirectUris: 'redirect_uris',
  allowedOrigins: 'allowed_origins',
  skipAuthorization: 'skip_authorization',
  restrictedScopes: 'restricted_scopes',
  accessTokenFormat: 'access_token_format',
  accessTokenAlgorithm: 'access_token_algorithm',
  ...OPENID_FORM_FIELDS,
};

/** The errors by the names of the form's fields. */
export function byFormField(errors: RegistrationErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, problem]) => [FORM_FIELDS[field as keyof RegistrationErrors], problem]),
  );
}

/** The fields as the form shows them. */
export function formValues(fields: RegistrationFields, errors: FieldErrors): ApplicationFormLocals['values'] {
  const { name, clientType, grantTypes, redirectUris, allowedOrigins, openid = {} } = fields;
  const { accessTokenFormat = 'opaque', accessTokenAlgorithm = 'RS256' } = fields;
  return {
    name,
    clientType,
    grants: grantTypes,
    redirectUris: redirectUris.join('\n'),
    allowedOrigins: allowedOrigins.join('\n'),
    accessTokenFormat,
    accessTokenAlgorithm,
    openid: openIdValues(openid, errors),
  };
}
