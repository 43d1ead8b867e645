import { authorizePath } from '../authorize-requests.ts';
import { detailsParameter, registerBank } from '../details.ts';
import { RENT } from '../detail-types.ts';
import { create, MANAGEMENT_SCOPES, merge, obtain, redeem, replace } from '../managed-grants.ts';
import { requestDevice } from '../devices.ts';
import type { TestClient } from '../running-service.ts';
import type { RefusalScenario, RefusedRequest } from './scenario.ts';

type Fields = Readonly<Record<string, string>>;

/** Registers a client that may manage its grants. */
const registerManager = ({ addOtherClient }: RefusalScenario): Promise<TestClient> =>
  addOtherClient({ restrictedScopes: MANAGEMENT_SCOPES });

/** Sends an authorization request from a client in the user's browser. */
const request = ({ browser }: RefusalScenario, client: TestClient, parameters: Fields) =>
  browser.get(authorizePath(client, { scope: 'read', ...parameters }));

const paymentParameters = (count: number, to = RENT.creditorName): Fields =>
  detailsParameter(...Array.from({ length: count }, (_, number) => ({ ...RENT, creditorName: `${to} ${number}` })));

/** Returns a function that obtains a grant and requests to merge other parameters into it. */
const attemptMerge =
  (granted: Fields, requested: Fields = {}) =>
  async (scenario: RefusalScenario) => {
    const { running, user } = scenario;
    await registerBank(running);
    const client = await registerManager(scenario);
    const { id } = await obtain(running, client, user, { scope: 'read', ...granted, ...create });
    return request(scenario, client, { ...requested, ...merge(id) });
  };

/** Refused requests for grant management (FAPI Grant Management). */
export const MANAGED_GRANT_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'grant-management-not-allowed',
    name: 'a client without the scopes',
    about: 'named',
    details: { because: 'scope' },
    send: (scenario) => request(scenario, scenario.client, create),
  },
  {
    rule: 'grant-management-for-device',
    name: 'a device request of a client that may manage its grants',
    about: 'proven',
    send: async (scenario) => {
      const tv = await scenario.addOtherClient({ grantTypes: ['device-code'], restrictedScopes: MANAGEMENT_SCOPES });
      return requestDevice(scenario.running, tv, create);
    },
  },
  {
    rule: 'grant-id-misplaced',
    name: 'an id for a new grant',
    about: 'named',
    details: { beside: 'create' },
    send: async (scenario) =>
      request(scenario, await registerManager(scenario), { ...replace('A'.repeat(22)), ...create }),
  },
  {
    rule: 'grant-id-unknown',
    name: 'an id that belongs to no grant',
    about: 'named',
    details: { problem: 'not-current' },
    send: async (scenario) => request(scenario, await registerManager(scenario), replace('A'.repeat(22))),
  },
  {
    rule: 'merge-of-all-resources',
    name: 'a grant for all resource servers, and a request for one',
    about: 'named',
    details: { restricted: 'request' },
    send: attemptMerge({}, { resource: 'https://api.example' }),
  },
  {
    rule: 'merge-too-large',
    name: 'ten payments, and a request for one more',
    about: 'named',
    details: { limit: 'at most 10 authorization details' },
    send: attemptMerge(paymentParameters(10), paymentParameters(1, 'Other Ltd')),
  },
  {
    rule: 'updated-grant-ended',
    name: 'a grant that another request has replaced',
    about: 'proven',
    send: async (scenario) => {
      const { running, user } = scenario;
      const client = await registerManager(scenario);
      const { id } = await obtain(running, client, user, { scope: 'read', ...create });
      const code = await running.authorize(client, user, { scope: 'read', ...replace(id) });
      await obtain(running, client, user, { scope: 'read', ...replace(id) });
      return redeem(running, client, code);
    },
  },
];
