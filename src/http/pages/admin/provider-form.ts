import { toProviderFields } from '../../../oauth/upstream/provider-fields.ts';
import type { ProviderErrors, ProviderFields } from '../../../oauth/upstream/provider-rules.ts';
import type { UpstreamProvider } from '../../../projections/upstream-providers.ts';
import type { Form } from '../../pipeline/form.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import type { ProviderValues } from './provider-locals.ts';

const joinLines = (items: readonly string[]): string => items.join('\n');
/** Reverses `joinLines`. */
const splitLines = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

export function valuesFrom(id: string, fields: ProviderFields): ProviderValues {
  const { preset, name, issuer, clientId, authentication, linking, groupsClaim } = fields;
  return {
    id,
    preset,
    name,
    issuer,
    tenants: joinLines(fields.tenants),
    clientId,
    authentication,
    scopes: joinLines(fields.scopes),
    linking,
    options: [
      ...(fields.createsUsers ? ['creates-users'] : []),
      ...(fields.required ? ['required'] : []),
      ...(fields.disabled ? ['disabled'] : []),
    ],
    domains: joinLines(fields.domains),
    groupsClaim,
    roles: joinLines(fields.roles),
    groups: joinLines(fields.groups),
    secondFactorValues: joinLines(fields.secondFactorValues),
  };
}

export function valuesOf(provider: UpstreamProvider): ProviderValues {
  return valuesFrom(provider.providerId, toProviderFields(provider));
}

/** Returns the entered values except for the client secret, which no page shows again. */
export function readValues(form: Form): ProviderValues {
  return {
    id: form.trimmed('provider_id'),
    preset: form.text('provider_preset'),
    name: form.trimmed('provider_name'),
    issuer: form.trimmed('provider_issuer'),
    tenants: joinLines(form.lines('provider_tenants')),
    clientId: form.trimmed('provider_client_id'),
    authentication: form.text('provider_authentication'),
    scopes: joinLines(form.lines('provider_scopes')),
    linking: form.text('provider_linking'),
    options: [...form.list('provider_option'), ...form.list('provider_state')],
    domains: joinLines(form.lines('provider_domains')),
    groupsClaim: form.trimmed('provider_groups_claim'),
    roles: joinLines(form.lines('provider_roles')),
    groups: joinLines(form.lines('provider_groups')),
    secondFactorValues: joinLines(form.lines('provider_second_factor')),
  };
}

export function fieldsFrom(values: ProviderValues, secret: string): ProviderFields {
  const { preset, name, issuer, clientId, authentication, linking, groupsClaim, options } = values;
  return {
    preset,
    name,
    issuer,
    tenants: splitLines(values.tenants),
    clientId,
    authentication,
    secret,
    scopes: splitLines(values.scopes),
    linking,
    createsUsers: options.includes('creates-users'),
    domains: splitLines(values.domains),
    groupsClaim,
    roles: splitLines(values.roles),
    groups: splitLines(values.groups),
    secondFactorValues: splitLines(values.secondFactorValues),
    required: options.includes('required'),
    disabled: options.includes('disabled'),
  };
}

/** Returns the errors keyed by the form's field names. */
export function toFormErrors(errors: ProviderErrors): FieldErrors {
  return definedErrors({
    provider_id: errors.providerId,
    provider_preset: errors.preset,
    provider_name: errors.name,
    provider_issuer: errors.issuer,
    provider_tenants: errors.tenants,
    provider_client_id: errors.clientId,
    provider_authentication: errors.authentication,
    provider_secret: errors.secret,
    provider_scopes: errors.scopes,
    provider_linking: errors.linking,
    provider_option: errors.required,
    provider_domains: errors.domains,
    provider_groups_claim: errors.groupsClaim,
    provider_roles: errors.roles,
    provider_groups: errors.groups,
    provider_second_factor: errors.secondFactorValues,
  });
}
