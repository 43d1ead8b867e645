import type { SettingName } from '../../config/settings.ts';

/** The effect that a setting's value would have had on the requests of the last month. */
export interface Forecast {
  /**
   * `simulated` if the log shows the effect of the setting, `unknown` if it does not, and `indifferent` if the setting
   * does not affect responses to applications. Nothing was simulated in the last two cases.
   */
  readonly kind: 'simulated' | 'unknown' | 'indifferent';
  /** Why nothing was simulated; null if the effect was simulated. */
  readonly because: string | null;
  /** The start of the simulated period, in milliseconds since the epoch. */
  readonly since: number;
  /** The number of successful requests that were simulated. */
  readonly requests: number;
  /** The number of applications that would have been refused at least once. */
  readonly refused: number;
  /** The number of other applications that would have received a different response. */
  readonly answered: number;
  /** The number of requests that would have been refused, including later requests that depended on refused ones. */
  readonly refusedRequests: number;
  /** The first few differences, starting with refusals. */
  readonly findings: readonly ForecastFinding[];
}

export interface ForecastFinding {
  /** The client id. */
  readonly client: string;
  readonly application: string;
  /** The name of the rule in what-if. */
  readonly rule: string;
  readonly outcome: 'refused' | 'answered otherwise';
  readonly difference: string;
  readonly count: number;
}

/** Simulates the last month with the given value of the setting. */
export type ForecastSetting = (name: SettingName, value: unknown, signal: AbortSignal) => Promise<Forecast>;

/** The applications that got access tokens with a scope, in descending order of the number of tokens. */
export interface ScopeUse {
  /** The start of the examined period, in milliseconds since the epoch. */
  readonly since: number;
  readonly applications: readonly {
    readonly clientId: string;
    /** The name of the application, or its client id if it has been removed. */
    readonly application: string;
    readonly tokens: number;
  }[];
}

export type FindScopeUse = (scope: string) => Promise<ScopeUse>;
