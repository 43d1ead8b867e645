import type { SettingName } from '../../../config/settings.ts';
import type { MessageKey } from '../../../language/catalogue.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Forecast, ForecastFinding } from '../../../oauth/settings/forecast.ts';

/** A forecast with the texts of the page. */
export interface ShownForecast extends Omit<Forecast, 'because' | 'findings' | 'refusedRequests'> {
  readonly because: Text;
  readonly findings: readonly (Pick<ForecastFinding, 'application' | 'outcome' | 'count'> & {
    readonly difference: Text;
  })[];
}

const SHOWN = 'forecast.because.shown';

/** The reasons why the log cannot show the effect of a setting. */
const REASONS: Readonly<Partial<Record<SettingName, MessageKey>>> = {
  brandName: SHOWN,
  brandColor: SHOWN,
  brandColorDark: SHOWN,
  brandLogo: SHOWN,
  brandLogoDark: SHOWN,
  brandTexts: SHOWN,
  scopeDisplay: SHOWN,
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

/** Describe the requests that the setting would have refused. */
const REFUSED: Readonly<Partial<Record<SettingName, MessageKey>>> = {
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

/** Describe how the responses would have differed, by the what-if rule. */
const DIFFERENT: Readonly<Record<string, MessageKey>> = {
  'access-token-lifetime': 'forecast.difference.access-token-lifetime',
  'consent-required': 'forecast.difference.consent-required',
  'redirect-uri': 'forecast.difference.redirect-uri',
  resource: 'forecast.difference.resource',
};

/** The forecast, with one finding for each application and difference. */
export function shownForecast(name: SettingName, forecast: Forecast): ShownForecast {
  const { because, findings, refusedRequests: _, ...rest } = forecast;
  const reason = REASONS[name];
  const found = new Map<string, ShownForecast['findings'][number]>();
  for (const finding of findings) {
    const { client, application, outcome, count } = finding;
    const difference = differenceOf(name, finding);
    const key = JSON.stringify([client, outcome, difference]);
    found.set(key, { application, outcome, difference, count: count + (found.get(key)?.count ?? 0) });
  }
  return {
    ...rest,
    because: reason === undefined ? (because ?? '') : message(reason),
    findings: [...found.values()],
  };
}

function differenceOf(name: SettingName, { outcome, rule, difference }: ForecastFinding): Text {
  const key = outcome === 'refused' ? REFUSED[name] : DIFFERENT[rule];
  return key === undefined ? difference : message(key);
}
