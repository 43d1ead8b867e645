import { defaultAuthentication } from '../../../domain/client-authentication.ts';
import { withoutDefaults } from '../../../oauth/clients/fapi2-rules.ts';
import {
  APPLICATION_KINDS,
  registrationForKind,
  type ApplicationKind,
} from '../../../oauth/clients/application-kinds.ts';
import { builtinCallbackUri } from '../../../oauth/clients/builtin-callback.ts';
import { readPastedKeys } from '../../../oauth/clients/pasted-keys.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { RegistrationErrors, RegistrationFields } from '../../../oauth/clients/registration-rules.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import type { Client } from '../../../projections/clients.ts';
import type { Form } from '../../pipeline/form.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import { joinTexts, type Text } from '../../../language/message.ts';
import type { ApplicationFormLocals, ApplicationKindFormLocals } from './form-locals.ts';
import { PRESENTATION_FORM_FIELDS, presentationValues, readPresentation } from './presentation-fields.ts';
import { annotatedMethods, readTlsSubject, tlsSubjectValues } from './authentication-fields.ts';
import { readSecurityFields, SECURITY_FORM_FIELDS, securityValues } from './security-fields.ts';
import { OPENID_FORM_FIELDS, openIdValues, readOpenIdFields } from './openid-fields.ts';

/** The initial fields of the form for registering an application. */
const BLANK_FIELDS: RegistrationFields = {
  name: '',
  clientType: 'confidential',
  grantTypes: ['authorization-code'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
};

/** Returns the kind of application named in the query; by default, a web application. */
export function requestedKind(ctx: RequestContext): ApplicationKind {
  const preset = queryOf(ctx).text('preset');
  return APPLICATION_KINDS.find((kind) => kind === preset) ?? APPLICATION_KINDS[0];
}

/** Returns the initial fields of the form for a kind of application. */
export function initialFields(kind: ApplicationKind): RegistrationFields {
  return { ...BLANK_FIELDS, ...registrationForKind(kind, { name: '', redirectUris: [] }) };
}

/**
 * Reads an application's fields from the form.
 * @param current the fields that are not on the form, and defaults for fields that were not submitted
 */
export function readFields(
  ctx: RequestContext,
  current: Pick<
    RegistrationFields,
    | 'skipAuthorization'
    | 'restrictedScopes'
    | 'accessTokenFormat'
    | 'accessTokenAlgorithm'
    | 'openid'
    | 'presentation'
    | 'mode'
    | 'secondFactorRequired'
    | 'authentication'
    | 'applicationType'
    | 'detailTypes'
    | 'security'
  > & { readonly clientType?: string },
): RegistrationFields {
  const form = formOf(ctx);
  return {
    name: form.input('name'),
    clientType: form.text('client_type'),
    grantTypes: form.list('authorization_grant_type'),
    redirectUris: form.words('redirect_uris'),
    builtinCallback: form.text('builtin_callback') !== '',
    allowedOrigins: form.words('allowed_origins'),
    skipAuthorization: current.skipAuthorization,
    restrictedScopes: current.restrictedScopes ?? [],
    accessTokenFormat: form.text('access_token_format') || current.accessTokenFormat,
    accessTokenAlgorithm: form.text('access_token_algorithm') || current.accessTokenAlgorithm,
    openid: readOpenIdFields(form, current.openid),
    presentation: readPresentation(form, current.presentation),
    mode: current.mode,
    applicationType: current.applicationType,
    detailTypes: readDetailTypes(form, current.detailTypes),
    security: readSecurityFields(form, current.security),
    secondFactorRequired: (form.text('second_factor') || secondFactorChoice(current)) === 'required',
    // The current authentication may not suit a different client type.
    authentication: form.text('client_type') === current.clientType ? current.authentication : undefined,
  };
}

/**
 * Reads the allowed types of authorization details from the form. Keeps the current types if `detail_type_limit` was
 * not submitted.
 * @returns null if all types are allowed; an empty list allows none
 */
function readDetailTypes(form: Form, current: RegistrationFields['detailTypes']): RegistrationFields['detailTypes'] {
  const limit = form.text('detail_type_limit');
  if (limit === '') return current;
  return limit === 'all' ? null : form.words('allowed_detail_types');
}

/** The fields of the form that asks for the application kind, except for the kind. */
export type KindFormFields = Pick<RegistrationFields, 'name' | 'redirectUris' | 'builtinCallback' | 'presentation'>;

function secondFactorChoice({ secondFactorRequired = false }: Pick<RegistrationFields, 'secondFactorRequired'>) {
  return secondFactorRequired ? 'required' : 'optional';
}

const FORM_FIELDS: Readonly<Record<keyof RegistrationErrors, string>> = {
  name: 'name',
  clientType: 'client_type',
  applicationType: 'client_type',
  detailTypes: 'allowed_detail_types',
  grantTypes: 'authorization_grant_type',
  redirectUris: 'redirect_uris',
  builtinCallback: 'builtin_callback',
  allowedOrigins: 'allowed_origins',
  skipAuthorization: 'skip_authorization',
  restrictedScopes: 'restricted_scopes',
  accessTokenFormat: 'access_token_format',
  accessTokenAlgorithm: 'access_token_algorithm',
  mode: 'mode',
  secondFactorRequired: 'second_factor',
  authentication: 'auth_method',
  ...OPENID_FORM_FIELDS,
  ...PRESENTATION_FORM_FIELDS,
  ...SECURITY_FORM_FIELDS,
};

/**
 * Reads the form that asks for the application kind.
 * @returns the kind and the other fields; undefined if the full form was submitted, which does not ask for the kind
 */
export function readKindForm(
  ctx: RequestContext,
): { readonly kind: string; readonly kindFields: KindFormFields } | undefined {
  const form = formOf(ctx);
  const kind = form.text('application_kind');
  if (kind === '') return undefined;
  const kindFields = {
    name: form.input('name'),
    redirectUris: form.words('redirect_uris'),
    builtinCallback: form.text('builtin_callback') !== '',
    presentation: readPresentation(form, undefined),
  };
  return { kind, kindFields };
}

/**
 * Returns the fields of a registered application, with the built-in callback page separate from the other redirect
 * URIs.
 */
export function fieldsOf(client: Client, issuer: string): RegistrationFields {
  const builtinUri = builtinCallbackUri(issuer, client.clientId);
  return {
    ...client,
    redirectUris: client.redirectUris.filter((uri) => uri !== builtinUri),
    builtinCallback: client.redirectUris.includes(builtinUri),
  };
}

/** Returns the errors, keyed by form field. */
export function toFormErrors(errors: RegistrationErrors): FieldErrors {
  const formErrors = new Map<string, readonly Text[]>();
  for (const [setting, problem] of Object.entries(errors)) {
    const field = FORM_FIELDS[setting as keyof RegistrationErrors];
    formErrors.set(field, [...(formErrors.get(field) ?? []), problem]);
  }
  return definedErrors(
    Object.fromEntries([...formErrors].map(([field, texts]) => [field, joinTexts(texts, 'problem.sentences')])),
  );
}

/**
 * Merges the errors of the registration rules with `otherErrors`, so that users can correct all fields at once. If a
 * field has both kinds of errors, `otherErrors` takes precedence.
 * @param fields have no authentication if `otherErrors` contains an error for `client_keys`
 */
export function addRegistrationErrors(
  otherErrors: FieldErrors,
  fields: RegistrationFields,
  registration: Pick<Registration, 'problems'>,
): FieldErrors {
  const registrationErrors = toFormErrors(registration.problems(fields) ?? {});
  if (otherErrors['client_keys'] === undefined) return { ...registrationErrors, ...otherErrors };
  const { auth_method: _, ...rest } = registrationErrors;
  return { ...rest, ...otherErrors };
}

/**
 * Returns the errors, keyed by field of the form for updating an application. That form has no authentication field,
 * because authentication has a separate page. An update can cause an authentication error only through a security
 * profile, so the error is shown next to the profile.
 */
export function toUpdateFormErrors(errors: RegistrationErrors): FieldErrors {
  const { auth_method: problem, ...otherErrors } = toFormErrors(errors);
  if (problem === undefined) return otherErrors;
  const profile = [otherErrors['security_profile'], problem].filter((text) => text !== undefined);
  return definedErrors({ ...otherErrors, security_profile: joinTexts(profile, 'problem.sentences') });
}

/**
 * Returns the fields. If a security profile is chosen, omits fields with default values, because the form does not show
 * whether the user chose a default on purpose.
 */
export function omitFormDefaults(fields: RegistrationFields): RegistrationFields {
  return (fields.security?.profile ?? null) === null ? fields : withoutDefaults(fields);
}

/**
 * Returns the fields as shown in the form.
 * @param pastedKeys null for an existing application
 */
export function formValues(
  fields: RegistrationFields,
  errors: FieldErrors,
  pastedKeys: string | null,
  certificates: CertificateSupport,
): ApplicationFormLocals['values'] {
  const { name, clientType, grantTypes, redirectUris, builtinCallback = false, allowedOrigins } = fields;
  const { accessTokenFormat = 'opaque', accessTokenAlgorithm = 'RS256', openid = {}, presentation = {} } = fields;
  const { secondFactorRequired = false } = fields;
  return {
    name,
    clientType,
    grants: grantTypes,
    redirectUris: redirectUris.join('\n'),
    builtinCallback,
    allowedOrigins: allowedOrigins.join('\n'),
    accessTokenFormat,
    accessTokenAlgorithm,
    secondFactor: secondFactorChoice({ secondFactorRequired }),
    detailTypeLimit: fields.detailTypes ? 'listed' : 'all',
    detailTypes: fields.detailTypes?.join('\n') ?? '',
    openid: openIdValues(openid, errors),
    security: securityValues(fields.security ?? {}, errors),
    authentication: pastedKeys === null ? null : authenticationValues(fields, pastedKeys, certificates),
    presentation: presentationValues(presentation, errors),
  };
}

function authenticationValues(
  { authentication }: RegistrationFields,
  keys: string,
  certificates: CertificateSupport,
): NonNullable<ApplicationFormLocals['values']['authentication']> {
  const { methods, tls = null } = authentication ?? defaultAuthentication('confidential');
  return { methods: annotatedMethods(certificates), chosen: methods, tls: tlsSubjectValues(tls), keys };
}

/**
 * Reads the authentication settings of a new application from the form.
 * @returns the chosen authentication, or a problem with the pasted keys. If the application is public or no method was
 *   chosen, the authentication is undefined, which means the default.
 */
export async function readAuthentication(
  ctx: RequestContext,
): Promise<{ readonly authentication: RegistrationFields['authentication'] } | { readonly problem: Text }> {
  const form = formOf(ctx);
  const [methods, pastedKeys] = [form.list('auth_method'), form.text('client_keys')];
  if (form.text('client_type') === 'public' || methods.length === 0) return { authentication: undefined };
  const result = pastedKeys.trim() === '' ? { keys: [] } : await readPastedKeys(pastedKeys);
  return 'problem' in result ? result : { authentication: { methods, keys: result.keys, tls: readTlsSubject(form) } };
}

/** Returns the values of the form that asks for the application kind. */
export function kindFormValues(
  kind: string,
  kindFields: KindFormFields,
  errors: FieldErrors,
): ApplicationKindFormLocals['values'] {
  const { name, redirectUris, builtinCallback = false, presentation = {} } = kindFields;
  return {
    kind,
    name,
    redirectUris: redirectUris.join('\n'),
    builtinCallback,
    presentation: presentationValues(presentation, errors),
  };
}
