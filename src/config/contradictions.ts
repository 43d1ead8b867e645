import { message, type Text } from '../language/message.ts';
import { mustBeRequested } from './built-in-scopes.ts';
import type { Origin } from './setting.ts';
import { mailProblems } from './mail-settings.ts';
import { addSettingName } from './named-problem.ts';
import { scopeClaimsProblems } from './scope-claims.ts';
import type { SettingName, SettingValues } from './settings.ts';
import { tlsProblems } from './tls-settings.ts';

/** A contradiction between settings. */
export interface Contradiction {
  readonly settings: readonly SettingName[];
  readonly problem: Text;
}

type Origins = Readonly<Record<SettingName, Origin>>;

/**
 * Finds contradictions between settings. Scopes in default values are not checked, because the operator may not have
 * defined them.
 */
export function findContradictions(values: SettingValues, origins: Origins): readonly Contradiction[] {
  const contradictions: Contradiction[] = [];
  const report = (problem: Text, ...names: readonly SettingName[]): void =>
    void contradictions.push({ settings: names, problem });
  if ((values.adminUsername === null) !== (values.adminPassword === null))
    report(ADMIN_INCOMPLETE, 'adminUsername', 'adminPassword');
  if (values.keys === 'database' && values.keysSecret === null) report(KEYS_WITHOUT_SECRET, 'keys', 'keysSecret');
  if (values.keys === 'database' && values.log === null) report(KEYS_WITHOUT_DATABASE, 'keys', 'log');
  if (values.archive !== null && values.log === null) report(ARCHIVE_WITHOUT_DATABASE, 'archive', 'log');
  for (const problem of [...mailProblems(values), ...tlsProblems(values)]) report(problem);
  return [...contradictions, ...runTimeContradictions(values, origins)];
}

type ContradictingValues = Pick<
  SettingValues,
  'defaultScopes' | 'readScope' | 'sampleApi' | 'scopeClaims' | 'scopes' | 'signup' | 'writeScope'
>;

/** Finds the contradictions that a change at run time could cause. */
export function runTimeContradictions(values: ContradictingValues, origins: Origins): readonly Contradiction[] {
  const { scopes, scopeClaims, defaultScopes } = values;
  const contradictions: Contradiction[] = [];
  // Only the sample configuration turns the sample API on by default. An operator who opens sign-up may not know that.
  if (values.signup === 'open' && values.sampleApi && origins.sampleApi === 'default')
    contradictions.push({ settings: ['signup', 'sampleApi'], problem: message('setting-problem.open-directory') });
  const scopeNames = Object.keys(scopes);
  for (const name of ['readScope', 'writeScope'] as const) {
    if (origins[name] === 'default' || Object.hasOwn(scopes, values[name])) continue;
    const messageValues = { scope: JSON.stringify(values[name]), choices: scopeNames.join(', ') };
    const problem = addSettingName(name, message('setting-problem.unknown-scope', messageValues));
    contradictions.push({ settings: [name, 'scopes'], problem });
  }
  for (const problem of scopeClaimsProblems(scopeClaims, scopes))
    contradictions.push({ settings: ['scopeClaims', 'scopes'], problem });
  if (origins.defaultScopes === 'default') return contradictions;
  for (const problem of defaultScopesProblems(defaultScopes, scopes))
    contradictions.push({ settings: ['defaultScopes', 'scopes'], problem });
  return contradictions;
}

function defaultScopesProblems(
  defaultScopes: SettingValues['defaultScopes'],
  scopes: SettingValues['scopes'],
): readonly Text[] {
  return Object.entries(defaultScopes).flatMap(([grant, names = []]) => {
    const explicitScopes = names.filter((name) => mustBeRequested(name, scopes));
    const unknownScopes = names.filter((name) => !Object.hasOwn(scopes, name) && !explicitScopes.includes(name));
    const choices = Object.keys(scopes).join(', ');
    const problems: Text[] = [];
    if (explicitScopes.length > 0)
      problems.push(message('setting-problem.restricted-default', { grant, scopes: explicitScopes.join(', ') }));
    if (unknownScopes.length > 0)
      problems.push(message('setting-problem.unknown-default', { grant, scopes: unknownScopes.join(', '), choices }));
    return problems.map((problem) => addSettingName('defaultScopes', problem));
  });
}

const ADMIN_INCOMPLETE = 'GRANTLOG_ADMIN_USERNAME and GRANTLOG_ADMIN_PASSWORD: set both or neither';

const KEYS_WITHOUT_DATABASE =
  'GRANTLOG_KEYS: the value "database" requires a log in PostgreSQL; ' +
  'set GRANTLOG_LOG, or set GRANTLOG_KEYS to the path of a directory';

const ARCHIVE_WITHOUT_DATABASE =
  'GRANTLOG_ARCHIVE: only a log in PostgreSQL has an archive; set GRANTLOG_LOG, or remove GRANTLOG_ARCHIVE';

const KEYS_WITHOUT_SECRET =
  'GRANTLOG_KEYS: keys in a database are encrypted; ' +
  'set GRANTLOG_KEYS_SECRET to 32 random bytes, such as the output of openssl rand -hex 32';
