import { expect } from 'chai';
import { createClients } from '../../src/projections/clients.ts';
import { clientId, hashOf, userId } from '../support/domain-values.ts';
import { recording } from '../support/recording.ts';

const SETTINGS = { name: 'App', clientType: 'confidential', grantTypes: ['password'], redirectUris: [], allowedOrigins: [], skipAuthorization: false, restrictedScopes: [], accessTokenFormat: 'opaque' } as const;
const secret = (label: string) => ({ algorithm: 'sha256', hash: hashOf(label) }) as const;

function setUp() {
  const clients = createClients();
  const { record } = recording(clients);
  const register = (label: string, owner: string | null = null): void =>
    record(`client-${clientId(label)}`, {
      type: 'ClientRegistered',
      data: { ...SETTINGS, clientId: clientId(label), ownerId: owner === null ? null : userId(owner), secret: secret(label) },
    }, 42);
  return { clients, record, register };
}

describe('the clients', () => {
  it('are found by their id as soon as they are registered', () => {
    const { clients, register } = setUp();
    register('A', 'ada');
    expect(clients.find(clientId('A'))).to.deep.include({ ...SETTINGS, clientId: clientId('A'), ownerId: userId('ada'), registeredAt: 42, registeredPosition: 1 });
    for (const id of ['', 'constructor', '__proto__', clientId('B')]) expect(clients.find(id), id).to.equal(undefined);
  });

  it('are listed for their owner, and for nobody else', () => {
    const { clients, register } = setUp();
    register('A', 'ada');
    register('B', 'bob');
    register('C', 'ada');
    register('D');
    expect(clients.ownedBy(userId('ada')).map(({ clientId: id }) => id)).to.deep.equal([clientId('A'), clientId('C')]);
    expect(clients.ownedBy(userId('eve'))).to.deep.equal([]);
    expect(clients.all()).to.have.length(4);
  });

  it('take their changes and keep what did not change', () => {
    const { clients, record, register } = setUp();
    register('A', 'ada');
    record(`client-${clientId('A')}`, { type: 'ClientUpdated', data: { ...SETTINGS, name: 'New name', clientType: 'public' } });
    record(`client-${clientId('A')}`, { type: 'ClientSecretRotated', data: { secret: secret('new'), previousUntil: null } });
    expect(clients.find(clientId('A'))).to.deep.include({ name: 'New name', clientType: 'public', secret: secret('new'), ownerId: userId('ada'), registeredAt: 42 });
    expect(clients.ownedBy(userId('ada'))[0]?.name).to.equal('New name');
  });

  it('are gone from everywhere once removed', () => {
    const { clients, record, register } = setUp();
    register('A', 'ada');
    record(`client-${clientId('A')}`, { type: 'ClientRemoved', data: {} });
    expect([clients.find(clientId('A')), clients.ownedBy(userId('ada')), clients.all()]).to.deep.equal([undefined, [], []]);
  });
});
