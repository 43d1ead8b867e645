import { expect } from 'chai';
import type { Config } from '../../../src/config/config.ts';
import { RUN_TIME_SETTINGS } from '../../../src/config/live-config.ts';
import { runningService } from '../../support/running-service.ts';

describe('the composition of the server', () => {
  it('reads no setting that can change at run time, because it would keep the value', async () => {
    const read = new Set<string>();
    const watchConfig = (config: Config): Config =>
      new Proxy(config, {
        get(target, name, receiver) {
          if (RUN_TIME_SETTINGS.some((each) => each === name)) read.add(String(name));
          return Reflect.get(target, name, receiver);
        },
      });
    const running = await runningService({ watchConfig });
    try {
      expect([...read]).to.deep.equal([]);
    } finally {
      await running.close();
    }
  });
});
