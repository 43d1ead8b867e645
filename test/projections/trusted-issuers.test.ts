import { expect } from 'chai';
import { createTrustedIssuers } from '../../src/projections/trusted-issuers.ts';
import { clientId } from '../support/domain-values.ts';
import { issuerSettings } from '../support/issuer-settings.ts';
import { createRecording } from '../support/recording.ts';

function setUp() {
  const issuers = createTrustedIssuers();
  const { record } = createRecording(issuers);
  return {
    issuers,
    set: (issuer: string, ...clients: readonly string[]) =>
      record(
        `issuer-${issuer}`,
        { type: 'TrustedIssuerSet', data: { issuer, settings: issuerSettings(...clients) } },
        5,
      ),
    remove: (issuer: string) => record(`issuer-${issuer}`, { type: 'TrustedIssuerRemoved', data: { issuer } }),
    removeClient: (id: string) => record(`client-${clientId(id)}`, { type: 'ClientRemoved', data: {} }),
    listNames: () => issuers.all().map(({ issuer }) => issuer),
  };
}

describe('the trusted issuers', () => {
  it('are found by their name and by their id, with their latest settings', () => {
    const { issuers, set } = setUp();
    set('one', 'A');
    set('one', 'A', 'B');
    expect(issuers.find('one')).to.deep.equal({
      ...issuerSettings('A', 'B'),
      issuer: 'one',
      issuerId: 'one',
      revision: 2,
      position: 2,
      changedAt: 5,
    });
    expect(issuers.findById('one')).to.equal(issuers.find('one'));
    expect(issuers.find('two')).to.equal(undefined);
  });

  it('are no longer found once they are removed, and can be set again', () => {
    const { set, remove, listNames } = setUp();
    set('one', 'A');
    set('two', 'A');
    remove('one');
    expect(listNames()).to.deep.equal(['two']);
    set('one', 'A');
    expect(listNames()).to.deep.equal(['two', 'one']);
  });

  it('omit removed clients', () => {
    const { issuers, set, removeClient } = setUp();
    set('one', 'A', 'B');
    removeClient('A');
    expect(issuers.find('one')?.clients.map((client) => client.clientId)).to.deep.equal([clientId('B')]);
    removeClient('B');
    expect(issuers.find('one')?.clients).to.deep.equal([]);
  });

  it('are restored from a snapshot', () => {
    const { issuers, set, remove } = setUp();
    for (const name of ['one', 'two']) set(name, 'A');
    remove('one');
    const restoredIssuers = createTrustedIssuers();
    for (const piece of issuers.freeze()) restoredIssuers.restore(piece);
    expect(restoredIssuers.all()).to.deep.equal(issuers.all());
  });
});
