import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { migrate } from '../../src/event-store/postgres/migrate.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { openService } from '../../src/composition/open-service.ts';
import { openSharedKeys } from '../../src/composition/shared-keys.ts';
import type { Service } from '../../src/composition/service.ts';
import { invitationKeyId } from '../../src/domain/invitation-keys.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { parsePostgresUrl } from '../../src/platform/postgres/connection-url.ts';
import { importClient } from '../support/chosen-secrets.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { withConnection } from '../support/postgres/open-log.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Nodes on one log in PostgreSQL, each with its own data directory. */
for (const storage of ['a directory', 'the database'] as const) {
  describe(`nodes that share their keys in ${storage}`, () => {
    let directory: string;
    let url: string;
    const nodes: Service[] = [];
    const notices: string[] = [];

    async function start(): Promise<Service> {
      const keys = storage === 'the database' ? 'database' : join(directory, 'keys');
      const dataDir = join(directory, `node-${nodes.length}`);
      const config = configFromSettings({ dataDir, log: url, keys, keysSecret: '0f'.repeat(32), sampleApi: false });
      const service = await openService(config, {
        clock: systemClock,
        entropy: systemEntropy(),
        hasher: quickHasher,
        issuer: () => 'http://localhost',
        notice: (line) => void notices.push(line),
      });
      nodes.push(service);
      return service;
    }

    async function startTwo(): Promise<readonly [Service, Service]> {
      const [first, second] = await Promise.all([start(), start()]);
      return [first, second];
    }

    async function addUser(service: Service, username: string) {
      const result = await service.accounts.register({ username, password: `${username}'s password` }, OPERATOR);
      return 'user' in result ? result.user : expect.fail(JSON.stringify(result));
    }

    beforeEach(async () => {
      directory = mkdtempSync(join(tmpdir(), 'grantlog-nodes-'));
      url = await createDatabase();
      await withConnection(url, (connection) => migrate(connection, '0.1.0'));
    });
    afterEach(async () => {
      for (const service of nodes.splice(0)) await service.close();
      notices.length = 0;
      rmSync(directory, { recursive: true });
    });

    it('can start at the same time on an empty log, and read data that another node encrypted', async () => {
      const [first, second] = await startTwo();
      expect(first.keys.refresh.equals(second.keys.refresh)).to.equal(true);
      expect(first.keys.log.equals(second.keys.log)).to.equal(true);
      for (const [writer, reader, name] of [
        [first, second, 'ada'],
        [second, first, 'bob'],
      ] as const) {
        await addUser(writer, name);
        await reader.log.shared?.catchUp();
        const verification = await reader.accounts.verify(name, `${name}'s password`, quickHasher);
        expect(verification?.user.username).to.equal(name);
      }
      await importClient(first, 'in plain text', 'ant');
      await second.log.shared?.catchUp();
      expect(second.projections.clients.find('ant')?.secret?.algorithm).to.not.equal('unreadable');
      const third = await start();
      expect(third.projections.users.all().map(({ username }) => username)).to.have.members(['ada', 'bob']);
      expect(notices).to.deep.equal([]);
    });

    it('all lose the keys of a user erased by one node and of a client removed by one node', async () => {
      const [first, second] = await startTwo();
      const ada = await addUser(first, 'ada');
      const bob = await addUser(first, 'bob');
      await importClient(first, 'in plain text', 'ant');
      await second.log.shared?.catchUp();
      const adaKey = second.personalKeys.find(ada.userId) ?? expect.fail('not shared');
      await first.accounts.erase(ada, OPERATOR);
      await first.registration.remove('ant' as ClientId, OPERATOR);
      await second.log.shared?.catchUp();
      while (adaKey.some((byte) => byte !== 0)) await setImmediate();
      while (second.clientKeys.find('ant' as ClientId) !== undefined) await setImmediate();
      for (const node of [first, second, await start()]) {
        expect(node.personalKeys.find(ada.userId)).to.equal(undefined);
        expect(node.personalKeys.find(bob.userId)).to.have.length(32);
        expect(node.clientKeys.find('ant' as ClientId)).to.equal(undefined);
        expect(node.projections.users.find(ada.userId)).to.equal(undefined);
      }
      const storedKeys =
        storage === 'a directory'
          ? readFileSync(join(directory, 'keys', 'users.keys'), 'utf8')
          : await withConnection(url, async (connection) =>
              JSON.stringify(
                await connection.query({ text: `select name from grantlog.keys where value is not null` }),
              ),
            );
      expect(storedKeys).to.include(bob.userId).and.not.include(ada.userId);
    });

    it('list an invitation that another node sent, and lose its key when it is withdrawn', async () => {
      const [first, second] = await startTwo();
      await first.invitations.invite({ email: 'eve@example.org', roles: [], invitedBy: null }, OPERATOR);
      await second.log.shared?.catchUp();
      const [pendingInvitation = expect.fail('not in the list')] = second.invitations.listPending();
      expect(pendingInvitation.email).to.equal('eve@example.org');
      await first.invitations.withdraw(pendingInvitation, OPERATOR);
      await second.log.shared?.catchUp();
      while (second.personalKeys.find(invitationKeyId(pendingInvitation.stream)) !== undefined) await setImmediate();
      expect(second.invitations.listPending()).to.deep.equal([]);
    });

    if (storage === 'the database')
      it('retry if the database temporarily refuses to return the keys', async () => {
        const [first, second] = await startTwo();
        await withConnection(url, (connection) =>
          connection.query({ text: 'alter table grantlog.keys rename column change to no_change' }),
        );
        const { log } = second;
        const event = {
          type: 'GroupCreated',
          version: 1,
          recordedAt: 0,
          actor: { kind: 'operator' },
          requestId: null,
        } as const;
        await first.log
          .append('user-of-another-kind', 'no-stream', [{ ...event, data: { name: 'staff' } }])
          .catch(() => {});
        const failure: unknown = await log.shared?.catchUp().catch((error: unknown) => error);
        expect(failure).to.have.property('name', 'LogUnreachable');
        await withConnection(url, (connection) =>
          connection.query({ text: 'alter table grantlog.keys rename column no_change to change' }),
        );
        await log.shared?.catchUp();
        expect(log.head()).to.equal(first.log.head());
        expect((await addUser(first, 'ada')).username).to.equal('ada');
      });

    it('accept cookies signed with a new key within seconds, without a restart', async function () {
      this.timeout(180_000);
      const services = await startTwo();
      const oldKey = services[0].keys.cookies;
      if (storage === 'a directory') {
        const pathOf = (name: string): string => join(directory, 'keys', `${name}.key`);
        copyFileSync(pathOf('cookies'), pathOf('cookies.previous'));
        writeFileSync(pathOf('draft'), `${'22'.repeat(32)}\n`);
        renameSync(pathOf('draft'), pathOf('cookies'));
      } else {
        const config = { dataDir: directory, keys: 'database', keysSecret: '0f'.repeat(32) };
        const keys = openSharedKeys(config, parsePostgresUrl(url), systemEntropy());
        await keys.store.rotate('cookies', systemEntropy(), {
          keepPrevious: true,
          now: Math.floor(Date.now() / 1000),
        });
        keys.close();
      }
      for (const { cookieKeys } of services) {
        while (cookieKeys.cookies.accepted().length < 2) await setTimeout(20);
        expect(cookieKeys.cookies.current().equals(oldKey), 'other nodes may lack the new key').to.equal(true);
      }
      const acceptedKeys = services.map(({ cookieKeys }) => cookieKeys.cookies.accepted().map((key) => key.export()));
      expect(acceptedKeys[0]).to.deep.equal(acceptedKeys[1]);
      expect(notices).to.deep.equal([]);
    });

    it('finish an erasure if the node that recorded it stopped before it destroyed the key', async () => {
      const [first, second] = await startTwo();
      const ada = await addUser(first, 'ada');
      await second.log.shared?.catchUp();
      // Appends only the event, like a node that stops before it destroys the key.
      const { stream, userId } = ada;
      const last = await lastRevision(first, stream);
      const event = { type: 'UserErased', version: 1, recordedAt: Date.now(), actor: OPERATOR.actor, requestId: null };
      await first.log.append(stream, last, [{ ...event, data: { userId } }]);
      await second.log.shared?.catchUp();
      while (second.personalKeys.find(userId) !== undefined) await setImmediate();
      expect((await start()).personalKeys.find(userId)).to.equal(undefined);
    });
  });
}

async function lastRevision({ log }: Service, stream: string) {
  for await (const [event] of log.readStreamBackwards(stream)) if (event !== undefined) return event.revision;
  return expect.fail(`${stream} is empty`);
}
