import { ROLES, type Role } from '../../domain/events.ts';
import {
  LINKING_RULES,
  PROVIDER_AUTHENTICATION,
  PROVIDER_PRESETS,
  type ProviderSettings,
} from '../../domain/provider-settings.ts';
import { isScopeToken } from '../../domain/scope.ts';
import { hasInvisibleCharacter } from '../../domain/user-name.ts';
import { outgoingUrlProblem, type OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import { hasSeveralTenants, PRESETS, TENANT_ID } from './presets.ts';

/** The entered settings of a provider, not yet validated. */
export interface ProviderFields {
  readonly preset: string;
  readonly name: string;
  /** Empty for that of the preset. */
  readonly issuer: string;
  readonly tenants: readonly string[];
  readonly clientId: string;
  readonly authentication: string;
  /** A new client secret; empty to keep the present one. */
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly linking: string;
  readonly createsUsers: boolean;
  readonly domains: readonly string[];
  /** Empty if groups do not matter. */
  readonly groupsClaim: string;
  /** Each as `ROLE=GROUP`. */
  readonly roles: readonly string[];
  /** Each as `NAME=GROUP`, with the name of a group here. */
  readonly groups: readonly string[];
  readonly secondFactorValues: readonly string[];
  readonly required: boolean;
}

/** The problem of each invalid field, as a sentence. */
export type ProviderErrors = { readonly [Field in keyof ProviderFields | 'providerId']?: string };

type CheckedSettings = Omit<ProviderSettings, 'sealedSecret'>;

/** Every event of a provider contains them. */
const MAX_ITEMS = 50;
const MAX_NAME = 60;
const MAX_TEXT = 254;
const MAX_SECRET = 512;

/** The problem with the id of a new provider; undefined if there is none. */
export function providerIdProblem(id: string): string | undefined {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(id)
    ? undefined
    : 'An id has 1 to 40 small letters, digits and hyphens, and begins with no hyphen.';
}

/**
 * @param before the present settings; null for a new provider
 * @returns the settings to record, or what is wrong
 */
export function checkProvider(
  fields: ProviderFields,
  before: Pick<ProviderSettings, 'issuer' | 'sealedSecret'> | null,
  settings: OutgoingUrlSettings,
): { readonly settings: CheckedSettings } | { readonly errors: ProviderErrors } {
  const preset = PROVIDER_PRESETS.find((name) => name === fields.preset) ?? 'custom';
  const issuer = fields.issuer === '' ? (PRESETS[preset].issuer ?? '') : fields.issuer;
  const roles = fields.roles.map(roleOf);
  const groups = fields.groups.map(groupOf);
  const checked: CheckedSettings = {
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
    roles: roles.flatMap((each) => each ?? []),
    groups: groups.flatMap((each) => each ?? []),
    secondFactorValues: unique(fields.secondFactorValues),
    required: fields.required,
  };
  const problems: ProviderErrors = {
    ...problem('preset', isOneOf(fields.preset, PROVIDER_PRESETS), `Choose ${PROVIDER_PRESETS.join(', ')}.`),
    ...problem('name', isLabel(checked.name), `A name has 1 to ${MAX_NAME} visible characters.`),
    ...textProblem('issuer', issuerProblem(checked, settings)),
    ...textProblem('tenants', tenantsProblem(checked)),
    ...problem('clientId', isText(checked.clientId), `A client id has 1 to ${MAX_TEXT} characters of ASCII.`),
    ...problem(
      'authentication',
      isOneOf(fields.authentication, PROVIDER_AUTHENTICATION),
      `Choose ${PROVIDER_AUTHENTICATION.join(', ')}.`,
    ),
    ...textProblem('secret', secretProblem(fields, checked, before)),
    ...textProblem('scopes', scopesProblem(checked.scopes)),
    ...problem('linking', isOneOf(fields.linking, LINKING_RULES), `Choose ${LINKING_RULES.join(' or ')}.`),
    ...problem(
      'domains',
      checked.domains.length <= MAX_ITEMS && checked.domains.every(isDomain),
      `Name at most ${MAX_ITEMS} domains, such as example.org.`,
    ),
    ...problem(
      'groupsClaim',
      checked.groupsClaim === null || isText(checked.groupsClaim),
      `A claim has at most ${MAX_TEXT} characters of ASCII.`,
    ),
    ...textProblem('roles', rolesProblem(roles, checked)),
    ...textProblem('groups', groupsProblem(groups, checked)),
    ...problem(
      'secondFactorValues',
      checked.secondFactorValues.length <= MAX_ITEMS && checked.secondFactorValues.every(isText),
      `Name at most ${MAX_ITEMS} values of ASCII without spaces.`,
    ),
  };
  return Object.keys(problems).length > 0 ? { errors: problems } : { settings: checked };
}

function issuerProblem({ preset, issuer }: CheckedSettings, settings: OutgoingUrlSettings): string | undefined {
  const { example, issuer: only } = PRESETS[preset];
  if (issuer === '') return `Enter the issuer, such as ${example}.`;
  if (preset === 'google' && issuer !== only) return `The issuer of Google is ${only}.`;
  const wrong = outgoingUrlProblem(issuer, settings) ?? (issuer.includes('?') ? 'must not have a query' : undefined);
  if (wrong !== undefined) return `The issuer ${wrong}.`;
  if (issuer.endsWith('/.well-known/openid-configuration')) return 'Enter the issuer without /.well-known/….';
  return undefined;
}

/** With several tenants, anybody can have an account at one of them, so the operator names those that are meant. */
function tenantsProblem(checked: CheckedSettings): string | undefined {
  const { tenants } = checked;
  if (!hasSeveralTenants(checked))
    return tenants.length === 0 ? undefined : 'Name tenants only with an issuer of Entra that stands for several.';
  const areNamed = tenants.length > 0 && tenants.length <= MAX_ITEMS && tenants.every((id) => TENANT_ID.test(id));
  return areNamed ? undefined : `Name the ids of 1 to ${MAX_ITEMS} tenants whose users may log in.`;
}

/** A secret is for one issuer: another one must not get it from this server. */
function secretProblem(
  { secret }: ProviderFields,
  { authentication, issuer }: CheckedSettings,
  before: Pick<ProviderSettings, 'issuer' | 'sealedSecret'> | null,
): string | undefined {
  if (authentication !== 'client_secret_basic' && authentication !== 'client_secret_post')
    return secret === '' ? undefined : `With ${authentication}, there is no client secret.`;
  if (secret.length > MAX_SECRET || /[^\x20-\x7e]/.test(secret))
    return `A client secret has at most ${MAX_SECRET} characters of ASCII.`;
  if (secret !== '') return undefined;
  if (before === null || before.sealedSecret === null) return 'Enter the client secret.';
  return before.issuer === issuer ? undefined : 'Enter the client secret again, because the issuer changes.';
}

function scopesProblem(scopes: readonly string[]): string | undefined {
  if (!scopes.includes('openid')) return 'The scope openid is needed, because only with it there is an ID token.';
  const areScopes = scopes.length <= MAX_ITEMS && scopes.every((name) => isScopeToken(name) && name.length <= MAX_TEXT);
  return areScopes ? undefined : `Name at most ${MAX_ITEMS} scopes, of ASCII without space, quote and backslash.`;
}

function rolesProblem(
  roles: readonly (ProviderSettings['roles'][number] | undefined)[],
  { groupsClaim }: CheckedSettings,
): string | undefined {
  if (roles.includes(undefined) || roles.length > MAX_ITEMS)
    return `Write each role with a group, such as ${ROLES[0]}=staff; at most ${MAX_ITEMS}.`;
  return roles.length > 0 && groupsClaim === null ? 'Name the claim with the groups, too.' : undefined;
}

function groupsProblem(
  groups: readonly (ProviderSettings['groups'][number] | undefined)[],
  { groupsClaim }: CheckedSettings,
): string | undefined {
  if (groups.includes(undefined) || groups.length > MAX_ITEMS)
    return `Write each group here with one there, such as staff=employees; at most ${MAX_ITEMS}.`;
  return groups.length > 0 && groupsClaim === null ? 'Name the claim with the groups, too.' : undefined;
}

function groupOf(entered: string): { readonly group: string; readonly name: string } | undefined {
  const [, name = '', group = ''] = /^([^=]+)=(.+)$/.exec(entered) ?? [];
  const isUsable = name !== '' && name.length <= MAX_TEXT && group !== '' && group.length <= MAX_TEXT;
  return isUsable ? { group, name } : undefined;
}

function roleOf(entered: string): { readonly group: string; readonly role: Role } | undefined {
  const [, name = '', group = ''] = /^(\w+)=(.+)$/.exec(entered) ?? [];
  const role = ROLES.find((each) => each === name);
  return role === undefined || group === '' || group.length > MAX_TEXT ? undefined : { group, role };
}

/** A role as the fields contain it. */
export function roleText({ group, role }: ProviderSettings['roles'][number]): string {
  return `${role}=${group}`;
}

/** A group as the fields contain it. */
export function groupText({ group, name }: ProviderSettings['groups'][number]): string {
  return `${name}=${group}`;
}

const unique = (items: readonly string[]): readonly string[] => [...new Set(items)];
const isOneOf = (value: string, names: readonly string[]): boolean => names.includes(value);
const isText = (text: string): boolean => text.length <= MAX_TEXT && /^[\x21-\x7e]+$/.test(text);
const isLabel = (name: string): boolean =>
  name.length <= MAX_NAME && name.trim() === name && name !== '' && !hasInvisibleCharacter(name);
const isDomain = (text: string): boolean =>
  text.length <= MAX_TEXT && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(text);

function problem(field: keyof ProviderErrors, isRight: boolean, text: string): ProviderErrors {
  return isRight ? {} : { [field]: text };
}

function textProblem(field: keyof ProviderErrors, text: string | undefined): ProviderErrors {
  return text === undefined ? {} : { [field]: text };
}
