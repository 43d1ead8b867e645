import { encodeEvent } from '../../src/domain/events.ts';
import type { ClientId, UserId } from '../../src/domain/values.ts';
import type { BrowserSession } from './browser-session.ts';
import { CLIENT_SETTINGS } from './client-settings.ts';
import { runningService, type RunningService, type TestUser } from './running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

export const ROOT: TestUser = { username: 'root', password: 'the password of root' };

/** Starts a service with one user, an administrator and auditor, who has logged in. */
export async function startWithRoot(): Promise<{
  readonly running: RunningService;
  readonly browser: BrowserSession;
  readonly userId: UserId;
}> {
  const running = await runningService();
  const registration = await running
    .service()
    .accounts.register({ ...ROOT, roles: ['administrator', 'auditor'] }, OPERATOR);
  if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
  const browser = running.browser();
  await browser.logIn(ROOT.username, ROOT.password);
  return { running, browser, userId: registration.user.userId };
}

/** Adds applications by appending events, as an import does, so that no secret is hashed. */
export async function addApplications(running: RunningService, ownerId: UserId, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const clientId = `application${String(number).padStart(6, '0')}` as ClientId;
    const event = encodeEvent({
      type: 'ClientRegistered',
      data: {
        clientId,
        ownerId,
        secret: null,
        ...CLIENT_SETTINGS,
        name: `Application ${number}`,
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: [`https://a${number}.example/callback`],
      },
    });
    await running.log.append(`client-${clientId}`, 'no-stream', [{ ...event, recordedAt: 0, ...OPERATOR }]);
  }
}
