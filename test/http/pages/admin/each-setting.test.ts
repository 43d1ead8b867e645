import { expect } from 'chai';
import { readConfig, type Config } from '../../../../src/config/config.ts';
import { formatSettingValue } from '../../../../src/config/effective-settings.ts';
import { RUN_TIME_SETTINGS } from '../../../../src/config/live-config.ts';
import { environmentName, SETTING_NAMES } from '../../../../src/config/settings.ts';
import { runningService } from '../../../support/running-service.ts';

/** Opens each setting's page as an administrator, in both languages, and returns the pages that fail. */
async function findFailingPages(watchConfig: (config: Config) => Config): Promise<readonly string[]> {
  const running = await runningService({ replaceConfig: watchConfig });
  try {
    const { username, password } = await running.addUser('root', ['administrator']);
    const failures: string[] = [];
    for (const language of ['en', 'de']) {
      const browser = running.browser({ 'accept-language': language });
      await browser.logIn(username, password);
      for (const name of SETTING_NAMES) {
        const { status } = await browser.get(`/admin/settings/${name}/`);
        if (status !== 200) failures.push(`${language} ${name}: ${status}`);
      }
    }
    return failures;
  } finally {
    await running.close().catch(() => {}); // an unexpected error is in the responses
  }
}

describe("Each setting's page", () => {
  it('opens on a server with default settings', async () => {
    expect(await findFailingPages((config) => config)).to.deep.equal([]);
  });

  it('opens if every run-time setting is set in the environment', async () => {
    const readFromEnvironment = (config: Config): Config => {
      const variables = RUN_TIME_SETTINGS.map((name) => [
        environmentName(name),
        formatSettingValue(
          name,
          name === 'scopes' || name === 'defaultScopes' ? config.configured[name] : config[name],
        ),
      ]);
      return readConfig(Object.fromEntries(variables) as Readonly<Record<string, string>>, () => '').config;
    };
    expect(await findFailingPages(readFromEnvironment)).to.deep.equal([]);
  });
});
