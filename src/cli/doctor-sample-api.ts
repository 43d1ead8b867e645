import { isLoopbackIssuer } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { effectiveSettings } from '../config/effective-settings.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';

/** Checks whether, and to whom, the sample API discloses the user directory. */
export function checkSampleApi(config: Config): CheckResult {
  const { sampleApi, signup, issuer, readScope } = config;
  if (!sampleApi) return ok('sample-api', `off: ${settingOrigin(config)}`);
  const access = signup === 'open' ? 'anyone can sign up, register' : 'every user can register';
  const data = 'the user names, names and e-mail addresses of all users';
  const exposure = `${access} an application and read ${data} with the ${readScope} scope`;
  const description = `on: ${settingOrigin(config)}; ${exposure}`;
  const isPublic = issuer !== null && !isLoopbackIssuer(issuer);
  if (signup === 'closed' && !isPublic) return ok('sample-api', `${description}; the issuer is on this machine`);
  const advice = 'set sampleApi to false: the sample API is a demonstration, and is not meant for real users';
  return finding('sample-api', description, advice);
}

function settingOrigin(config: Config): string {
  const setting = effectiveSettings(config).find(({ name }) => name === 'sampleApi');
  return setting?.origin === 'default' && setting.reason !== null
    ? setting.reason
    : `set in the ${config.origins.sampleApi}`;
}
