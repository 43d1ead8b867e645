import { expect } from 'chai';
import {
  accountAsRead,
  CLOCK_STREAM,
  clientAsRead,
  clientStream,
  grantStream,
  groupStream,
  isNeverReused,
  sessionStream,
  userStream,
} from '../../src/domain/streams.ts';
import type { Revision } from '../../src/event-store/event-log.ts';
import { clientId, grantId } from '../support/domain-values.ts';

const revision = 3 as Revision;

describe('the name of a stream', () => {
  it('consists of its kind and its id, as in existing logs', () => {
    expect(grantStream(grantId('g'))).to.equal(`grant-${grantId('g')}`);
    expect(clientStream(clientId('c'))).to.equal(`client-${clientId('c')}`);
    expect(userStream('hash')).to.equal('user-hash');
    expect(groupStream('hash')).to.equal('group-hash');
    expect(sessionStream('hash')).to.equal('session-hash');
    expect(CLOCK_STREAM).to.equal('clock');
  });

  it('is never reused for grants and sessions, unlike other names', () => {
    for (const stream of [grantStream(grantId('g')), sessionStream('hash')])
      expect(isNeverReused(stream), stream).to.equal(true);
    for (const stream of [clientStream(clientId('grant-')), userStream('session-'), groupStream('hash'), CLOCK_STREAM])
      expect(isNeverReused(stream), stream).to.equal(false);
  });
});

describe('the basis of a decision', () => {
  it('is the stream of the account or client, and the revision that was read', () => {
    const account = { stream: userStream('hash'), revision, name: 'ada' };
    expect(accountAsRead(account)).to.deep.equal({ stream: userStream('hash'), revision });
    expect(clientAsRead({ clientId: clientId('c'), revision })).to.deep.equal({
      stream: clientStream(clientId('c')),
      revision,
    });
  });
});
