import { detailsParameter, registerBank } from '../details.ts';
import { ACCOUNTS, PAYMENT, RENT } from '../detail-types.ts';
import { registerResource } from '../resource-servers.ts';
import { OPERATOR, redeem, requestToken, type RefusalScenario, type RefusedRequest } from './scenario.ts';

const RENT_WITH_CANCEL = { ...RENT, actions: ['initiate', 'status', 'cancel'] };

/** Returns a function that requests a token for the client itself, with authorization details. */
const request =
  (details: string, otherParameters: Readonly<Record<string, string>> = {}) =>
  async (scenario: RefusalScenario) => {
    await registerBank(scenario.running);
    return requestToken(scenario, {
      grant_type: 'client_credentials',
      authorization_details: details,
      ...otherParameters,
    });
  };

/** Refused authorization details (RFC 9396). */
export const DETAIL_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'details-malformed',
    name: 'text that is not JSON',
    about: 'proven',
    details: { length: 7 },
    send: request('payment'),
  },
  {
    rule: 'details-type-unknown',
    name: 'a type that no resource server declares',
    about: 'proven',
    details: { seen: 'gift', known: [PAYMENT.type, ACCOUNTS.type] },
    send: request(JSON.stringify([{ type: 'gift' }])),
  },
  {
    rule: 'details-type-not-allowed',
    name: 'a type that the client is not registered for',
    about: 'proven',
    details: { seen: PAYMENT.type, allowed: [ACCOUNTS.type] },
    send: async (scenario) => {
      const { running, client } = scenario;
      const { projections, registration } = running.service();
      const storedClient = projections.clients.find(client.id);
      if (storedClient === undefined) throw new Error('the client is gone');
      await registration.update(storedClient.clientId, { ...storedClient, detailTypes: [ACCOUNTS.type] }, OPERATOR);
      return request(detailsParameter(RENT).authorization_details)(scenario);
    },
  },
  {
    rule: 'details-schema',
    name: 'a creditor without a name',
    about: 'proven',
    details: { type: PAYMENT.type, member: 'creditorName', keyword: 'minLength' },
    send: request(JSON.stringify([{ ...RENT, creditorName: '' }])),
  },
  {
    rule: 'details-need-consent',
    name: 'a detail in a password grant',
    about: 'proven',
    send: async (scenario) => {
      await registerBank(scenario.running);
      const { username, password } = scenario.user;
      return requestToken(scenario, { grant_type: 'password', username, password, ...detailsParameter(RENT) });
    },
  },
  {
    rule: 'details-not-granted',
    name: 'a detail with more actions than the granted one',
    about: 'proven',
    details: { type: PAYMENT.type, granted: [PAYMENT.type] },
    send: async (scenario) => {
      await registerBank(scenario.running);
      return redeem(scenario, await scenario.code(detailsParameter(RENT)), detailsParameter(RENT_WITH_CANCEL));
    },
  },
  {
    rule: 'details-of-other-resource',
    name: 'a payment at a file server',
    about: 'proven',
    details: { type: PAYMENT.type, resource: ['https://files.example/mcp'] },
    send: async (scenario) => {
      await registerResource(scenario.running);
      return request(detailsParameter(RENT).authorization_details, { resource: 'https://files.example/mcp' })(scenario);
    },
  },
  {
    rule: 'details-none-left',
    name: 'a type that was withdrawn',
    about: 'proven',
    send: async (scenario) => {
      const bank = await registerBank(scenario.running);
      const code = await scenario.code({ ...detailsParameter(RENT), scope: '' });
      const { resourceRegistry } = scenario.running.service();
      await resourceRegistry.update(bank.uri, { ...bank, detailTypes: '' }, OPERATOR);
      return redeem(scenario, code);
    },
  },
];
