import type { EpochSeconds } from '../../src/domain/values.ts';
import { operate } from '../../src/operations/operations.ts';
import type { User } from '../../src/projections/users.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { expectPage } from './expect-page.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;

/** Records a session that a user still uses on the next day, and that an administrator then ends. */
export async function recordTwoDaySession(running: RunningService, administrator: User): Promise<void> {
  const user = await running.addUser('nora');
  const browser = running.browser();
  await expectPage(browser.logIn(user.username, user.password));
  running.clock.advance(DAY);
  await expectPage(browser.get('/'));
  const { loginSessions, projections } = running.service();
  const { userId } = projections.users.findByName(user.username) ?? administrator;
  const now = Math.floor(running.clock.now() / 1000) as EpochSeconds;
  const [session] = loginSessions.listByUser(userId, now);
  const sessionHash = session?.sessionHash ?? '';
  await browser.get('/'); // the previous use has been recorded when this responds
  const context = { actor: { kind: 'user', id: administrator.userId }, requestId: null } as const;
  const isEnded = await loginSessions.endForUser(sessionHash, userId, now, context);
  if (!isEnded) throw new Error('the session was not open');
}

/** Records a login while the clock is a year ahead. The operator sets the clock back, and confirms that it is right. */
export async function recordClockCorrection(running: RunningService): Promise<void> {
  const user = await running.addUser('otto');
  running.clock.shift(YEAR);
  await expectPage(running.browser().logIn(user.username, user.password));
  running.clock.shift(-YEAR);
  const { signal } = new AbortController();
  for await (const result of operate(running.service())('clock confirm', { yes: true }, signal)) {
    if (typeof result !== 'object') throw new Error('the clock was not confirmed');
  }
}
