import { ConfigError, parseSettingChanges, type Config } from '../../config/config.ts';
import { effectiveDefault } from '../../config/effective-defaults.ts';
import { effectiveSettings, type EffectiveSetting } from '../../config/effective-settings.ts';
import { addSettingName } from '../../config/named-problem.ts';
import { checkValue } from '../../config/checked-value.ts';
import { english } from '../../language/english.ts';
import { message, type Text } from '../../language/message.ts';
import { applyChanges, findContradictionsWithChanges, fixedBy, type IgnoredChange } from '../../config/live-config.ts';
import { SETTING_NAMES, settings, type SettingName } from '../../config/settings.ts';
import type {
  ChangedSettingEvent,
  ChangedSettingsRefusal,
  ChangedSettingsState,
  ChangeSettings,
  SettingValue,
} from '../../domain/changed-settings.ts';
import { SETTINGS_STREAM } from '../../domain/streams.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { DecisionOutdated, type Position } from '../../event-store/event-log.ts';
import type { EveryNode } from '../../event-store/every-node.ts';
import type { ChangedSetting, ChangedSettings } from '../../projections/changed-settings.ts';

/** A setting with its current value, and how it can be changed. */
export interface CurrentSetting extends EffectiveSetting {
  /** Why only the operator can change it, with a restart; null if it can change while the server runs. */
  readonly fixedBy: 'start' | 'file' | 'environment' | null;
  /** A sentence that explains the current default; null if the default never varies. */
  readonly defaultBecause: Text | null;
  /** The change in the log; null if the log has no change to the setting. */
  readonly changed: ChangedSetting | null;
  /** Why the change in the log has no effect; null if it has an effect, or if there is no change. */
  readonly ignoredBecause: Text | null;
}

/** New values of settings by name, and the names of settings to reset to their defaults. */
export interface RequestedChange {
  readonly set: Readonly<Record<string, unknown>>;
  readonly reset: readonly string[];
}

/**
 * The problems with a change, by setting. A problem that several settings cause together is listed under the first
 * changed setting.
 */
export type SettingProblems = Readonly<Record<string, Text>>;

/** The settings that administrators and the operator can change while the server runs. */
export interface SettingChanges {
  all(): readonly CurrentSetting[];
  find(name: string): CurrentSetting | undefined;
  /** Returns the changes in the log that have no effect. */
  ignored(): readonly IgnoredChange[];
  /** Parses a value in the syntax of environment variables. */
  parse(name: SettingName, text: string): { readonly value: unknown } | { readonly problem: Text };
  /** Returns the problems that the change would cause. */
  problems(change: RequestedChange): Promise<SettingProblems>;
  /**
   * Changes settings. Resolves when the change has taken effect: each request that begins later, on any node, is
   * processed under the new settings or refused.
   * @param change the change, or a function that computes it from the values in the log
   * @returns the position of the change, or null if it changed nothing; the problems if the change is not possible
   * @throws DecisionOutdated if another change came first; nothing was changed
   */
  change(
    change: RequestedChange | ((recordedValues: ReadonlyMap<string, unknown>) => RequestedChange),
    context: CommandContext,
  ): Promise<{ readonly position: Position | null } | { readonly problems: SettingProblems }>;
}

export interface SettingChangesDeps {
  readonly commands: Pick<
    CommandHandler<ChangeSettings, ChangedSettingsState, ChangedSettingEvent, ChangedSettingsRefusal>,
    'execute' | 'observe'
  >;
  readonly recordedChanges: Pick<ChangedSettings, 'find' | 'values'>;
  /** The settings without the changes in the log. */
  readonly base: Config;
  /** The settings with the changes in the log. */
  readonly live: Config;
  /** The position that the projections of this node have reached. */
  readonly position: () => Position;
  /** Waits for all nodes; undefined if no other node appends to the log. */
  readonly everyNode: EveryNode | undefined;
}

export function createSettingChanges(deps: SettingChangesDeps): SettingChanges {
  const { commands, recordedChanges, base, live, everyNode } = deps;
  const ignored = (): readonly IgnoredChange[] => applyChanges(base, recordedChanges.values()).ignored;

  function all(): readonly CurrentSetting[] {
    const reasons = new Map(ignored().map(({ name, reason }) => [name, reason]));
    return effectiveSettings(live).map((setting) => ({
      ...setting,
      fixedBy: fixedBy(base, setting.name) ?? null,
      defaultBecause: effectiveDefault(setting.name, base.basis).reason,
      changed: recordedChanges.find(setting.name) ?? null,
      ignoredBecause: reasons.get(setting.name) ?? null,
    }));
  }

  /** Returns the problems that the change would cause. Existing problems do not prevent a change. */
  function problemsAfter({ set, reset }: RequestedChange, { values }: ChangedSettingsState): SettingProblems {
    const nextValues = new Map<string, unknown>([...values, ...Object.entries(set)]);
    for (const name of reset) nextValues.delete(name);
    const existingProblems = findContradictionsWithChanges(base, values).map(english.text);
    const [problem] = findContradictionsWithChanges(base, nextValues).filter(
      (candidate) => !existingProblems.includes(english.text(candidate)),
    );
    const [name = ''] = [...Object.keys(set), ...reset];
    return problem === undefined ? {} : { [name]: problem };
  }

  function findChangeProblems({ set, reset }: RequestedChange, { values }: ChangedSettingsState): SettingProblems {
    const valueProblems = Object.entries(set).map(
      ([name, value]) => [name, findSettingProblem(base, name, value, values.get(name))] as const,
    );
    const resetProblems = reset.map((name) => [name, isChanged(name) ? undefined : nameProblem(base, name)] as const);
    return Object.fromEntries(
      [...valueProblems, ...resetProblems].flatMap(([name, problem]) => (problem ? [[name, problem]] : [])),
    );
  }

  const isChanged = (name: string): boolean => recordedChanges.find(name) !== undefined;

  async function checkChange(request: Parameters<SettingChanges['change']>[0]) {
    const { state } = await commands.observe(SETTINGS_STREAM);
    const change = typeof request === 'function' ? request(state.values) : request;
    const changeProblems = findChangeProblems(change, state);
    return {
      change,
      state,
      problems: Object.keys(changeProblems).length > 0 ? changeProblems : problemsAfter(change, state),
    };
  }

  return {
    all,
    find: (name) => all().find((setting) => setting.name === name),
    ignored,
    problems: async (change) => (await checkChange(change)).problems,

    parse(name, text) {
      try {
        const { [name]: value } = parseSettingChanges({ [name]: text });
        return { value };
      } catch (error) {
        if (error instanceof ConfigError) return { problem: error.texts[0] ?? '' };
        throw error;
      }
    },

    async change(request, context) {
      const { change, state, problems } = await checkChange(request);
      if (Object.keys(problems).length > 0) return { problems };
      const { refusal, position } = await commands.execute(
        SETTINGS_STREAM,
        {
          type: 'ChangeSettings',
          set: change.set as Readonly<Record<string, SettingValue>>,
          reset: change.reset,
          basedOnChanges: state.changeCount,
          baseValues: valuesWithoutChanges(base, Object.keys(change.set)),
        },
        context,
      );
      if (refusal === 'outdated') throw new DecisionOutdated(null);
      // Waits even if nothing changed, because an earlier request with the same change may still be waiting.
      await everyNode?.(position ?? deps.position());
      return { position };
    },
  };
}

function findSettingProblem(base: Config, name: string, value: unknown, previousValue: unknown): Text | undefined {
  const problem = nameProblem(base, name);
  if (problem !== undefined) return problem;
  const result = checkValue(name as SettingName, value, previousValue);
  if ('value' in result) return undefined;
  const { expects } = settings[name as SettingName];
  const valueProblem = 'problem' in result ? result.problem : message('setting-problem.must-be', { expects });
  return addSettingName(name, valueProblem);
}

function nameProblem(base: Config, name: string): Text | undefined {
  const settingName = SETTING_NAMES.find((candidate) => candidate === name);
  const reason = settingName === undefined ? 'unknown' : fixedBy(base, settingName);
  return reason === undefined ? undefined : addSettingName(name, message(`setting-problem.${reason}`));
}

/** Returns the values from the operator or the defaults, without additions by the server. */
function valuesWithoutChanges(base: Config, names: readonly string[]): Readonly<Record<string, SettingValue>> {
  const values: Readonly<Record<string, unknown>> = { ...base, ...base.configured };
  return Object.fromEntries(names.map((name) => [name, values[name] as SettingValue]));
}
