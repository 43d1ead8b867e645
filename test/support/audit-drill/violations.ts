import type { ExchangeChanges, Traffic } from './traffic.ts';
import { CHAIN_CLIENTS, RESOURCES, STRANGER } from './traffic.ts';
import { grantStream } from '../../../src/domain/streams.ts';
import { hashOf, seconds, userId } from '../domain-values.ts';

/** An event that breaks a rule, and the events around it. */
export interface SeededViolation {
  readonly rule: string;
  readonly description: string;
  /** The number of events recorded after the one that breaks the rule. The default is 1: the token. */
  readonly eventsAfter?: number;
  plant(traffic: Traffic): void;
}

const [ONE, TWO] = CHAIN_CLIENTS as [(typeof CHAIN_CLIENTS)[number], (typeof CHAIN_CLIENTS)[number]];

const PAYMENT_HASH = { type: 'payment', hash: hashOf('payment') } as const;
/** A detail with its sealed text, as in the event of a token. */
const PAYMENT = { ...PAYMENT_HASH, sealed: 'x' } as const;

const plantExchange = (length: number, changes: (traffic: Traffic) => ExchangeChanges) => (traffic: Traffic) => {
  traffic.exchange(traffic.chain(length).at(-1) ?? traffic.authorize(), changes(traffic));
};

/** Exchanges the last token of a chain of two exchanges, after the grant at this index of the chain was revoked. */
const plantAfterRevocation = (index: 0 | 1) => (traffic: Traffic) => {
  const links = traffic.chain(2);
  const revokedToken = links[index];
  if (revokedToken !== undefined) traffic.revoke(revokedToken);
  traffic.exchange(links.at(-1) ?? links[0]);
};

export const VIOLATIONS: readonly SeededViolation[] = [
  {
    rule: 'exchanges-only-narrow',
    description: 'a scope that the subject token lacks',
    plant: plantExchange(1, () => ({ data: { scope: ['read', 'delete'] } })),
  },
  {
    rule: 'exchanges-only-narrow',
    description: 'a resource server that the subject token is not for',
    plant(traffic) {
      const root = traffic.authorize(undefined, undefined, { resource: RESOURCES.slice(0, 1) });
      traffic.exchange(root, { data: { resource: RESOURCES } });
    },
  },
  {
    rule: 'exchanges-only-narrow',
    description: 'no limit to resource servers, unlike the subject token',
    plant(traffic) {
      const root = traffic.authorize(undefined, undefined, { resource: RESOURCES });
      traffic.exchange(root, { data: { resource: undefined } });
    },
  },
  {
    rule: 'exchanges-only-narrow',
    description: 'a longer lifetime than the subject token',
    plant: plantExchange(1, (traffic) => ({ data: { expiresAt: seconds(traffic.now() + 11 * 3_600) } })),
  },
  {
    rule: 'exchanges-only-narrow',
    description: 'a scope that the actor token lacks',
    plant: plantExchange(0, (traffic) => ({
      actor: traffic.recordActor(ONE, { scope: ['read'] }),
      data: { scope: ['read', 'write'] },
    })),
  },
  {
    rule: 'exchanges-only-narrow',
    description: 'a longer lifetime than the actor token',
    plant: plantExchange(0, (traffic) => ({
      actor: traffic.recordActor(ONE, { expiresAt: seconds(traffic.now() + 60) }),
      data: { expiresAt: seconds(traffic.now() + 61) },
    })),
  },
  {
    rule: 'exchanges-only-narrow',
    description: 'a scope that the subject token lacks, although a newer token of its grant has it',
    plant(traffic) {
      const narrowToken = traffic.refresh(traffic.authorize(), { scope: ['read'] });
      traffic.refresh(narrowToken, { scope: ['read', 'write'], retires: false });
      traffic.exchange(narrowToken, { data: { scope: ['read', 'write'] } });
    },
  },
  {
    rule: 'exchanges-only-narrow',
    description: 'a subject token that a refresh had retired a minute before',
    plant(traffic) {
      const retiredToken = traffic.authorize();
      traffic.refresh(retiredToken);
      traffic.wait(60);
      traffic.exchange(retiredToken);
    },
  },
  {
    rule: 'exchanges-present-issued-tokens',
    description: 'a subject token that a refresh had retired hours before',
    plant(traffic) {
      const retiredToken = traffic.authorize();
      traffic.refresh(retiredToken);
      traffic.wait(2 * 3_600);
      traffic.authorize();
      traffic.exchange(retiredToken);
    },
  },
  {
    rule: 'exchanges-present-issued-tokens',
    description: 'a subject token that was never issued',
    plant(traffic) {
      traffic.exchange({ ...traffic.authorize(), tokenHash: hashOf('never issued') });
    },
  },
  {
    rule: 'exchanges-present-issued-tokens',
    description: 'an actor token that was never issued',
    plant: plantExchange(0, (traffic) => ({
      actor: { ...traffic.recordActor(ONE), tokenHash: hashOf('never issued') },
    })),
  },
  {
    rule: 'nothing-is-exchanged-after-an-end',
    description: 'the session at the root was ended',
    plant(traffic) {
      const root = traffic.logIn();
      const first = traffic.exchange(root);
      traffic.logOut(root);
      traffic.exchange(first);
    },
  },
  { rule: 'nothing-is-exchanged-after-an-end', description: 'the root was revoked', plant: plantAfterRevocation(0) },
  {
    rule: 'nothing-is-exchanged-after-an-end',
    description: 'an exchange above was revoked',
    plant: plantAfterRevocation(1),
  },
  {
    rule: 'nothing-is-exchanged-after-an-end',
    description: 'the grant of an actor above was revoked',
    plant(traffic) {
      const actor = traffic.recordActor(ONE);
      const first = traffic.exchange(traffic.authorize(), { actor });
      traffic.revoke(actor);
      traffic.exchange(first);
    },
  },
  {
    rule: 'chains-are-whole',
    description: 'the depth is one too small',
    plant: plantExchange(2, () => ({ data: { depth: 2 } })),
  },
  {
    rule: 'chains-are-whole',
    description: 'a different root',
    plant: plantExchange(1, (traffic) => {
      const { grantId, clientId } = traffic.authorize();
      return { data: { root: { grantId, clientId } } };
    }),
  },
  {
    rule: 'chains-are-whole',
    description: 'an actor was left out',
    plant(traffic) {
      const first = traffic.exchange(traffic.authorize(), { actor: traffic.recordActor(ONE) });
      traffic.exchange(first, { data: { chain: [] } });
    },
  },
  {
    rule: 'chains-have-no-circles',
    description: 'a client exchanges a second time',
    plant: plantExchange(2, () => ({ data: { clientId: ONE } })),
  },
  {
    rule: 'chains-have-no-circles',
    description: 'an actor token issued to a different client',
    plant: plantExchange(0, (traffic) => {
      const { grantId, tokenHash, clientId } = traffic.recordActor(TWO);
      const actor = { grantId, tokenHash, clientId, userId: null };
      return { data: { actor, mode: 'delegation', chain: [{ clientId, userId: null }] } };
    }),
  },
  {
    rule: 'exchanges-follow-a-policy',
    description: 'no policy',
    plant: plantExchange(1, () => ({ client: STRANGER })),
  },
  {
    rule: 'exchanged-tokens-are-as-recorded',
    description: 'the token and the exchange have different lifetimes',
    eventsAfter: 0,
    plant(traffic) {
      traffic.exchange(traffic.authorize(), { token: { expiresAt: seconds(traffic.now() + 5) } });
    },
  },
  {
    rule: 'details-never-widen',
    description: 'a token has a detail that the user did not grant',
    eventsAfter: 0,
    plant(traffic) {
      const { grantId, clientId, scope, expiresAt, ...root } = traffic.authorize();
      const data = { grantId, clientId, userId: root.userId, scope, details: [PAYMENT], expiresAt };
      traffic.record(grantStream(grantId), {
        type: 'AccessTokenIssued',
        data: { ...data, tokenHash: hashOf(`wider ${grantId}`) },
      });
    },
  },
  {
    rule: 'details-narrow-along-chains',
    description: 'an exchanged token has a detail that its subject token lacks',
    eventsAfter: 0,
    plant: plantExchange(1, () => ({ data: { details: [PAYMENT_HASH] }, token: { details: [PAYMENT] } })),
  },
  {
    rule: 'details-are-consented',
    description: 'a detail that no page showed',
    eventsAfter: 2,
    plant(traffic) {
      traffic.authorize(undefined, undefined, {}, { details: [PAYMENT] });
    },
  },
  {
    rule: 'assertions-follow-a-trusted-issuer',
    description: 'an assertion from an issuer that is not trusted',
    plant(traffic) {
      traffic.redeem({ issuer: 'https://other.example' });
    },
  },
  {
    rule: 'assertions-follow-a-trusted-issuer',
    description: 'a scope that the trusted issuer may not grant',
    plant(traffic) {
      traffic.redeem({ scope: ['read', 'delete'] });
    },
  },
  {
    rule: 'assertions-are-redeemed-once',
    description: 'the same assertion again',
    plant(traffic) {
      for (let times = 0; times < 2; times += 1) traffic.redeem({ assertionHash: hashOf('replayed assertion') });
    },
  },
  {
    rule: 'asserted-tokens-are-as-recorded',
    description: 'the token for an assertion has a longer lifetime',
    eventsAfter: 0,
    plant(traffic) {
      traffic.redeem({}, { expiresAt: seconds(traffic.now() + 7_200) });
    },
  },
  {
    rule: 'updates-keep-the-id-client-and-user',
    description: "an update of a different user's grant",
    eventsAfter: 2,
    plant(traffic) {
      const { grantId } = traffic.authorize(undefined, userId('bert'));
      const management = { action: 'replace', grantId, updates: grantId } as const;
      traffic.authorize(undefined, undefined, {}, { management });
    },
  },
  {
    rule: 'updates-replace-one-grant',
    description: 'a grant ends as updated, but no update was redeemed',
    eventsAfter: 0,
    plant(traffic) {
      const { grantId } = traffic.authorize();
      const data = { reason: 'updated', replacedBy: traffic.authorize().grantId } as const;
      traffic.record(grantStream(grantId), { type: 'GrantRevoked', data });
    },
  },
];
