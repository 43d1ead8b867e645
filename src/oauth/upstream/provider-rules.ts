import { ROLES, type Role } from '../../domain/events.ts';
import {
  LINKING_RULES,
  PROVIDER_AUTHENTICATION,
  PROVIDER_PRESETS,
  type ProviderSettings,
} from '../../domain/provider-settings.ts';
import { isScopeToken } from '../../domain/scope.ts';
import { hasInvisibleCharacter } from '../../domain/user-name.ts';
import { joinTexts, message, type Message } from '../../language/message.ts';
import { outgoingUrlProblem, type OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import { isMultiTenant, PRESETS, TENANT_ID } from './presets.ts';

/** A provider's settings as entered, not yet validated. */
export interface ProviderFields {
  readonly preset: string;
  readonly name: string;
  /** Empty to use the preset's issuer. */
  readonly issuer: string;
  readonly tenants: readonly string[];
  readonly clientId: string;
  readonly authentication: string;
  /** A new client secret; empty to keep the current one. */
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly linking: string;
  readonly createsUsers: boolean;
  readonly domains: readonly string[];
  /** Empty to ignore groups. */
  readonly groupsClaim: string;
  /** Each in the form `ROLE=GROUP`, with the name of a group at the provider. */
  readonly roles: readonly string[];
  /** Each in the form `NAME=GROUP`, with the names of a group here and of a group at the provider. */
  readonly groups: readonly string[];
  readonly secondFactorValues: readonly string[];
  readonly required: boolean;
  /** Whether login through the provider is turned off. Its configuration is kept. */
  readonly disabled: boolean;
}

/** The problem with each invalid field. */
export type ProviderErrors = { readonly [Field in keyof ProviderFields | 'providerId']?: Message };

type CheckedSettings = Omit<ProviderSettings, 'sealedSecret'>;

/** The maximum length of each list. Every event that sets a provider contains all the lists. */
const MAX_ITEMS = 50;
const MAX_NAME_LENGTH = 60;
const MAX_TEXT_LENGTH = 254;
const MAX_SECRET_LENGTH = 512;

/** Returns the problem with a new provider's id, or undefined if it is valid. */
export function providerIdProblem(id: string): Message | undefined {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(id) ? undefined : message('provider-problem.id');
}

/**
 * Validates the entered settings of a provider.
 * @param currentSettings the current settings; null for a new provider
 * @returns the settings to record, or the problems
 */
export function checkProvider(
  fields: ProviderFields,
  currentSettings: Pick<ProviderSettings, 'issuer' | 'sealedSecret'> | null,
  settings: OutgoingUrlSettings,
): { readonly settings: CheckedSettings } | { readonly errors: ProviderErrors } {
  const preset = PROVIDER_PRESETS.find((name) => name === fields.preset) ?? 'custom';
  const issuer = fields.issuer === '' ? (PRESETS[preset].issuer ?? '') : fields.issuer;
  const roles = fields.roles.map(parseRole);
  const groups = fields.groups.map(parseGroup);
  const checkedSettings: CheckedSettings = {
    preset,
    name: fields.name,
    issuer,
    tenants: unique(fields.tenants).map((tenant) => tenant.toLowerCase()),
    clientId: fields.clientId,
    authentication: PROVIDER_AUTHENTICATION.find((name) => name === fields.authentication) ?? 'none',
    scopes: unique(fields.scopes.length === 0 ? PRESETS[preset].scopes : fields.scopes),
    linking: LINKING_RULES.find((name) => name === fields.linking) ?? 'explicit',
    createsUsers: fields.createsUsers,
    domains: unique(fields.domains).map((domain) => domain.toLowerCase()),
    groupsClaim: fields.groupsClaim === '' ? null : fields.groupsClaim,
    roles: roles.flatMap((role) => role ?? []),
    groups: groups.flatMap((group) => group ?? []),
    secondFactorValues: unique(fields.secondFactorValues),
    required: fields.required,
    ...(fields.disabled && { disabled: true as const }),
  };
  const problems: ProviderErrors = {
    ...problemUnless(
      'preset',
      isOneOf(fields.preset, PROVIDER_PRESETS),
      message('provider-problem.all', { choices: PROVIDER_PRESETS.join(', ') }),
    ),
    ...problemUnless(
      'name',
      isDisplayName(checkedSettings.name),
      message('provider-problem.name', { limit: MAX_NAME_LENGTH }),
    ),
    ...fieldProblem('issuer', issuerProblem(checkedSettings, settings)),
    ...fieldProblem('tenants', tenantsProblem(checkedSettings)),
    ...problemUnless(
      'clientId',
      isPrintable(checkedSettings.clientId),
      checkedSettings.clientId === ''
        ? message('provider-problem.no-client-id')
        : message('provider-problem.client-id', { limit: MAX_TEXT_LENGTH }),
    ),
    ...problemUnless(
      'authentication',
      isOneOf(fields.authentication, PROVIDER_AUTHENTICATION),
      message('provider-problem.all', { choices: PROVIDER_AUTHENTICATION.join(', ') }),
    ),
    ...fieldProblem('secret', secretProblem(fields, checkedSettings, currentSettings)),
    ...fieldProblem('scopes', scopesProblem(checkedSettings.scopes)),
    ...problemUnless(
      'linking',
      isOneOf(fields.linking, LINKING_RULES),
      message('provider-problem.all', { choices: joinTexts(LINKING_RULES, 'problem.either') ?? '' }),
    ),
    ...problemUnless(
      'domains',
      checkedSettings.domains.length <= MAX_ITEMS && checkedSettings.domains.every(isDomain),
      message('provider-problem.domains', { limit: MAX_ITEMS }),
    ),
    ...problemUnless(
      'groupsClaim',
      checkedSettings.groupsClaim === null || isPrintable(checkedSettings.groupsClaim),
      message('provider-problem.claim', { limit: MAX_TEXT_LENGTH }),
    ),
    ...fieldProblem('roles', rolesProblem(roles, checkedSettings)),
    ...fieldProblem('groups', groupsProblem(groups, checkedSettings)),
    ...problemUnless(
      'secondFactorValues',
      checkedSettings.secondFactorValues.length <= MAX_ITEMS && checkedSettings.secondFactorValues.every(isPrintable),
      message('provider-problem.second-factor', { limit: MAX_ITEMS }),
    ),
    ...problemUnless(
      'required',
      !fields.required || !fields.disabled,
      message('provider-problem.required-and-disabled'),
    ),
  };
  return Object.keys(problems).length > 0 ? { errors: problems } : { settings: checkedSettings };
}

function issuerProblem({ preset, issuer }: CheckedSettings, settings: OutgoingUrlSettings): Message | undefined {
  const { example, issuer: presetIssuer } = PRESETS[preset];
  if (issuer === '') return message('provider-problem.no-issuer', { example });
  if (preset === 'google' && issuer !== presetIssuer)
    return message('provider-problem.google', { issuer: presetIssuer ?? '' });
  const urlProblem = outgoingUrlProblem(issuer, settings) ?? (issuer.includes('?') ? message('url.query') : undefined);
  if (urlProblem !== undefined) return message('provider-problem.issuer', { problem: urlProblem });
  if (issuer.endsWith('/.well-known/openid-configuration')) return message('provider-problem.discovery');
  return undefined;
}

/**
 * Returns the problem with the tenants, or undefined if they are valid. Anyone can have an account in some tenant, so
 * the accepted tenants must be specified.
 */
function tenantsProblem(settings: CheckedSettings): Message | undefined {
  const { tenants } = settings;
  if (!isMultiTenant(settings)) return tenants.length === 0 ? undefined : message('provider-problem.needless-tenants');
  const areValid = tenants.length > 0 && tenants.length <= MAX_ITEMS && tenants.every((id) => TENANT_ID.test(id));
  return areValid ? undefined : message('provider-problem.tenants', { limit: MAX_ITEMS });
}

/**
 * Returns the problem with the secret, or undefined if it is valid. If the issuer changes, the secret must be entered
 * again, because this server must not send one issuer's secret to another.
 */
function secretProblem(
  { secret }: ProviderFields,
  { authentication, issuer }: CheckedSettings,
  currentSettings: Pick<ProviderSettings, 'issuer' | 'sealedSecret'> | null,
): Message | undefined {
  if (authentication !== 'client_secret_basic' && authentication !== 'client_secret_post')
    return secret === '' ? undefined : message('provider-problem.needless-secret', { method: authentication });
  if (secret.length > MAX_SECRET_LENGTH || /[^\x20-\x7e]/.test(secret))
    return message('provider-problem.secret', { limit: MAX_SECRET_LENGTH });
  if (secret !== '') return undefined;
  if (currentSettings === null || currentSettings.sealedSecret === null) return message('provider-problem.no-secret');
  return currentSettings.issuer === issuer ? undefined : message('provider-problem.secret-again');
}

function scopesProblem(scopes: readonly string[]): Message | undefined {
  if (!scopes.includes('openid')) return message('provider-problem.openid');
  const areValid =
    scopes.length <= MAX_ITEMS && scopes.every((name) => isScopeToken(name) && name.length <= MAX_TEXT_LENGTH);
  return areValid ? undefined : message('provider-problem.scopes', { limit: MAX_ITEMS });
}

function rolesProblem(
  roles: readonly (ProviderSettings['roles'][number] | undefined)[],
  { groupsClaim }: CheckedSettings,
): Message | undefined {
  if (roles.includes(undefined) || roles.length > MAX_ITEMS)
    return message('provider-problem.roles', { role: ROLES[0], limit: MAX_ITEMS });
  return roles.length > 0 && groupsClaim === null ? message('provider-problem.no-claim') : undefined;
}

function groupsProblem(
  groups: readonly (ProviderSettings['groups'][number] | undefined)[],
  { groupsClaim }: CheckedSettings,
): Message | undefined {
  if (groups.includes(undefined) || groups.length > MAX_ITEMS)
    return message('provider-problem.groups', { limit: MAX_ITEMS });
  return groups.length > 0 && groupsClaim === null ? message('provider-problem.no-claim') : undefined;
}

function parseGroup(line: string): { readonly group: string; readonly name: string } | undefined {
  const [, name = '', group = ''] = /^([^=]+)=(.+)$/.exec(line) ?? [];
  const isUsable = name !== '' && name.length <= MAX_TEXT_LENGTH && group !== '' && group.length <= MAX_TEXT_LENGTH;
  return isUsable ? { group, name } : undefined;
}

function parseRole(line: string): { readonly group: string; readonly role: Role } | undefined {
  const [, name = '', group = ''] = /^(\w+)=(.+)$/.exec(line) ?? [];
  const role = ROLES.find((candidate) => candidate === name);
  return role === undefined || group === '' || group.length > MAX_TEXT_LENGTH ? undefined : { group, role };
}

/** Returns the role in the format of `ProviderFields.roles`. */
export function formatRole({ group, role }: ProviderSettings['roles'][number]): string {
  return `${role}=${group}`;
}

/** Returns the group in the format of `ProviderFields.groups`. */
export function formatGroup({ group, name }: ProviderSettings['groups'][number]): string {
  return `${name}=${group}`;
}

const unique = (items: readonly string[]): readonly string[] => [...new Set(items)];
const isOneOf = (value: string, names: readonly string[]): boolean => names.includes(value);
const isPrintable = (text: string): boolean => text.length <= MAX_TEXT_LENGTH && /^[\x21-\x7e]+$/.test(text);
const isDisplayName = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && name.trim() === name && name !== '' && !hasInvisibleCharacter(name);
const isDomain = (text: string): boolean =>
  text.length <= MAX_TEXT_LENGTH && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(text);

function problemUnless(field: keyof ProviderErrors, isValid: boolean, text: Message): ProviderErrors {
  return isValid ? {} : { [field]: text };
}

function fieldProblem(field: keyof ProviderErrors, text: Message | undefined): ProviderErrors {
  return text === undefined ? {} : { [field]: text };
}
