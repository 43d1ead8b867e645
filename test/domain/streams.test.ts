import { expect } from 'chai';
import {
  observedAccount,
  assertionStream,
  CLIENT_DOMAINS_STREAM,
  CLOCK_STREAM,
  observedClient,
  clientStream,
  observedExchangePolicy,
  exchangePolicyStream,
  grantStream,
  groupStream,
  invitationStream,
  isNeverReused,
  observedLink,
  observedProvider,
  providerStream,
  observedResource,
  resourceStream,
  sessionStream,
  SETTINGS_STREAM,
  SIGNING_KEYS_STREAM,
  observedTrustedIssuer,
  trustedIssuerStream,
  upstreamAccountStream,
  userStream,
} from '../../src/domain/streams.ts';
import type { Revision } from '../../src/event-store/event-log.ts';
import { clientId, grantId, providerId } from '../support/domain-values.ts';

const revision = 3 as Revision;

/** The names of streams in existing logs. */
const NAMES = {
  [grantStream(grantId('g'))]: `grant-${grantId('g')}`,
  [clientStream(clientId('c'))]: `client-${clientId('c')}`,
  [userStream('hash')]: 'user-hash',
  [groupStream('hash')]: 'group-hash',
  [resourceStream('hash')]: 'resource-hash',
  [exchangePolicyStream('hash')]: 'exchange-hash',
  [trustedIssuerStream('hash')]: 'issuer-hash',
  [providerStream(providerId('corp'))]: 'provider-corp',
  [upstreamAccountStream('hash')]: 'upstream-hash',
  [invitationStream('hash')]: 'invitation-hash',
  [sessionStream('hash')]: 'session-hash',
  [assertionStream('hash')]: 'assertion-hash',
  [CLOCK_STREAM]: 'clock',
  [CLIENT_DOMAINS_STREAM]: 'domains',
  [SETTINGS_STREAM]: 'settings',
  [SIGNING_KEYS_STREAM]: 'signing-keys',
};

describe('the name of a stream', () => {
  it('consists of its kind and its id, as in existing logs', () => {
    for (const [name, existingName] of Object.entries(NAMES)) expect(name).to.equal(existingName);
  });

  it('is different for each kind of stream, even with the same id', () => {
    expect(Object.keys(NAMES)).to.have.length(16);
  });

  it('is never reused for grants and sessions, unlike other names', () => {
    for (const stream of [grantStream(grantId('g')), sessionStream('hash')])
      expect(isNeverReused(stream), stream).to.equal(true);
    for (const stream of [clientStream(clientId('grant-')), userStream('session-'), groupStream('hash'), CLOCK_STREAM])
      expect(isNeverReused(stream), stream).to.equal(false);
  });
});

describe('the basis of a decision', () => {
  it('is the stream of what was read, and its revision', () => {
    const account = { stream: userStream('hash'), revision, name: 'ada' };
    expect(observedAccount(account)).to.deep.equal({ stream: userStream('hash'), revision });
    for (const [basis, stream] of [
      [observedClient({ clientId: clientId('c'), revision }), clientStream(clientId('c'))],
      [observedResource({ resourceId: 'hash', revision }), resourceStream('hash')],
      [observedExchangePolicy({ policyId: 'hash', revision }), exchangePolicyStream('hash')],
      [observedTrustedIssuer({ issuerId: 'hash', revision }), trustedIssuerStream('hash')],
      [observedProvider({ providerId: providerId('corp'), revision }), providerStream(providerId('corp'))],
      [observedLink({ subjectHash: 'hash', revision }), upstreamAccountStream('hash')],
    ] as const)
      expect(basis).to.deep.equal({ stream, revision });
  });
});
