import type { ExchangeChanges, Traffic } from './traffic.ts';
import { EXCHANGING, RESOURCES, STRANGER } from './traffic.ts';
import { seconds } from '../domain-values.ts';

/** The last exchange that it records breaks the rule, or its token does. */
export interface SeededViolation {
  readonly rule: string;
  readonly what: string;
  readonly in?: 'token';
  plant(traffic: Traffic): void;
}

const [ONE, TWO] = EXCHANGING as [(typeof EXCHANGING)[number], (typeof EXCHANGING)[number]];

const exchangeOf = (length: number, changes: (traffic: Traffic) => ExchangeChanges) => (traffic: Traffic) => {
  traffic.exchange(traffic.chain(length).at(-1) ?? traffic.authorize(), changes(traffic));
};

/** An exchange of the last token of a chain of two, after a part of that chain has ended. */
const afterEnd = (of: 0 | 1) => (traffic: Traffic) => {
  const links = traffic.chain(2);
  const ended = links[of];
  if (ended !== undefined) traffic.revoke(ended);
  traffic.exchange(links.at(-1) ?? links[0]);
};

export const VIOLATIONS: readonly SeededViolation[] = [
  {
    rule: 'exchanges-only-narrow',
    what: 'a scope that the subject token lacks',
    plant: exchangeOf(1, () => ({ data: { scope: ['read', 'delete'] } })),
  },
  {
    rule: 'exchanges-only-narrow',
    what: 'a resource server that the subject token is not for',
    plant(traffic) {
      const root = traffic.authorize(undefined, undefined, { resource: RESOURCES.slice(0, 1) });
      traffic.exchange(root, { data: { resource: RESOURCES } });
    },
  },
  {
    rule: 'exchanges-only-narrow',
    what: 'no limit to resource servers, unlike the subject token',
    plant(traffic) {
      const root = traffic.authorize(undefined, undefined, { resource: RESOURCES });
      traffic.exchange(root, { data: { resource: undefined } });
    },
  },
  {
    rule: 'exchanges-only-narrow',
    what: 'a longer life than the subject token',
    plant: exchangeOf(1, (traffic) => ({ data: { expiresAt: seconds(traffic.now() + 11 * 3_600) } })),
  },
  {
    rule: 'exchanges-only-narrow',
    what: 'a scope that the actor token lacks',
    plant: exchangeOf(0, (traffic) => ({
      actor: traffic.actorFor(ONE, { scope: ['read'] }),
      data: { scope: ['read', 'write'] },
    })),
  },
  {
    rule: 'exchanges-only-narrow',
    what: 'a longer life than the actor token',
    plant: exchangeOf(0, (traffic) => ({
      actor: traffic.actorFor(ONE, { expiresAt: seconds(traffic.now() + 60) }),
      data: { expiresAt: seconds(traffic.now() + 61) },
    })),
  },
  { rule: 'nothing-is-exchanged-after-an-end', what: 'the root was revoked', plant: afterEnd(0) },
  { rule: 'nothing-is-exchanged-after-an-end', what: 'an exchange above was revoked', plant: afterEnd(1) },
  {
    rule: 'nothing-is-exchanged-after-an-end',
    what: 'the grant of an actor above was revoked',
    plant(traffic) {
      const actor = traffic.actorFor(ONE);
      const first = traffic.exchange(traffic.authorize(), { actor });
      traffic.revoke(actor);
      traffic.exchange(first);
    },
  },
  {
    rule: 'chains-are-whole',
    what: 'a hop is missing in the depth',
    plant: exchangeOf(2, () => ({ data: { depth: 2 } })),
  },
  {
    rule: 'chains-are-whole',
    what: 'another root',
    plant: exchangeOf(1, (traffic) => {
      const { grantId, clientId } = traffic.authorize();
      return { data: { root: { grantId, clientId } } };
    }),
  },
  {
    rule: 'chains-are-whole',
    what: 'an actor was left out',
    plant(traffic) {
      const first = traffic.exchange(traffic.authorize(), { actor: traffic.actorFor(ONE) });
      traffic.exchange(first, { data: { chain: [] } });
    },
  },
  {
    rule: 'chains-have-no-circles',
    what: 'a client exchanges a second time',
    plant: exchangeOf(2, () => ({ data: { clientId: ONE } })),
  },
  {
    rule: 'chains-have-no-circles',
    what: 'the actor token of another client',
    plant: exchangeOf(0, (traffic) => {
      const { grantId, tokenHash, clientId } = traffic.actorFor(TWO);
      const actor = { grantId, tokenHash, clientId, userId: null };
      return { data: { actor, mode: 'delegation', chain: [{ clientId, userId: null }] } };
    }),
  },
  {
    rule: 'exchanges-follow-a-policy',
    what: 'no policy',
    plant: exchangeOf(1, () => ({ client: STRANGER })),
  },
  {
    rule: 'exchanged-tokens-are-as-recorded',
    what: 'the token has another lifetime than the exchange',
    in: 'token',
    plant(traffic) {
      traffic.exchange(traffic.authorize(), { token: { expiresAt: seconds(traffic.now() + 5) } });
    },
  },
];
