import { fieldsOf } from '../../../oauth/upstream/provider-fields.ts';
import type { ProviderErrors, ProviderFields } from '../../../oauth/upstream/provider-rules.ts';
import type { UpstreamProvider } from '../../../projections/upstream-providers.ts';
import type { Form } from '../../pipeline/form.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import type { ProviderValues } from './provider-locals.ts';

const lines = (items: readonly string[]): string => items.join('\n');

/** Lines, without blank ones: groups can contain spaces. */
function itemsIn(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function valuesFrom(id: string, fields: ProviderFields): ProviderValues {
  const { preset, name, issuer, clientId, authentication, linking, groupsClaim } = fields;
  return {
    id,
    preset,
    name,
    issuer,
    tenants: lines(fields.tenants),
    clientId,
    authentication,
    scopes: lines(fields.scopes),
    linking,
    options: [...(fields.createsUsers ? ['creates-users'] : []), ...(fields.required ? ['required'] : [])],
    domains: lines(fields.domains),
    groupsClaim,
    roles: lines(fields.roles),
    groups: lines(fields.groups),
    secondFactorValues: lines(fields.secondFactorValues),
  };
}

export function valuesOf(provider: UpstreamProvider): ProviderValues {
  return valuesFrom(provider.providerId, fieldsOf(provider));
}

/** Without the client secret, which no page shows again. */
export function enteredValues(form: Form): ProviderValues {
  return {
    id: form.trimmed('provider_id'),
    preset: form.text('provider_preset'),
    name: form.trimmed('provider_name'),
    issuer: form.trimmed('provider_issuer'),
    tenants: lines(itemsIn(form.input('provider_tenants'))),
    clientId: form.trimmed('provider_client_id'),
    authentication: form.text('provider_authentication'),
    scopes: lines(itemsIn(form.input('provider_scopes'))),
    linking: form.text('provider_linking'),
    options: form.list('provider_option'),
    domains: lines(itemsIn(form.input('provider_domains'))),
    groupsClaim: form.trimmed('provider_groups_claim'),
    roles: lines(itemsIn(form.input('provider_roles'))),
    groups: lines(itemsIn(form.input('provider_groups'))),
    secondFactorValues: lines(itemsIn(form.input('provider_second_factor'))),
  };
}

export function fieldsFrom(values: ProviderValues, secret: string): ProviderFields {
  const { preset, name, issuer, clientId, authentication, linking, groupsClaim, options } = values;
  return {
    preset,
    name,
    issuer,
    tenants: itemsIn(values.tenants),
    clientId,
    authentication,
    secret,
    scopes: itemsIn(values.scopes),
    linking,
    createsUsers: options.includes('creates-users'),
    domains: itemsIn(values.domains),
    groupsClaim,
    roles: itemsIn(values.roles),
    groups: itemsIn(values.groups),
    secondFactorValues: itemsIn(values.secondFactorValues),
    required: options.includes('required'),
  };
}

/** The errors by the names of the form's fields. */
export function byFormField(errors: ProviderErrors): FieldErrors {
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
