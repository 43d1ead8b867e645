import { expect } from 'chai';
import fc from 'fast-check';
import type { SettingName } from '../../../src/config/settings.ts';
import {
  hasUnpredictableEffects,
  performSteps,
  RESOURCES,
  someSteps,
  type Step,
} from '../../support/repeatable-traffic.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Settings that are read at startup. */
const STARTUP_SETTINGS = { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] } as const;

/** The most permissive values of settings that change at run time, except for lifetimes. */
const PERMISSIVE_SETTINGS = {
  clientDocuments: 'any',
  requirePkce: 'none',
  pkceMethods: ['S256', 'plain'],
  plainHttpRedirectUris: true,
  redirectUriSchemes: ['myapp', 'otherapp'],
  resources: RESOURCES,
  approvalPrompt: 'auto',
  authorizationCodeLifetimeSeconds: 60,
  accessTokenLifetimeSeconds: 600,
  refreshTokenLifetimeSeconds: 7_200,
} as const;

const CHANGES: readonly (readonly [SettingName, unknown])[] = [
  ['requirePkce', 'all'],
  ['pkceMethods', ['S256']],
  ['requirePar', true],
  ['requireDpop', true],
  ['plainHttpRedirectUris', false],
  ['redirectUriSchemes', ['myapp']],
  ['clientDocuments', 'list'],
  ['resources', [RESOURCES[1]]],
  ['authorizationCodeLifetimeSeconds', 10],
  ['refreshTokenLifetimeSeconds', 600],
  ['accessTokenLifetimeSeconds', 3_600],
];

async function startWith(set: Readonly<Record<string, unknown>>): Promise<RunningService> {
  const running = await runningService({ settings: STARTUP_SETTINGS });
  const result = await running.service().settingChanges.change({ set, reset: [] }, OPERATOR);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return running;
}

/** Counts the recorded successes that are refused after the change. Returns undefined if they cannot be compared. */
async function countRefusedAfter(
  change: Readonly<Record<string, unknown>>,
  steps: readonly Step[],
  recordedSteps: Awaited<ReturnType<typeof performSteps>>,
): Promise<number | undefined> {
  const running = await startWith({ ...PERMISSIVE_SETTINGS, ...change });
  try {
    const repeatedSteps = await performSteps(running, steps, recordedSteps);
    let refusedCount = 0;
    for (const [index, recordedStep] of recordedSteps.entries()) {
      const { outcome, headBefore, headAfter } = recordedStep;
      const repeatedOutcome = repeatedSteps[index]?.outcome ?? null;
      if (hasUnpredictableEffects(recordedStep, repeatedSteps[index])) return undefined;
      if (outcome === null || outcome.isRefused || headBefore === headAfter) continue;
      if (repeatedOutcome === null || repeatedOutcome.isRefused) refusedCount += 1;
    }
    return refusedCount;
  } finally {
    await running.close();
  }
}

describe('the forecast for a setting change', function () {
  this.timeout(300_000);

  it('equals the number of repeated requests that are refused after the change', async () => {
    let [comparisonCount, refusalCount] = [0, 0];
    await fc.assert(
      fc.asyncProperty(someSteps, async (steps) => {
        const running = await startWith(PERMISSIVE_SETTINGS);
        try {
          const recordedSteps = await performSteps(running, steps);
          for (const [name, value] of CHANGES) {
            const forecast = await running.service().forecastSetting(name, value, new AbortController().signal);
            const actual = await countRefusedAfter({ [name]: value }, steps, recordedSteps);
            if (actual === undefined) continue;
            comparisonCount += 1;
            refusalCount += actual;
            expect(forecast.refusedRequests, `${name} ${JSON.stringify(value)}`).to.equal(actual);
            expect(forecast.refused > 0, name).to.equal(actual > 0);
          }
        } finally {
          await running.close();
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
    expect(comparisonCount).to.be.greaterThan(CHANGES.length);
    expect(refusalCount).to.be.greaterThan(0);
  });

  it('is unknown, with an explanation, for settings whose effect is not recorded', async () => {
    const running = await startWith(PERMISSIVE_SETTINGS);
    try {
      const { forecastSetting } = running.service();
      const forecast = await forecastSetting('signup', 'open', new AbortController().signal);
      expect(forecast).to.deep.include({ kind: 'unknown', requests: 0 });
      expect(forecast.because).to.include('cannot be excluded');
    } finally {
      await running.close();
    }
  });
});
