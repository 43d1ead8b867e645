import { isLoopbackIssuer } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { effectiveSettings } from '../config/effective-settings.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';

/** Whether the sample API shows the user directory to people who are not at this machine, and who they are. */
export function checkSampleApi(config: Config): CheckResult {
  const { sampleApi, signup, issuer, readScope } = config;
  if (!sampleApi) return ok('sample-api', `off: ${settingOrigin(config)}`);
  const readers = signup === 'open' ? 'anybody can sign up, register' : 'every user can register';
  const data = "everybody's user name, names and e-mail address";
  const says = `on: ${settingOrigin(config)}; ${readers} an application and read ${data} with the scope ${readScope}`;
  const isPublic = issuer !== null && !isLoopbackIssuer(issuer);
  if (signup === 'closed' && !isPublic) return ok('sample-api', `${says}; the issuer is on this machine`);
  const todo = 'set sampleApi to false: it shows how scopes guard an API, and is not for real users';
  return finding('sample-api', says, todo);
}

function settingOrigin(config: Config): string {
  const setting = effectiveSettings(config).find(({ name }) => name === 'sampleApi');
  return setting?.origin === 'default' && setting.reason !== null
    ? setting.reason
    : `set in the ${config.origins.sampleApi}`;
}
