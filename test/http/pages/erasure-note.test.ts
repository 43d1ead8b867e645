import { expect } from 'chai';
import { erasureNote } from '../../../src/http/pages/erasure-note.ts';
import { english } from '../../../src/language/english.ts';
import { runningService } from '../../support/running-service.ts';

const DATABASE_KEYS = { keys: 'database', keysSecret: '0f'.repeat(32), log: 'postgres://grantlog@db.example/grantlog' };
const DATABASE_NOTICE = /remains in earlier backups and write-ahead logs of this server’s database/;

describe('A page that erases an account', () => {
  const openPages = async (settings: Parameters<typeof runningService>[0] = {}): Promise<readonly string[]> => {
    const running = await runningService(settings);
    const { username, password } = await running.addUser('root', ['administrator']);
    const member = await running.addUser('ada');
    const [administrator, ada] = [running.browser(), running.browser()];
    await administrator.logIn(username, password);
    await ada.logIn(member.username, member.password);
    const pages = [await ada.get('/accounts/erase/'), await administrator.get('/admin/users/2/erase/')];
    await running.close();
    for (const { status } of pages) expect(status).to.equal(200);
    return pages.map(({ html }) => html);
  };

  it('says how long database files contain the key, if keys are in the database', async () => {
    const [ownPage = '', otherPage = ''] = await openPages({ settings: { ...DATABASE_KEYS, keysBackupDays: 30 } });
    expect(ownPage)
      .to.match(DATABASE_NOTICE)
      .and.match(/your key .*deleted after 30 days/);
    expect(otherPage)
      .to.match(DATABASE_NOTICE)
      .and.match(/their key .*deleted after 30 days/);
  });

  it('does not mention a database if keys are files', async () => {
    for (const html of await openPages()) expect(html).to.not.match(DATABASE_NOTICE);
  });

  it('does not promise a deletion time that the operator has not set', () => {
    const note = erasureNote({ keys: 'database', keysBackupDays: null }, 'yours');
    expect(english.text(note ?? ''))
      .to.include('until the operator deletes them')
      .and.not.match(/\d/);
    const noteWithPeriod = erasureNote({ keys: 'database', keysBackupDays: 1 }, 'yours');
    expect(english.text(noteWithPeriod ?? '')).to.include('after one day.');
    expect(erasureNote({ keys: './database', keysBackupDays: 1 }, 'yours')).to.equal(undefined);
    expect(erasureNote({ keys: null, keysBackupDays: 1 }, 'yours')).to.equal(undefined);
  });
});
