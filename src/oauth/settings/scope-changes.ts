import { BUILT_IN_SCOPES } from '../../config/built-in-scopes.ts';
import type { Config } from '../../config/config.ts';
import { applyChanges, fixedByOperator } from '../../config/live-config.ts';
import {
  defaultSensitivity,
  effectiveDisplay,
  SCOPE_ICONS,
  SCOPE_SENSITIVITIES,
  type ScopeIcon,
  type ScopeSensitivity,
} from '../../config/scope-display.ts';
import { settings } from '../../config/settings.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { isPrintable } from '../../domain/printable.ts';
import { isScopeToken } from '../../domain/scope.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { RequestedChange, SettingChanges, SettingProblems } from './setting-changes.ts';
import { message, type Text } from '../../language/message.ts';

/**
 * Where a scope comes from: the server itself, the default of the `scopes` setting, a change at run time, or the
 * operator's file or environment.
 */
export type ScopeOrigin = 'built-in' | 'default' | 'added' | 'file' | 'environment';

/** A scope of this server as administrators see it. */
export interface CurrentScope {
  readonly name: string;
  readonly description: string;
  /** Null if not set. */
  readonly icon: ScopeIcon | null;
  readonly sensitivity: ScopeSensitivity;
  /** The description of a built-in scope can be changed, but the scope cannot be removed. */
  readonly isBuiltIn: boolean;
  readonly origin: ScopeOrigin;
}

/** The fields that administrators enter for a scope. */
export interface ScopeFields {
  readonly name: string;
  readonly description: string;
  /** One of `SCOPE_ICONS`; empty if the scope has no icon. */
  readonly icon: string;
  readonly sensitivity: string;
}

/** The fields of a scope that change. */
export type ChangedScopeFields = Partial<Omit<ScopeFields, 'name'>>;

/** Problems with fields by field name, and problems with settings by setting name. */
export type ScopeProblems = Partial<Record<keyof ScopeFields, Text>> & SettingProblems;

/** The scopes that administrators can add, change and remove while the server runs. */
export interface ScopeChanges {
  all(): readonly CurrentScope[];
  find(name: string): CurrentScope | undefined;
  /** Returns why only the operator can change each of the two settings; null if administrators can change it. */
  fixedBy(): Readonly<Record<'scopes' | 'scopeDisplay', 'file' | 'environment' | null>>;
  /**
   * Adds a scope.
   * @returns the problems; empty if the scope was added
   * @throws DecisionOutdated as `SettingChanges.change` does
   */
  add(fields: ScopeFields, context: CommandContext): Promise<ScopeProblems>;
  /** Changes a scope. Fields that are left out keep the values that they have when the change is processed. */
  update(name: string, fields: ChangedScopeFields, context: CommandContext): Promise<ScopeProblems>;
  /** Removes a scope. Existing tokens lose it until it is added again. */
  remove(name: string, context: CommandContext): Promise<ScopeProblems>;
}

export function createScopeChanges(
  settingChanges: Pick<SettingChanges, 'change'>,
  { base, live }: { readonly base: Config; readonly live: Config },
): ScopeChanges {
  function all(): readonly CurrentScope[] {
    const { scopes, scopeDisplay } = live;
    return Object.entries(scopes).map(([name, description]) => {
      return {
        name,
        description,
        ...effectiveDisplay(scopeDisplay, name),
        isBuiltIn: isBuiltIn(name),
        origin: findOrigin(name, live),
      };
    });
  }

  /** Returns the settings with the scope added or updated, starting from the values in the log. */
  function withScope(
    { name, description, icon, sensitivity }: ScopeFields,
    recordedValues: ReadonlyMap<string, unknown>,
  ) {
    const { values, configured } = applyChanges(base, recordedValues);
    const isDefaultSensitivity = sensitivity === defaultSensitivity(name);
    const hasDefaultDisplay = icon === '' && isDefaultSensitivity;
    const { [name]: _, ...otherDisplays } = values.scopeDisplay;
    const display = { ...(icon !== '' && { icon }), ...(!isDefaultSensitivity && { sensitivity }) };
    return {
      ...(values.scopes[name] !== description && { scopes: { ...configured.scopes, [name]: description } }),
      scopeDisplay: hasDefaultDisplay ? otherDisplays : { ...values.scopeDisplay, [name]: display },
    };
  }

  function recordedFields(name: string, recordedValues: ReadonlyMap<string, unknown>): ScopeFields {
    const { scopes, scopeDisplay } = applyChanges(base, recordedValues).values;
    return toFields({ name, description: scopes[name] ?? '', ...effectiveDisplay(scopeDisplay, name) });
  }

  function withoutScope(name: string, recordedValues: ReadonlyMap<string, unknown>): RequestedChange['set'] {
    const { values, configured } = applyChanges(base, recordedValues);
    const { [name]: _scope, ...scopes } = configured.scopes;
    const { [name]: display, ...scopeDisplay } = values.scopeDisplay;
    return { scopes, ...(display !== undefined && { scopeDisplay }) };
  }

  async function change(
    set: (recordedValues: ReadonlyMap<string, unknown>) => RequestedChange['set'],
    context: CommandContext,
  ): Promise<ScopeProblems> {
    const result = await settingChanges.change(
      (recordedValues) => ({ set: withoutUnchangedDisplay(set(recordedValues)), reset: [] }),
      context,
    );
    return 'problems' in result ? result.problems : {};
  }

  /** Omits the display of scopes if it does not change, because the operator may have fixed that setting. */
  function withoutUnchangedDisplay(set: RequestedChange['set']): RequestedChange['set'] {
    const isSameDisplay = JSON.stringify(set['scopeDisplay']) === JSON.stringify(live.scopeDisplay);
    return Object.fromEntries(Object.entries(set).filter(([name]) => name !== 'scopeDisplay' || !isSameDisplay));
  }

  return {
    all,
    find: (name) => all().find((scope) => scope.name === name),
    fixedBy: () => ({ scopes: fixedByOperator(base, 'scopes'), scopeDisplay: fixedByOperator(base, 'scopeDisplay') }),

    async add(fields, context) {
      const problems = findProblems(fields);
      if (Object.hasOwn(live.scopes, fields.name)) return { ...problems, name: message('scope-problem.taken') };
      if (Object.keys(problems).length > 0) return problems;
      return change((recordedValues) => withScope(fields, recordedValues), context);
    },

    async update(name, fields, context) {
      const currentScope = all().find((scope) => scope.name === name);
      if (currentScope === undefined) return { name: UNKNOWN };
      const problems = findProblems({ ...toFields(currentScope), ...fields });
      if (Object.keys(problems).length > 0) return problems;
      return change(
        (recordedValues) => withScope({ ...recordedFields(name, recordedValues), ...fields }, recordedValues),
        context,
      );
    },

    async remove(name, context) {
      if (isBuiltIn(name)) return { name: message('scope-problem.built-in') };
      if (!Object.hasOwn(live.scopes, name)) return { name: UNKNOWN };
      return change((recordedValues) => withoutScope(name, recordedValues), context);
    },
  };
}

function toFields({
  name,
  description,
  icon,
  sensitivity,
}: Pick<CurrentScope, 'name' | 'description' | 'icon' | 'sensitivity'>): ScopeFields {
  return { name, description, icon: icon ?? '', sensitivity };
}

function findOrigin(name: string, live: Pick<Config, 'configured' | 'origins'>): ScopeOrigin {
  const fixedOrigin = fixedByOperator(live, 'scopes');
  const isInDefault = Object.hasOwn(settings.scopes.default, name) && Object.hasOwn(live.configured.scopes, name);
  if (fixedOrigin === null && isInDefault) return 'default';
  return isBuiltIn(name) ? 'built-in' : (fixedOrigin ?? 'added');
}

const UNKNOWN = message('scope-problem.unknown');
const NO_NAME = message('scope-problem.no-name');
const INVALID_NAME = message('scope-problem.name', { limit: MAX_LENGTH.scopeName });
const LONG_DESCRIPTION = message('scope-problem.long-description', { limit: MAX_LENGTH.scopeDescription });

function findProblems({ name, description, icon, sensitivity }: ScopeFields): ScopeProblems {
  return {
    ...(name.length > MAX_LENGTH.scopeName || !isScopeToken(name)
      ? { name: name === '' ? NO_NAME : INVALID_NAME }
      : {}),
    ...(description === '' ? { description: message('scope-problem.no-description') } : {}),
    ...(description.length > MAX_LENGTH.scopeDescription ? { description: LONG_DESCRIPTION } : {}),
    ...(isPrintable(description) ? {} : { description: message('scope-problem.description-characters') }),
    ...(icon !== '' && !SCOPE_ICONS.some((candidate) => candidate === icon)
      ? { icon: message('scope-problem.icon', { choices: SCOPE_ICONS.join(', ') }) }
      : {}),
    ...(SCOPE_SENSITIVITIES.some((candidate) => candidate === sensitivity)
      ? {}
      : { sensitivity: message('scope-problem.sensitivity', { choices: SCOPE_SENSITIVITIES.join(', ') }) }),
  };
}

function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_IN_SCOPES, name);
}
