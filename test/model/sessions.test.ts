import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';
import { repetitions } from '../support/repetitions.ts';

const DAY = 86_400;
const RUN_COUNT = repetitions(15);
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** The expected last use of each browser's session, in epoch seconds, or undefined if it has no session. */
type Model = (number | undefined)[];

interface Step {
  readonly kind: 'log in' | 'use' | 'log out' | 'end' | 'end all' | 'operator ends' | 'wait';
  readonly browser: number;
  readonly seconds: number;
}

const BROWSER_COUNT = 3;

const arbitraryStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind'][]>(
    'log in',
    'log in',
    'use',
    'use',
    'log out',
    'end',
    'end all',
    'operator ends',
    'wait',
  ),
  browser: fc.nat(BROWSER_COUNT - 1),
  seconds: fc.integer({ min: 1, max: 3 * DAY }),
});

describe('The session list, after sessions were started, used and ended at random,', function () {
  this.timeout(300_000);

  it('shows the open sessions with their last uses, even after a restart, and the audit has no findings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryStep, { minLength: 5, maxLength: 20 }), async (steps) => {
        const running = await runningService();
        try {
          const ada = await running.addUser('ada');
          const browsers = Array.from({ length: BROWSER_COUNT }, () => running.browser());
          const model: Model = Array.from({ length: BROWSER_COUNT }, () => undefined);
          for (const step of steps) {
            running.clock.advance(1); // so that no two uses have the same time
            await perform(step, { running, ada, browsers, model });
          }
          expect(listLastUses(running)).to.deep.equal(listExpectedUses(model));
          await awaitBackgroundWrites(running);
          await running.restart();
          expect(listLastUses(running).map(toDay)).to.deep.equal(listExpectedUses(model).map(toDay));
          const findings: unknown[] = [];
          for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
          expect(findings).to.deep.equal([]);
        } finally {
          await running.close();
        }
      }),
      { numRuns: RUN_COUNT },
    );
  });
});

interface Scenario {
  readonly running: RunningService;
  readonly ada: TestUser;
  readonly browsers: readonly BrowserSession[];
  readonly model: Model;
}

async function perform({ kind, browser: index, seconds }: Step, scenario: Scenario): Promise<void> {
  const { running, ada, browsers, model } = scenario;
  const browser = browsers[index] ?? expect.fail();
  const now = (): number => Math.floor(running.clock.now() / 1000);
  switch (kind) {
    case 'log in':
      await browser.logIn(ada.username, ada.password);
      model[index] = now();
      return;
    case 'use':
      await browser.get('/accounts/');
      if (model[index] !== undefined) model[index] = now();
      return;
    case 'log out':
    case 'end all': {
      if (model[index] === undefined) return;
      const path = kind === 'log out' ? '/accounts/logout/' : '/accounts/logout/everywhere/';
      await browser.submit(await browser.get('/accounts/'), {}, path);
      if (kind === 'log out') model[index] = undefined;
      else model.fill(undefined);
      return;
    }
    case 'end': {
      if (model[index] === undefined) return;
      const page = await browser.get('/accounts/sessions/');
      model[index] = now();
      const [, otherSessionPath] = [...page.html.matchAll(/action="(\/accounts\/sessions\/[^"]+)"/g)].map(
        ([, path]) => path,
      );
      if (otherSessionPath === undefined) return;
      const usesBefore = listLastUses(running);
      await browser.submit(page, {}, otherSessionPath);
      removeEndedSession(model, usesBefore, listLastUses(running));
      return;
    }
    case 'operator ends': {
      const { loginSessions, projections } = running.service();
      const user = projections.users.findByName('ada') ?? expect.fail();
      const usesBefore = listLastUses(running);
      const [session] = loginSessions.listByUser(user.userId, now() as never);
      if (session === undefined) return;
      await loginSessions.endForUser(session.sessionHash, user.userId, now() as never, OPERATOR);
      removeEndedSession(model, usesBefore, listLastUses(running));
      return;
    }
    case 'wait':
      running.clock.advance(seconds);
      return;
  }
}

/** Removes the ended session from the model. Its time of last use identifies it, because that time is unique. */
function removeEndedSession(model: Model, usesBefore: readonly number[], usesAfter: readonly number[]): void {
  const remainingUses = [...usesAfter];
  for (const use of usesBefore) {
    const index = remainingUses.indexOf(use);
    if (index >= 0) remainingUses.splice(index, 1);
    else model[model.indexOf(use)] = undefined;
  }
}

function listLastUses(running: RunningService): readonly number[] {
  const { loginSessions, projections } = running.service();
  const user = projections.users.findByName('ada') ?? expect.fail();
  const now = Math.floor(running.clock.now() / 1000);
  return loginSessions
    .listByUser(user.userId, now as never)
    .map((session) => Number(loginSessions.lastUse(session).at))
    .toSorted((a, b) => a - b);
}

function listExpectedUses(model: Model): readonly number[] {
  return model.filter((use) => use !== undefined).toSorted((a, b) => a - b);
}

/** Waits until the log contains the uses that the service records in the background. */
async function awaitBackgroundWrites(running: RunningService): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    const head = running.log.head();
    await new Promise((resolve) => setImmediate(resolve));
    if (running.log.head() === head && turn > 3) return;
  }
}

const toDay = (time: number): number => Math.floor(time / DAY);
