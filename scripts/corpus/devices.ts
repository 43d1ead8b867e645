import { REFRESHES_PER_SUMMARY } from '../../src/domain/authorization-grant.ts';
import { openSession } from '../../test/support/authorize-requests.ts';
import { answerDevice, approveDevice, requestCodes, poll } from '../../test/support/devices.ts';
import type { RunningService, TestUser } from '../../test/support/running-service.ts';
import { expectTokens } from './expect-tokens.ts';

/**
 * Requests grants for three devices (RFC 8628). The first refreshes until its grant is summarized, the second redeems
 * its code again two minutes later, which ends its grant, and the third is denied.
 */
export async function recordDevices(running: RunningService, user: TestUser): Promise<void> {
  const tv = await running.addClient({
    name: 'Television',
    clientType: 'public',
    grantTypes: ['device-code'],
    redirectUris: [],
  });
  const refreshingDevice = await requestCodes(running, tv);
  await approveDevice(running, user, refreshingDevice);
  let { refresh_token: token } = await expectTokens(poll(running, tv, refreshingDevice));
  for (let refreshes = 0; refreshes <= REFRESHES_PER_SUMMARY; refreshes += 1) {
    running.clock.advance(60);
    const parameters = { grant_type: 'refresh_token', refresh_token: token ?? '', client_id: tv.id };
    ({ refresh_token: token } = await expectTokens(running.post('/o/token/', parameters)));
  }

  const replayedDevice = await requestCodes(running, tv);
  await approveDevice(running, user, replayedDevice);
  await expectTokens(poll(running, tv, replayedDevice));
  running.clock.advance(120);
  const { status } = await poll(running, tv, replayedDevice);
  if (status !== 400) throw new Error(`a device code was redeemed twice: ${status}`);

  await answerDevice(await openSession(running, user), await requestCodes(running, tv), {});
}
