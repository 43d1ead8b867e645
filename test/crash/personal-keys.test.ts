import { expect } from 'chai';
import { keyDirectory } from '../../src/platform/keys/key-directory.ts';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFromSettings } from '../../src/config/config.ts';
import { userStream } from '../../src/domain/streams.ts';
import type { UserId } from '../../src/domain/values.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import { manualClock } from '../support/manual-clock.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { readWholeStream } from '../support/whole-stream.ts';

const context = { actor: { kind: 'operator' }, requestId: null } as const;

describe('the keys for personal data', () => {
  let dataDir: string;
  let service: Service;
  let startCount = 0;
  const keysFile = (): string => join(dataDir, 'keys', 'users.keys');

  async function start(): Promise<void> {
    service = await openService(configFromSettings({ dataDir }), {
      clock: manualClock(),
      entropy: seededEntropy((startCount += 1)),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
    });
  }

  async function restart(whileStopped: () => unknown = () => {}): Promise<void> {
    await service.close();
    await whileStopped();
    await start();
  }

  async function register(username: string): Promise<void> {
    const result = await service.accounts.register({ username, password: `${username}'s password` }, context);
    if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  }

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-keys-'));
    await start();
  });
  afterEach(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true });
  });

  it('are harmless if the registration event was never written, and a user can still register', async () => {
    await register('ada');
    await restart(async () => {
      const keys = await keyDirectory(join(dataDir, 'keys')).keyring(PERSONAL_KEYS);
      await keys.add('x'.repeat(22) as UserId, Buffer.alloc(32, 1));
    });
    await register('grace');
    await restart();
    expect(service.projections.users.all().map(({ username }) => username)).to.deep.equal(['ada', 'grace']);
  });

  it('survive a crash that leaves an incomplete line, which is dropped without losing a later key', async () => {
    await register('ada');
    await restart(() => appendFileSync(keysFile(), `${'x'.repeat(22)} to`));
    await register('grace');
    await restart();
    expect(service.projections.users.all().map(({ username }) => username)).to.deep.equal(['ada', 'grace']);
    const grace = await service.accounts.verify('grace', "grace's password", quickHasher);
    expect(grace?.user.username).to.equal('grace');
    expect(statSync(keysFile()).mode & 0o777).to.equal(0o600);
  });

  it('are destroyed at the next startup if a crash interrupted an erasure', async () => {
    await register('ada');
    const [ada] = service.projections.users.all();
    if (ada === undefined) throw new Error('there is no user');
    expect(readFileSync(keysFile(), 'utf8')).to.contain(ada.userId);
    const fileBefore = readFileSync(keysFile());
    await service.accounts.erase(ada, context);
    await restart(() => appendFileSync(keysFile(), fileBefore));
    expect(readFileSync(keysFile(), 'utf8')).not.to.contain(ada.userId);
    expect((await readWholeStream(service.log, ada.stream)).events.at(-1)?.type).to.equal('UserErased');
    expect(ada.stream).to.match(new RegExp(`^${userStream('')}`));
    await register('ada');
    expect(service.projections.users.findByName('ada')?.id).to.equal(2);
  });

  it('are destroyed at the next startup if a crash interrupted the withdrawal of an invitation', async () => {
    await service.invitations.invite({ email: 'eve@example.org', roles: [], invitedBy: null }, context);
    const [invitation = expect.fail()] = service.invitations.listPending();
    const fileBefore = readFileSync(keysFile());
    await service.invitations.withdraw(invitation, context);
    await restart(() => appendFileSync(keysFile(), fileBefore));
    expect(readFileSync(keysFile(), 'utf8')).to.equal('');
  });
});
