import { expect } from 'chai';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { MemberRole } from '../../src/domain/values.ts';
import { validPreviousSecret } from '../../src/domain/previous-secret.ts';
import { createClients, type Clients } from '../../src/projections/clients.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../support/domain-values.ts';
import { pbkdf2Of } from '../support/quick-hasher.ts';
import { createRecording } from '../support/recording.ts';

const secret = (label: string) => ({ algorithm: 'sha256', hash: hashOf(label) }) as const;

function setUp() {
  const clients = createClients(() => undefined);
  const { record } = createRecording(clients);
  const register = (label: string, owner: string | null = null): void =>
    record(
      `client-${clientId(label)}`,
      {
        type: 'ClientRegistered',
        data: {
          ...CLIENT_SETTINGS,
          clientId: clientId(label),
          ownerId: owner === null ? null : userId(owner),
          secret: secret(label),
        },
      },
      42,
    );
  return { clients, record, register };
}

/** Collects the results of `read` after each event that `recordFor` records for a client. */
function collectAfterEachEvent<Result>(read: (clients: Clients) => Result) {
  const { clients, record } = setUp();
  const results: Result[] = [];
  const recordFor = (label: string, event: DomainEvent): void => {
    record(`client-${clientId(label)}`, event);
    results.push(read(clients));
  };
  return { clients, results, recordFor };
}

describe('the clients', () => {
  it('are found by id once they are registered', () => {
    const { clients, register } = setUp();
    register('A', 'ada');
    expect(clients.find(clientId('A'))).to.deep.include({
      ...CLIENT_SETTINGS,
      clientId: clientId('A'),
      members: [{ userId: userId('ada'), role: 'owner', position: 1, since: 42 }],
      registeredAt: 42,
      registeredPosition: 1,
    });
    for (const id of ['', 'constructor', '__proto__', clientId('B')]) expect(clients.find(id), id).to.equal(undefined);
  });

  it('are listed only for their owner', () => {
    const { clients, register } = setUp();
    register('A', 'ada');
    register('B', 'bob');
    register('C', 'ada');
    register('D');
    expect([...clients.ownedBy(userId('ada'))].map(({ clientId: id }) => id)).to.deep.equal([
      clientId('A'),
      clientId('C'),
    ]);
    expect([...clients.newestOwnedBy(userId('ada'))].map(({ clientId: id }) => id)).to.deep.equal([
      clientId('C'),
      clientId('A'),
    ]);
    expect([clients.countOwnedBy(userId('ada')), clients.countOwnedBy(userId('eve'))]).to.deep.equal([2, 0]);
    expect([...clients.ownedBy(userId('eve'))]).to.deep.equal([]);
    expect(clients.all()).to.have.length(4);
  });

  it('are listed for each of their owners, in order of registration', () => {
    const { clients, register, record } = setUp();
    const idsOwnedBy = (name: string) => [...clients.ownedBy(userId(name))].map(({ clientId: id }) => id);
    const add = (label: string, user: string, role: MemberRole) =>
      record(`client-${clientId(label)}`, {
        type: 'ClientMemberAdded',
        data: { userId: userId(user), role, invitation: null },
      });
    register('A', 'ada');
    register('B', 'bob');
    register('C', 'bob');
    add('C', 'ada', 'owner');
    add('B', 'ada', 'test-user');
    expect(idsOwnedBy('ada')).to.deep.equal([clientId('A'), clientId('C')]);
    add('B', 'ada', 'owner');
    expect(idsOwnedBy('ada')).to.deep.equal([clientId('A'), clientId('B'), clientId('C')]);
    expect(clients.countOwnedBy(userId('ada'))).to.equal(3);
    expect(idsOwnedBy('bob')).to.deep.equal([clientId('B'), clientId('C')]);
    record(`client-${clientId('B')}`, { type: 'ClientMemberRemoved', data: { userId: userId('bob'), role: 'owner' } });
    expect(idsOwnedBy('bob')).to.deep.equal([clientId('C')]);
    record('user-bob', { type: 'UserErased', data: { userId: userId('bob') } });
    expect(idsOwnedBy('bob')).to.deep.equal([]);
    expect(clients.find(clientId('C'))?.members.map((member) => member.userId)).to.deep.equal([userId('ada')]);
  });

  it('apply changes, and keep the settings that have not changed', () => {
    const { clients, record, register } = setUp();
    register('A', 'ada');
    record(`client-${clientId('A')}`, {
      type: 'ClientUpdated',
      data: { ...CLIENT_SETTINGS, name: 'New name', clientType: 'public' },
    });
    record(`client-${clientId('A')}`, {
      type: 'ClientSecretRotated',
      data: { secret: secret('new'), previousUntil: null },
    });
    expect(clients.find(clientId('A'))).to.deep.include({
      name: 'New name',
      clientType: 'public',
      secret: secret('new'),
      members: [{ userId: userId('ada'), role: 'owner', position: 1, since: 42 }],
      registeredAt: 42,
    });
    expect([...clients.ownedBy(userId('ada'))][0]?.name).to.equal('New name');
  });

  it('disappear from every index when they are removed', () => {
    const { clients, record, register } = setUp();
    register('A', 'ada');
    record(`client-${clientId('A')}`, { type: 'ClientRemoved', data: {} });
    expect([clients.find(clientId('A')), [...clients.ownedBy(userId('ada'))], clients.all()]).to.deep.equal([
      undefined,
      [],
      [],
    ]);
  });
});

describe('client secrets', () => {
  const rotate = (label: string, previousUntil: number | null) =>
    ({
      type: 'ClientSecretRotated',
      data: { secret: secret(label), previousUntil: previousUntil === null ? null : seconds(previousUntil) },
    }) as const;

  it('are at most two: a rotation invalidates the older secret, and the newer one unless an overlap is set', () => {
    const { clients, record, register } = setUp();
    const secretsOfA = () => [clients.find(clientId('A'))?.secret, clients.find(clientId('A'))?.previousSecret];
    register('A');
    record(`client-${clientId('A')}`, rotate('B', 100), 50);
    expect(secretsOfA()).to.deep.equal([secret('B'), { secret: secret('A'), rotatedAt: 50, until: 100 }]);
    record(`client-${clientId('A')}`, rotate('C', 200), 60);
    expect(secretsOfA()).to.deep.equal([secret('C'), { secret: secret('B'), rotatedAt: 60, until: 200 }]);
    record(`client-${clientId('A')}`, { type: 'ClientUpdated', data: CLIENT_SETTINGS });
    expect(secretsOfA()).to.deep.equal([secret('C'), { secret: secret('B'), rotatedAt: 60, until: 200 }]);
    record(`client-${clientId('A')}`, rotate('D', null));
    expect(secretsOfA()).to.deep.equal([secret('D'), null]);
  });

  describe('if the clock was ahead,', () => {
    const AHEAD = 100_000;
    const END = 101_000;
    const STREAM_OF_A = `client-${clientId('A')}`;
    const setBackTo = (to: number): DomainEvent => ({
      type: 'ClockSetBack',
      data: { setBackTo: seconds(to), newestAt: seconds(AHEAD), issuedAfter: seconds(to + 300) },
    });
    const isLive = (clients: Clients, now: number): boolean => {
      const client = clients.find(clientId('A'));
      return client !== undefined && validPreviousSecret(client, now) !== null;
    };

    it('include the previous secret only after its rotation, with a tolerance of five minutes', () => {
      const { clients, record, register } = setUp();
      register('A');
      record(STREAM_OF_A, rotate('B', END), AHEAD);
      const times = [0, AHEAD - 301, AHEAD - 300, AHEAD, END - 1, END];
      expect(times.map((now) => isLive(clients, now))).to.deep.equal([false, false, true, true, true, false]);
    });

    it('permanently exclude a previous secret that was rotated during that time, once the clock is set back', () => {
      const { clients, record, register } = setUp();
      register('A');
      record(STREAM_OF_A, rotate('B', END), AHEAD);
      const { revision } = clients.find(clientId('A')) ?? {};
      record('clock', setBackTo(1_000), 1_000);
      const restoredClients = createClients(() => undefined);
      for (const piece of clients.freeze()) restoredClients.restore(piece);
      for (const projection of [clients, restoredClients]) {
        expect([1_000, AHEAD, END - 1].map((now) => isLive(projection, now))).to.deep.equal([false, false, false]);
        expect(projection.find(clientId('A'))).to.deep.include({ secret: secret('B'), revision });
      }
    });

    it('include a previous secret that was rotated no later than five minutes after the corrected time', () => {
      const { clients, record, register } = setUp();
      register('A');
      record(STREAM_OF_A, rotate('B', END), 1_300);
      record('clock', setBackTo(1_000), 1_000);
      expect([1_000, END - 1, END].map((now) => isLive(clients, now))).to.deep.equal([true, true, false]);
      record('clock', setBackTo(999), 999);
      expect(isLive(clients, 1_300)).to.equal(false);
    });

    it('keep the end of an overlap if it is before the corrected time', () => {
      const { clients, record, register } = setUp();
      register('A');
      record(STREAM_OF_A, rotate('B', 900), 2_000);
      record('clock', setBackTo(1_000), 1_000);
      expect(clients.find(clientId('A'))?.previousSecret?.until).to.equal(900);
    });
  });

  it('are reported to include a user-chosen secret while one may be valid', () => {
    const { results, recordFor } = collectAfterEachEvent((all) => all.haveUserChosenSecrets());
    const importedClient = (label: string) =>
      ({
        type: 'ClientRegistered',
        data: {
          ...CLIENT_SETTINGS,
          clientId: clientId(label),
          ownerId: null,
          secret: { algorithm: 'argon2id', phc: '$argon2id$' },
        },
      }) as const;
    recordFor('A', importedClient('A'));
    recordFor('A', rotate('B', 100));
    recordFor('A', rotate('C', 100));
    recordFor('D', importedClient('D'));
    recordFor('D', rotate('E', null));
    recordFor('F', importedClient('F'));
    recordFor('F', { type: 'ClientRemoved', data: {} });
    expect(results).to.deep.equal([true, true, false, true, false, true, false]);
  });

  it('are reported with the costliest PBKDF2 hash that may be valid, even after a snapshot', () => {
    const { clients, results, recordFor } = collectAfterEachEvent((all) => all.maxIterations());
    const importedClient = (label: string, iterations: number) =>
      ({
        type: 'ClientRegistered',
        data: {
          ...CLIENT_SETTINGS,
          clientId: clientId(label),
          ownerId: null,
          secret: { algorithm: 'pbkdf2-sha256', verifier: pbkdf2Of(label, iterations) },
        },
      }) as const;
    recordFor('A', importedClient('A', 30));
    recordFor('B', importedClient('B', 20));
    const restoredClients = createClients(() => undefined);
    for (const piece of clients.freeze()) restoredClients.restore(piece);
    expect([restoredClients.maxIterations(), restoredClients.haveUserChosenSecrets()]).to.deep.equal([30, true]);
    recordFor('A', rotate('C', 100));
    recordFor('A', rotate('D', 100));
    recordFor('B', { type: 'ClientSecretRehashed', data: { secret: { algorithm: 'argon2id', phc: '$argon2id$' } } });
    expect(clients.haveUserChosenSecrets()).to.equal(true);
    recordFor('E', importedClient('E', 10));
    recordFor('E', { type: 'ClientRemoved', data: {} });
    expect(results).to.deep.equal([30, 30, 30, 20, 0, 10, 0]);
  });

  it('are reported as unsealed in the log until a rotation, even after a sealed rehash', () => {
    const { clients, record } = setUp();
    const pbkdf2 = { algorithm: 'pbkdf2-sha256', verifier: pbkdf2Of('A') } as const;
    const data = { ...CLIENT_SETTINGS, clientId: clientId('A'), ownerId: null, secret: pbkdf2 };
    const restoreCopy = (): Clients => {
      const copy = createClients(() => undefined);
      for (const piece of clients.freeze()) copy.restore(piece);
      return copy;
    };
    const areUnsealed = (): readonly (boolean | undefined)[] =>
      [clients, restoreCopy()].map((projection) => {
        const client = projection.find(clientId('A'));
        return client && projection.hasUnsealedSecret(client, 0);
      });
    record(`client-${clientId('A')}`, { type: 'ClientRegistered', data });
    expect(areUnsealed()).to.deep.equal([true, true]);
    const sealedSecret = { algorithm: 'sealed', sealed: 'of a better hash' } as const;
    record(`client-${clientId('A')}`, { type: 'ClientSecretRehashed', data: { secret: sealedSecret } });
    expect(areUnsealed()).to.deep.equal([true, true]);
    expect(restoreCopy().contents()).to.deep.equal(clients.contents());
    record(`client-${clientId('A')}`, rotate('B', null));
    expect(areUnsealed()).to.deep.equal([false, false]);
  });

  it('record the newest token, and the newest one issued with the previous secret since the rotation', () => {
    const { clients, record, register } = setUp();
    const use = () => clients.find(clientId('A'))?.lastUse;
    const issue = (label: string, at: number, changes: { readonly previousSecretUsed?: true } = {}): void =>
      record(
        `grant-${grantId(label)}`,
        {
          type: 'AccessTokenIssued',
          data: {
            tokenHash: hashOf(label),
            grantId: grantId(label),
            clientId: clientId('A'),
            userId: null,
            scope: [],
            expiresAt: seconds(999),
            ...changes,
          },
        },
        at,
      );
    issue('1', 1);
    register('A');
    expect(use()).to.deep.equal({ anySecret: null, previousSecret: null, keys: {} });
    issue('2', 10);
    record(`client-${clientId('A')}`, rotate('B', 100));
    expect(use()).to.deep.equal({ anySecret: { position: 3, at: 10 }, previousSecret: null, keys: {} });
    issue('3', 20, { previousSecretUsed: true });
    issue('4', 30);
    record(`client-${clientId('A')}`, { type: 'ClientUpdated', data: CLIENT_SETTINGS });
    expect(use()).to.deep.equal({
      anySecret: { position: 6, at: 30 },
      previousSecret: { position: 5, at: 20 },
      keys: {},
    });
    record(`client-${clientId('A')}`, rotate('C', null));
    expect(use()).to.deep.equal({ anySecret: { position: 6, at: 30 }, previousSecret: null, keys: {} });
  });
});
