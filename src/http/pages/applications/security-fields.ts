import { DEFAULT_SECURITY, type SecuritySettings } from '../../../domain/security-settings.ts';
import type { SecurityFields } from '../../../oauth/clients/security-rules.ts';
import type { Form } from '../../pipeline/form.ts';
import type { FieldErrors } from '../page-context.ts';
import type { SecurityValues } from './form-locals.ts';

/** The form field for each setting. */
export const SECURITY_FORM_FIELDS = {
  profile: 'security_profile',
  dpopBoundAccessTokens: 'token_binding',
  tlsBoundAccessTokens: 'token_binding',
  requirePushedAuthorizationRequests: 'request_requirement',
  requireSignedRequestObject: 'request_requirement',
  requestObjectAlgorithm: 'request_object_algorithm',
  requestUris: 'request_uris',
  authorizationResponseAlgorithm: 'authorization_response_algorithm',
  introspectionAlgorithm: 'introspection_algorithm',
} as const satisfies Readonly<Record<keyof SecuritySettings, string>>;

const BINDINGS = { dpop: 'dpop', tls: 'certificate' } as const;
const REQUIREMENTS = { pushed: 'pushed', signed: 'signed' } as const;

/**
 * Reads the security section of the form.
 * @param current the values to return if the form lacks this section and its hidden `security` field; if undefined, the
 *   defaults are returned
 */
export function readSecurityFields(form: Form, current: SecurityFields | undefined): SecurityFields {
  if (form.text('security') === '') return current ?? DEFAULT_SECURITY;
  const requirements = form.list('request_requirement');
  const binding = form.text('token_binding');
  return {
    profile: form.text('security_profile') || null,
    dpopBoundAccessTokens: binding === BINDINGS.dpop,
    tlsBoundAccessTokens: binding === BINDINGS.tls,
    requirePushedAuthorizationRequests: requirements.includes(REQUIREMENTS.pushed),
    requireSignedRequestObject: requirements.includes(REQUIREMENTS.signed),
    requestObjectAlgorithm: form.text('request_object_algorithm') || null,
    requestUris: form.words('request_uris'),
    authorizationResponseAlgorithm:
      form.text('authorization_response_algorithm') || DEFAULT_SECURITY.authorizationResponseAlgorithm,
    introspectionAlgorithm: form.text('introspection_algorithm') || DEFAULT_SECURITY.introspectionAlgorithm,
  };
}

/** The settings in the signature subsection. */
const SIGNATURE_SETTINGS = [
  'requestObjectAlgorithm',
  'requestUris',
  'authorizationResponseAlgorithm',
  'introspectionAlgorithm',
] as const;

/**
 * Returns the values of the security section. If the form is valid, the section is open if any of its settings differ
 * from the defaults. If the form is invalid, the section is open if any of its fields have errors. The same rules apply
 * to the signature subsection.
 */
export function securityValues(fields: SecurityFields, errors: FieldErrors): SecurityValues {
  const completeFields = { ...DEFAULT_SECURITY, ...fields };
  const isInvalid = Object.keys(errors).length > 0;
  const shouldBeOpen = (settings: readonly (keyof SecuritySettings)[]): boolean =>
    settings.some((name) =>
      isInvalid
        ? errors[SECURITY_FORM_FIELDS[name]] !== undefined
        : JSON.stringify(completeFields[name]) !== JSON.stringify(DEFAULT_SECURITY[name]),
    );
  return {
    isOpen: shouldBeOpen(Object.keys(SECURITY_FORM_FIELDS) as (keyof SecuritySettings)[]),
    isSignatureSectionOpen: shouldBeOpen(SIGNATURE_SETTINGS),
    profile: completeFields.profile ?? '',
    binding: completeFields.dpopBoundAccessTokens
      ? BINDINGS.dpop
      : completeFields.tlsBoundAccessTokens
        ? BINDINGS.tls
        : '',
    requirements: [
      ...(completeFields.requirePushedAuthorizationRequests ? [REQUIREMENTS.pushed] : []),
      ...(completeFields.requireSignedRequestObject ? [REQUIREMENTS.signed] : []),
    ],
    requestObjectAlgorithm: completeFields.requestObjectAlgorithm ?? '',
    requestUris: completeFields.requestUris.join('\n'),
    authorizationResponseAlgorithm: completeFields.authorizationResponseAlgorithm,
    introspectionAlgorithm: completeFields.introspectionAlgorithm,
  };
}
