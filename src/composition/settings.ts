import { createRemovalForecasts, type ForecastedProjections } from '../audit/queries/removal-forecasts.ts';
import type { Config } from '../config/config.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { EventLog, Position } from '../event-store/event-log.ts';
import { createEveryNode } from '../event-store/every-node.ts';
import type { ForecastSetting } from '../oauth/settings/forecast.ts';
import { createTextChanges } from '../oauth/settings/own-texts.ts';
import { createScopeChanges } from '../oauth/settings/scope-changes.ts';
import { createSettingChanges } from '../oauth/settings/setting-changes.ts';
import { createScopeUseFinder } from '../operations/scope-use.ts';
import { forecastSettingValue } from '../operations/setting-forecast.ts';
import type { Clock } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';
import type { ProjectionsAsOf } from './running-projections.ts';

/**
 * Creates the parts that change settings, scopes and texts at run time, and those that forecast the effects of setting
 * changes and removals.
 */
export function createSettingParts(deps: {
  readonly projections: ForecastedProjections & Pick<Projections, 'changedSettings' | 'clients'>;
  readonly commands: Pick<CommandHandlers, 'changedSettings'>;
  readonly log: EventLog;
  readonly projectionsAsOf: ProjectionsAsOf;
  readonly position: () => Position;
  readonly clock: Clock;
  readonly now: () => EpochSeconds;
  readonly issuer: () => string;
  /** The settings without the changes in the log. */
  readonly baseSettings: Config;
  /** The settings with the changes in the log. */
  readonly settings: Config;
}) {
  const { projections, log, projectionsAsOf, clock, now, issuer, baseSettings: base, settings: live } = deps;
  const { changedSettings, clients } = projections;
  const settingChanges = createSettingChanges({
    commands: deps.commands.changedSettings,
    recordedChanges: changedSettings,
    base,
    live,
    position: deps.position,
    everyNode: log.shared && createEveryNode(log.shared, clock.ticks, base.maxStalenessSeconds),
  });
  const forecastSetting: ForecastSetting = (name, value, signal) =>
    forecastSettingValue({ log, projectionsAsOf, issuer }, name, value, clock.now(), signal);
  return {
    settingChanges,
    scopeChanges: createScopeChanges(settingChanges, { base, live }),
    textChanges: createTextChanges(settingChanges, base),
    forecastSetting,
    findScopeUse: createScopeUseFinder({
      log,
      nameOf: (clientId) => clients.find(clientId)?.name ?? clientId,
      now: () => clock.now(),
    }),
    removalForecasts: createRemovalForecasts({ projections, now, settings: live }),
  };
}
