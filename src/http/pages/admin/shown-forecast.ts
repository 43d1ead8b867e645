import type { SettingName } from '../../../config/settings.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message, type Message, type Text } from '../../../language/message.ts';
import type { Forecast, ForecastFinding } from '../../../oauth/settings/forecast.ts';
import type { CurrentSetting } from '../../../oauth/settings/setting-changes.ts';
import type { Clients } from '../../../projections/clients.ts';
import { durationText } from '../../../language/durations.ts';

/** A forecast as shown on the page, with similar findings combined. */
export interface ForecastLocals extends Omit<Forecast, 'because' | 'findings' | 'refusedRequests'> {
  readonly because: Text;
  readonly findings: readonly (Pick<ForecastFinding, 'application' | 'outcome' | 'count'> & {
    /** The path of the application's page; null if the application has been removed. */
    readonly href: string | null;
    readonly difference: Text;
  })[];
}

/** A setting and the value proposed for it. */
interface ProposedValue {
  readonly setting: Pick<CurrentSetting, 'name' | 'value' | 'changed'>;
  readonly value: unknown;
}

const APPEARANCE_REASON = 'forecast.because.shown';

/** The reasons why some settings have no forecast, keyed by setting. */
const NO_FORECAST_REASONS: Readonly<Partial<Record<SettingName, MessageKey>>> = {
  brandName: APPEARANCE_REASON,
  brandColor: APPEARANCE_REASON,
  brandColorDark: APPEARANCE_REASON,
  brandLogo: APPEARANCE_REASON,
  brandLogoDark: APPEARANCE_REASON,
  brandTexts: APPEARANCE_REASON,
  scopeDisplay: APPEARANCE_REASON,
  brandLinks: 'forecast.because.brandLinks',
  scopes: 'forecast.because.scopes',
  defaultScopes: 'forecast.because.defaultScopes',
  scopeClaims: 'forecast.because.scopeClaims',
  resourceRegistration: 'forecast.because.resourceRegistration',
  refreshReuseWindowSeconds: 'forecast.because.refreshReuseWindowSeconds',
  approvalPrompt: 'forecast.because.approvalPrompt',
  requireSecondFactor: 'forecast.because.requireSecondFactor',
  signup: 'forecast.because.signup',
  tokensPerMinutePerClient: 'forecast.because.tokensPerMinutePerClient',
  sessionLifetimeSeconds: 'forecast.because.sessionLifetimeSeconds',
  registrationLifetimeSeconds: 'forecast.because.registrationLifetimeSeconds',
  introspectionOwnTokensOnly: 'forecast.because.introspectionOwnTokensOnly',
};

/** Descriptions of the requests that would have been refused, keyed by setting. */
const REFUSAL_MESSAGES: Readonly<Partial<Record<SettingName, MessageKey>>> = {
  requirePkce: 'forecast.difference.requirePkce',
  pkceMethods: 'forecast.difference.pkceMethods',
  requirePar: 'forecast.difference.requirePar',
  requireDpop: 'forecast.difference.requireDpop',
  plainHttpRedirectUris: 'forecast.difference.plainHttpRedirectUris',
  redirectUriSchemes: 'forecast.difference.redirectUriSchemes',
  clientDocuments: 'forecast.difference.clientDocuments',
  resources: 'forecast.difference.resources',
  authorizationCodeLifetimeSeconds: 'forecast.difference.authorizationCodeLifetimeSeconds',
  refreshTokenLifetimeSeconds: 'forecast.difference.refreshTokenLifetimeSeconds',
};

/** Descriptions of how the responses would have differed, keyed by what-if rule, except for LIFETIME_RULE. */
const DIFFERENCE_MESSAGES: Readonly<Record<string, MessageKey>> = {
  'consent-required': 'forecast.difference.consent-required',
  'redirect-uri': 'forecast.difference.redirect-uri',
  resource: 'forecast.difference.resource',
};

/** Reports whether the server can forecast the effect of a setting. */
export function hasForecast(name: SettingName): boolean {
  return NO_FORECAST_REASONS[name] === undefined;
}

/** Returns the locals for a forecast. Findings with the same application, outcome and difference are combined. */
export function forecastLocals(
  proposal: ProposedValue,
  forecast: Forecast,
  clients: Pick<Clients, 'find'>,
): ForecastLocals {
  const { name } = proposal.setting;
  const { because, findings, refusedRequests: _, ...rest } = forecast;
  const reason = NO_FORECAST_REASONS[name];
  const findingsByKey = new Map<string, ForecastLocals['findings'][number]>();
  for (const finding of findings) {
    const { client, application, outcome, count } = finding;
    const difference = describeDifference(proposal, finding, forecast);
    const key = JSON.stringify([client, outcome, difference]);
    const href = clients.find(client) === undefined ? null : `/admin/applications/${encodeURIComponent(client)}/`;
    findingsByKey.set(key, {
      application,
      href,
      outcome,
      difference,
      count: count + (findingsByKey.get(key)?.count ?? 0),
    });
  }
  return {
    ...rest,
    because: reason === undefined ? (because ?? '') : message(reason),
    findings: [...findingsByKey.values()],
  };
}

function describeDifference(
  proposal: ProposedValue,
  { outcome, rule, difference }: ForecastFinding,
  { since }: Pick<Forecast, 'since'>,
): Text {
  const { name } = proposal.setting;
  if (rule === LIFETIME_RULE) return describeLifetimeDifference(proposal, since);
  const messageKey = outcome === 'refused' ? REFUSAL_MESSAGES[name] : DIFFERENCE_MESSAGES[rule];
  return messageKey === undefined ? difference : message(messageKey);
}

const LIFETIME_RULE = 'access-token-lifetime';

/** Describes the difference in lifetime. Omits the current lifetime if it was set during the simulated period. */
function describeLifetimeDifference({ setting, value }: ProposedValue, since: number): Message {
  const newDuration = durationText(Number(value));
  const wasSetDuringPeriod = setting.changed !== null && setting.changed.changedAt * 1000 >= since;
  return wasSetDuringPeriod
    ? message('forecast.difference.valid-for', { after: newDuration })
    : message('forecast.difference.valid-instead', { after: newDuration, before: durationText(Number(setting.value)) });
}
