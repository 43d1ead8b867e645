import type { z } from 'zod';
import type { ScopedGrant } from '../domain/values.ts';
import { BUILT_IN_SCOPES } from './built-in-scopes.ts';
import { findContradictions } from './contradictions.ts';
import type { Origin } from './setting.ts';
import { english } from '../language/english.ts';
import { message, type Text } from '../language/message.ts';
import { addSettingName } from './named-problem.ts';
import { checkValue } from './checked-value.ts';
import { didYouMean } from './did-you-mean.ts';
import { effectiveDefault, type Basis } from './effective-defaults.ts';
import {
  environmentName,
  fileSpellings,
  findSettingName,
  SETTING_NAMES,
  settings,
  type SettingName,
  type SettingValues,
} from './settings.ts';

/** Settings that `Config` contains in a different form. */
type TransformedSetting = 'issuer' | 'adminUsername' | 'adminPassword' | 'defaultScopes';

/** The effective configuration. Frozen and validated. */
export interface Config extends Omit<SettingValues, TransformedSetting> {
  /** Null only if no issuer is set and the port is 0: the system then chooses a port when the server starts. */
  readonly issuer: string | null;
  readonly admin: { readonly username: string; readonly password: string } | null;
  /** The default scopes of a request, by grant type. */
  readonly defaultScopes: { readonly [Grant in ScopedGrant]: readonly string[] };
  readonly origins: { readonly [Name in SettingName]: Origin };
  /** Determines some defaults: see `effectiveDefault`. */
  readonly basis: Basis;
  /** The scopes and default scopes without the server's additions: see `effectiveScopes`. */
  readonly configured: Pick<SettingValues, 'scopes' | 'defaultScopes'>;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly file: string | null;
}

/** An error that lists all problems with the settings, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  /** The same problems as translatable messages. */
  readonly texts: readonly Text[];
  constructor(texts: readonly Text[]) {
    const problems = texts.map(english.text);
    super(problems.join('\n'));
    this.problems = problems;
    this.texts = texts;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Settings = Readonly<Record<string, unknown>>;

/**
 * Reads the configuration from the environment and from the file at the path in GRANTLOG_CONFIG. The environment takes
 * precedence. An empty variable is treated as unset.
 * @throws ConfigError if there are problems; it lists all of them
 */
export function readConfig(env: Environment, readFile: (path: string) => string): LoadedConfig {
  const file = env['GRANTLOG_CONFIG'] || null;
  const problems: Text[] = [];
  const fileSettings = file === null ? {} : parseFile(file, readFile, problems);
  return resolve({ env, fileSettings, file, basis: file === null ? 'sample' : 'file', problems });
}

/**
 * Returns the configuration of an application that embeds the server. Even if `values` is empty, the result is not the
 * sample configuration.
 * @throws ConfigError if there are problems; it lists all of them
 */
export function configFromSettings(values: Settings): Config {
  return resolve({ env: {}, fileSettings: values, file: null, basis: 'program', problems: [] }).config;
}

/** New or hypothetical values of settings. */
export type SettingChanges = { readonly [Name in SettingName]?: SettingValues[Name] };

/**
 * Parses settings whose values have the syntax of environment variables. A key can be any spelling of a setting's name:
 * see `fileSpellings`.
 * @throws ConfigError if there are problems; it lists all of them
 */
export function parseSettingChanges(texts: Readonly<Record<string, string>>): SettingChanges {
  const problems: Text[] = [...findUnknownKeys(texts, LIST_HINT)];
  const resolvedSettings = SETTING_NAMES.map((name) => {
    const spellings = fileSpellings(name).filter((spelling) => Object.hasOwn(texts, spelling));
    const values = Object.fromEntries(spellings.map((spelling) => [spelling, parseText(name, texts[spelling] ?? '')]));
    return [name, lookUp(name, { env: {}, fileSettings: values, basis: 'sample', problems })] as const;
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(
    resolvedSettings.filter(([, { origin }]) => origin === 'file').map(([name, { value }]) => [name, value]),
  ) as SettingChanges;
}

const LIST_HINT = 'list all settings with grantlog setting list';

/** Returns the problem with the name if no setting has this name, or undefined if a setting does. */
export function unknownSettingProblem(name: string): string | undefined {
  return findSettingName(name) === undefined ? findUnknownKeys({ [name]: '' }, LIST_HINT)[0] : undefined;
}

interface Sources {
  readonly env: Environment;
  readonly fileSettings: Settings;
  readonly basis: Basis;
  readonly problems: Text[];
}

function resolve({ file, ...sources }: Sources & { readonly file: string | null }): LoadedConfig {
  const { env, fileSettings, basis, problems } = sources;
  problems.push(...findUnknownKeys(fileSettings, 'remove it'), ...findMisspelledVariables(env));
  const resolvedSettings = SETTING_NAMES.map((name) => [name, lookUp(name, sources)] as const);
  const origins = Object.fromEntries(resolvedSettings.map(([name, { origin }]) => [name, origin])) as Config['origins'];
  const values = Object.fromEntries(resolvedSettings.map(([name, { value }]) => [name, value])) as SettingValues;
  problems.push(...findContradictions(values, origins).map(({ problem }) => problem));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze({ config: { ...toConfig(values, origins), origins, basis }, file });
}

function parseFile(path: string, readFile: (path: string) => string, problems: Text[]): Settings {
  try {
    const parsed: unknown = JSON.parse(readFile(path));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Settings;
    problems.push(`GRANTLOG_CONFIG: ${path} must contain a JSON object`);
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    problems.push(`GRANTLOG_CONFIG: ${path} ${reason} (${error instanceof Error ? error.message : String(error)})`);
  }
  return {};
}

/**
 * Returns a problem for each key that is not the name of a setting.
 * @param fallbackAdvice the advice for a key that does not resemble the name of a setting
 */
function findUnknownKeys(fileSettings: Settings, fallbackAdvice: string): string[] {
  const knownNames = SETTING_NAMES.flatMap(fileSpellings);
  return Object.keys(fileSettings)
    .filter((key) => !knownNames.includes(key))
    .map((key) => `${key === '' ? "''" : key}: unknown setting; ${hint(key, knownNames, fallbackAdvice)}`);
}

/** Returns problems only for near misses, because platforms may set unrelated variables with this prefix. */
function findMisspelledVariables(env: Environment): string[] {
  const knownVariables = ['GRANTLOG_CONFIG', ...SETTING_NAMES.map(environmentName)];
  return Object.keys(env)
    .filter(
      (key) =>
        key.startsWith('GRANTLOG_') && !knownVariables.includes(key) && didYouMean(key, knownVariables) !== undefined,
    )
    .map((key) => `${key}: unknown setting; ${hint(key, knownVariables, 'remove it')}`);
}

function hint(word: string, candidates: readonly string[], fallbackAdvice: string): string {
  const suggestion = didYouMean(word, candidates);
  return suggestion === undefined ? fallbackAdvice : `did you mean ${suggestion}?`;
}

interface ResolvedSetting {
  readonly value: unknown;
  readonly origin: Origin;
}

function lookUp(name: SettingName, { env, fileSettings, basis, problems }: Sources): ResolvedSetting {
  const variable = environmentName(name);
  const text = env[variable];
  if (text !== undefined && text !== '')
    return { value: check(name, variable, parseText(name, text), problems), origin: 'environment' };

  const spellings = fileSpellings(name).filter((spelling) => Object.hasOwn(fileSettings, spelling));
  const [spelling] = spellings;
  if (spelling === undefined) return { value: effectiveDefault(name, basis).value, origin: 'default' };
  if (spellings.length > 1) problems.push(`${spellings.join(' and ')} are the same setting; keep one`);
  return { value: check(name, spelling, fileSettings[spelling], problems), origin: 'file' };
}

/** Returns the text unchanged if the setting accepts it or if it is not JSON. Parses any other text as JSON. */
function parseText(name: SettingName, text: string): unknown {
  if (settings[name].schema.safeParse(text).success) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the checked value. If it is invalid, adds a problem and returns the default, so other checks can run. */
function check(name: SettingName, spelling: string, value: unknown, problems: Text[]): unknown {
  const result = checkValue(name, value);
  if ('value' in result) return result.value;
  const problem = 'problem' in result ? result.problem : describeMismatch(name, value, result.mismatch);
  problems.push(addSettingName(spelling, problem));
  return settings[name].default;
}

function describeMismatch(name: SettingName, value: unknown, { issues }: z.ZodError): Text {
  const { expects, secret } = settings[name];
  if (secret) return message('setting-problem.must-be', { expects });
  const values = { expects, value: excerpt(value) };
  const issue = issues.find(({ path }) => path.length > 0);
  if (issue === undefined) return message('setting-problem.must-be-not', values);
  const [path, text] = [issue.path.join('.'), issue.message];
  return message('setting-problem.must-be-not-at', { ...values, where: path, issue: text });
}

const EXCERPT_CHARACTERS = 80;

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= EXCERPT_CHARACTERS ? text : `${text.slice(0, EXCERPT_CHARACTERS)}…`;
}

function toConfig(
  { adminUsername, adminPassword, ...values }: SettingValues,
  origins: Config['origins'],
): Omit<Config, 'origins' | 'basis'> {
  const configured = { scopes: values.scopes, defaultScopes: values.defaultScopes };
  return {
    ...values,
    configured,
    ...effectiveScopes(configured, origins),
    issuer: values.issuer ?? (values.port === 0 ? null : defaultIssuer(values)),
    admin:
      adminUsername === null || adminPassword === null ? null : { username: adminUsername, password: adminPassword },
  };
}

/** Returns all scopes, including the built-in ones, and the default scopes of each grant type. */
export function effectiveScopes(
  { scopes, defaultScopes }: Config['configured'],
  origins: Config['origins'],
): Pick<Config, 'scopes' | 'defaultScopes'> {
  const configuredDefaults: SettingValues['defaultScopes'] = origins.defaultScopes === 'default' ? {} : defaultScopes;
  const defaultScopesFor = (grant: ScopedGrant): readonly string[] =>
    configuredDefaults[grant] ??
    (settings.defaultScopes.default[grant] ?? []).filter((name) => Object.hasOwn(scopes, name));
  return {
    // The operator's scopes come first, and may replace the descriptions of built-in scopes.
    scopes: { ...scopes, ...BUILT_IN_SCOPES, ...scopes },
    defaultScopes: {
      'authorization-code': defaultScopesFor('authorization-code'),
      'client-credentials': defaultScopesFor('client-credentials'),
      password: defaultScopesFor('password'),
      'device-code': defaultScopesFor('device-code'),
    },
  };
}

/** Returns the issuer if none is configured. Its URL can be reached only from the same machine. */
export function defaultIssuer({ port, tlsCertificateFile }: Pick<Config, 'port' | 'tlsCertificateFile'>): string {
  return `${tlsCertificateFile === null ? 'http' : 'https'}://localhost:${port}`;
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
