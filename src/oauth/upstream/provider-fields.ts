import { PROVIDER_PRESETS, type ProviderSettings } from '../../domain/provider-settings.ts';
import { PRESETS } from './presets.ts';
import { formatGroup, formatRole, type ProviderFields } from './provider-rules.ts';

/** Returns the fields of a new provider, with the usual values for its kind. */
export function newProviderFields(preset: string): ProviderFields {
  const defaults = PRESETS[PROVIDER_PRESETS.find((name) => name === preset) ?? 'custom'];
  return {
    preset,
    name: defaults.title ?? '',
    issuer: defaults.issuer ?? '',
    tenants: [],
    clientId: '',
    authentication: defaults.authentication,
    secret: '',
    scopes: defaults.scopes,
    linking: 'explicit',
    createsUsers: false,
    domains: [],
    groupsClaim: '',
    roles: [],
    groups: [],
    secondFactorValues: [],
    required: false,
    disabled: false,
  };
}

/** Returns the current settings as fields. The client secret is empty, so that saving the fields does not change it. */
export function toProviderFields(settings: ProviderSettings): ProviderFields {
  const { preset, name, issuer, tenants, clientId, authentication, scopes, linking, createsUsers } = settings;
  return {
    preset,
    name,
    issuer,
    tenants,
    clientId,
    authentication,
    secret: '',
    scopes,
    linking,
    createsUsers,
    domains: settings.domains,
    groupsClaim: settings.groupsClaim ?? '',
    roles: settings.roles.map(formatRole),
    groups: settings.groups.map(formatGroup),
    secondFactorValues: settings.secondFactorValues,
    required: settings.required,
    disabled: settings.disabled === true,
  };
}
