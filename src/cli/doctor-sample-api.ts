import { isLoopbackIssuer } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { effectiveSettings } from '../config/effective-settings.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';

/** Checks whether the sample API discloses the user directory to others, and to whom. */
export function checkSampleApi(config: Config): CheckResult {
  const { sampleApi, signup, issuer, readScope } = config;
  if (!sampleApi) return ok('sample-api', `off: ${settingOrigin(config)}`);
  const readers = signup === 'open' ? 'anyone can sign up, register' : 'every user can register';
  const data = 'the user names, names and e-mail addresses of all users';
  const says = `on: ${settingOrigin(config)}; ${readers} an application and read ${data} with the scope ${readScope}`;
  const isPublic = issuer !== null && !isLoopbackIssuer(issuer);
  if (signup === 'closed' && !isPublic) return ok('sample-api', `${says}; the issuer is on this machine`);
  const todo = 'set sampleApi to false: it is a demonstration, not meant for real users';
  return finding('sample-api', says, todo);
}

function settingOrigin(config: Config): string {
  const setting = effectiveSettings(config).find(({ name }) => name === 'sampleApi');
  return setting?.origin === 'default' && setting.reason !== null
    ? setting.reason
    : `set in the ${config.origins.sampleApi}`;
}
