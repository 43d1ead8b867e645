import { expect } from 'chai';
import { client, isSameSecret, type ClientCommand } from '../../src/domain/client.ts';
import { DEFAULT_OPENID } from '../../src/domain/openid-settings.ts';
import { clientId, hashOf, seconds } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const SETTINGS = {
  name: 'App',
  clientType: 'confidential',
  grantTypes: ['password'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
  restrictedScopes: [],
  accessTokenFormat: 'opaque',
  accessTokenAlgorithm: 'RS256',
  openid: DEFAULT_OPENID,
} as const;
const SECRET = { algorithm: 'sha256', hash: hashOf('secret') } as const;
const register: ClientCommand = {
  type: 'RegisterClient',
  registration: { ...SETTINGS, clientId: clientId('A'), ownerId: null, secret: SECRET },
};
const update: ClientCommand = { type: 'UpdateClient', settings: SETTINGS };
const OTHER_SECRET = { algorithm: 'sha256', hash: hashOf('other secret') } as const;
const rotate: ClientCommand = {
  type: 'RotateClientSecret',
  secret: OTHER_SECRET,
  now: seconds(0),
  previousUntil: null,
};
const rehash: ClientCommand = { type: 'RehashClientSecret', secret: { algorithm: 'sealed', sealed: 'seal' } };
const remove: ClientCommand = { type: 'RemoveClient' };

describe('a client', () => {
  it('can be registered once: its id is never used again, not even after its removal', () => {
    given(client).when(register).accepted('ClientRegistered');
    given(client, register).when(register).refused('client-id-taken');
    given(client, register, remove).when(register).refused('client-id-taken');
  });

  it('can be changed while it is registered', () => {
    given(client, register).when(update).accepted('ClientUpdated');
    given(client, register, update).when(rotate).accepted('ClientSecretRotated');
    given(client, register, rotate).when(remove).accepted('ClientRemoved');
  });

  it('is unknown before its registration and after its removal', () => {
    for (const command of [update, rotate, rehash]) {
      given(client).when(command).refused('client-unknown');
      given(client, register, remove).when(command).refused('client-unknown');
    }
    given(client).when(remove).refused('client-unknown');
  });

  it('gets a new hash of its registered secret once, and none after a rotation', () => {
    given(client, register, update).when(rehash).accepted('ClientSecretRehashed');
    given(client, register, rehash).when(rehash).changesNothing();
    given(client, register, rotate).when(rehash).changesNothing();
  });

  it('ignores a rotation to its current secret, and accepts one to the previous secret', () => {
    given(client, register)
      .when({ ...rotate, secret: SECRET })
      .changesNothing();
    given(client, register, rotate).when(rotate).changesNothing();
    given(client, register, rotate)
      .when({ ...rotate, secret: SECRET })
      .accepted('ClientSecretRotated');
  });

  it('is removed once', () => {
    given(client, register, remove).when(remove).changesNothing();
  });

  it('has a time of decision for a rotation alone, whose overlap starts then', () => {
    expect(client.decidedAt?.({ ...rotate, now: seconds(7) })).to.equal(7);
    for (const command of [register, update, rehash, remove]) expect(client.decidedAt?.(command)).to.equal(undefined);
  });

  it('knows no other command and no other event', () => {
    const other = unchecked({ type: 'Other' });
    expect(() => given(client, register).when(other)).to.throw('unhandled case');
    expect(() => client.evolve(client.initial, other)).to.throw('unhandled case');
  });
});

describe('two secrets of a client', () => {
  it('are the same only if both are generated and have one hash', () => {
    const imported = { algorithm: 'pbkdf2-sha256', hash: SECRET.hash, verifier: 'verifier' } as never;
    expect(isSameSecret(SECRET, { ...SECRET })).to.equal(true);
    for (const other of [null, OTHER_SECRET, imported]) {
      expect(isSameSecret(SECRET, other)).to.equal(false);
      expect(isSameSecret(other, SECRET)).to.equal(false);
    }
    for (const one of [null, imported]) expect(isSameSecret(one, one)).to.equal(false);
  });
});
