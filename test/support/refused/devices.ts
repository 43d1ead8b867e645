import type { TestResponse, TestClient } from '../running-service.ts';
import { approveDevice, answerDevice, requestCodes, poll, requestDevice, type Codes } from '../devices.ts';
import { openSession } from '../authorize-requests.ts';
import type { RefusalScenario, RefusedRequest } from './scenario.ts';

const DEVICE_CLIENT = { grantTypes: ['device-code'], redirectUris: [] } as const;

/** Registers a client for devices and requests codes for one. */
async function registerDevice({ running, addOtherClient }: RefusalScenario): Promise<{ tv: TestClient; codes: Codes }> {
  const tv = await addOtherClient(DEVICE_CLIENT);
  return { tv, codes: await requestCodes(running, tv) };
}

const pollTwice = async (scenario: RefusalScenario): Promise<TestResponse> => {
  const { tv, codes } = await registerDevice(scenario);
  await poll(scenario.running, tv, codes);
  return poll(scenario.running, tv, codes);
};

async function registerApprovedDevice(scenario: RefusalScenario): Promise<{ tv: TestClient; codes: Codes }> {
  const device = await registerDevice(scenario);
  await approveDevice(scenario.running, scenario.user, device.codes);
  return device;
}

/** Refused device requests. */
export const DEVICE_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'device-pending',
    name: 'a request that the user has not decided on',
    about: 'proven',
    send: async (scenario) => {
      const { tv, codes } = await registerDevice(scenario);
      return poll(scenario.running, tv, codes);
    },
  },
  {
    rule: 'device-polls-too-fast',
    name: 'a second poll without a pause',
    about: 'proven',
    details: { intervalSeconds: 5, seenSeconds: 0 },
    send: pollTwice,
  },
  {
    rule: 'device-denied',
    name: 'a request that the user denied',
    about: 'proven',
    send: async (scenario) => {
      const { tv, codes } = await registerDevice(scenario);
      await answerDevice(await openSession(scenario.running, scenario.user), codes, { deny: 'Deny' });
      return poll(scenario.running, tv, codes);
    },
  },
  {
    rule: 'device-code-expired',
    name: 'a device code after its lifetime',
    about: 'proven',
    details: { secondsAgo: 7, lifetimeSeconds: 600 },
    send: async (scenario) => {
      const { tv, codes } = await registerDevice(scenario);
      scenario.running.clock.advance(607);
      return poll(scenario.running, tv, codes);
    },
  },
  {
    rule: 'devices-full',
    name: 'too many waiting devices',
    about: 'named',
    details: { who: 'address', most: 100 },
    send: async ({ running, addOtherClient }) => {
      const tv = await addOtherClient({ ...DEVICE_CLIENT, clientType: 'public' });
      for (let times = 0; times < 100; times += 1) await requestCodes(running, tv);
      return requestDevice(running, tv);
    },
  },
  {
    rule: 'code-redeemed',
    name: 'a device code redeemed twice',
    about: 'proven',
    details: { parameter: 'device_code', endsGrant: true },
    send: async (scenario) => {
      const { tv, codes } = await registerApprovedDevice(scenario);
      await poll(scenario.running, tv, codes);
      return poll(scenario.running, tv, codes);
    },
  },
  {
    rule: 'credential-of-another-client',
    name: "another client's device code",
    about: 'proven',
    details: { parameter: 'device_code' },
    send: async (scenario) => {
      const [{ codes }, otherDevice] = [await registerDevice(scenario), await scenario.addOtherClient(DEVICE_CLIENT)];
      return poll(scenario.running, otherDevice, codes);
    },
  },
  {
    rule: 'credential-unknown',
    name: 'a client ID instead of a device code',
    about: 'proven',
    details: { parameter: 'device_code', form: 'client id' },
    send: async (scenario) => {
      const { tv } = await registerDevice(scenario);
      return poll(scenario.running, tv, { device: tv.id });
    },
  },
];
