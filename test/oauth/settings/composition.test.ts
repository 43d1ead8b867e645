import { expect } from 'chai';
import type { Config } from '../../../src/config/config.ts';
import { RUN_TIME_SETTINGS } from '../../../src/config/live-config.ts';
import { runningService } from '../../support/running-service.ts';

describe('the composition of the server', () => {
  it('reads no setting that can change at run time, because it would keep an outdated value', async () => {
    const settingsRead = new Set<string>();
    const watchConfig = (config: Config): Config =>
      new Proxy(config, {
        get(target, name, receiver) {
          if (RUN_TIME_SETTINGS.some((setting) => setting === name)) settingsRead.add(String(name));
          return Reflect.get(target, name, receiver);
        },
      });
    const running = await runningService({ replaceConfig: watchConfig });
    try {
      expect([...settingsRead]).to.deep.equal([]);
    } finally {
      await running.close();
    }
  });
});
