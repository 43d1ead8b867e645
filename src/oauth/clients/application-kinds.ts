import type { ApplicationType, ClientType, RegisteredGrant } from '../../domain/values.ts';
import type { RegistrationFields } from './registration-rules.ts';
import { isUrl } from '../../platform/urls.ts';

/** The kinds of application that a developer can choose from. Each kind implies how the application obtains tokens. */
export const APPLICATION_KINDS = ['web', 'browser', 'native', 'device', 'machine'] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

interface ImpliedSettings {
  readonly clientType: ClientType;
  readonly grantTypes: readonly RegisteredGrant[];
  readonly applicationType?: ApplicationType;
}

/**
 * An application whose code users can inspect has no secret (RFC 6749 §2.1). Applications that run in the browser (RFC
 * 9700 §2.1.1) or on the user's device (RFC 8252 §8.5) are therefore public, and protect their authorization codes with
 * PKCE alone. Devices without a browser display a code instead (RFC 8628 §1).
 */
const IMPLIED_SETTINGS: Readonly<Record<ApplicationKind, ImpliedSettings>> = {
  web: { clientType: 'confidential', grantTypes: ['authorization-code'] },
  browser: { clientType: 'public', grantTypes: ['authorization-code'] },
  native: { clientType: 'public', grantTypes: ['authorization-code'], applicationType: 'native' },
  device: { clientType: 'public', grantTypes: ['device-code'] },
  machine: { clientType: 'confidential', grantTypes: ['client-credentials'] },
};

/**
 * The fields that a developer enters. For machines and devices, redirect URIs are ignored, because users are never
 * redirected to such applications.
 */
type EnteredFields = Pick<RegistrationFields, 'name' | 'redirectUris' | 'builtinCallback' | 'presentation'>;

/** Returns the registration of an application of this kind. */
export function registrationForKind(kind: ApplicationKind, fields: EnteredFields): RegistrationFields {
  const hasRedirects = kind !== 'machine' && kind !== 'device';
  return {
    ...fields,
    ...IMPLIED_SETTINGS[kind],
    redirectUris: hasRedirects ? fields.redirectUris : [],
    builtinCallback: hasRedirects && fields.builtinCallback === true,
    allowedOrigins: kind === 'browser' ? originsOf(fields.redirectUris) : [],
    skipAuthorization: false,
  };
}

/** Returns the origins of the pages to which users are redirected. Scripts on these pages request tokens (CORS). */
function originsOf(uris: readonly string[]): readonly string[] {
  const urls = uris.filter((uri) => isUrl(uri)).map((uri) => new URL(uri));
  return [...new Set(urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ origin }) => origin))];
}
