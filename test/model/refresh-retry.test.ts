import { expect } from 'chai';
import fc from 'fast-check';
import { request } from 'node:http';
import { runningService, type Answer, type RunningService, type TestClient } from '../support/running-service.ts';
import { RUNS } from './runs.ts';

const WINDOW = 30;

describe('a refresh token presented again', () => {
  let running: RunningService;
  let client: TestClient;
  let issued: Answer;

  beforeEach(() => begin({ refreshReuseWindowSeconds: WINDOW }));
  afterEach(() => running.close());

  async function begin(settings: { readonly refreshReuseWindowSeconds: number }): Promise<void> {
    running = await runningService({ settings });
    client = await running.addClient();
    issued = await passwordGrant();
  }

  async function passwordGrant(): Promise<Answer> {
    return running.token(client, { grant_type: 'password', ...(await running.addUser()) });
  }

  const refresh = (answer: Answer, scope = ''): Promise<Answer> =>
    running.token(client, { grant_type: 'refresh_token', refresh_token: refreshTokenOf(answer), scope });

  const isAlive = async (answer: Answer): Promise<boolean> =>
    (await running.get('/users/', { authorization: `Bearer ${String(answer.json?.['access_token'])}` })).status === 200;

  async function countOf(type: string): Promise<number> {
    return (await running.events()).filter((event) => event.type === type).length;
  }

  async function expectRevoked(answers: readonly Answer[]): Promise<void> {
    for (const answer of answers) expect(await isAlive(answer)).to.equal(false);
    const reasons = (await running.events()).filter(({ type }) => type === 'GrantRevoked').map(({ data }) => data);
    expect(reasons).to.deep.equal([{ reason: 'refresh-token-reused' }]);
  }

  it('brings the same bytes inside the window, as often as it is asked, and no event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(WINDOW - 1), { minLength: 1, maxLength: 6 }), async (waits) => {
        const grant = await passwordGrant();
        const first = await refresh(grant);
        const head = running.log.head();
        let passed = 0;
        for (const wait of waits.filter((seconds) => (passed += seconds) < WINDOW)) {
          running.clock.advance(wait);
          expect((await refresh(grant)).text).to.equal(first.text);
        }
        expect(running.log.head()).to.equal(head);
        expect(await isAlive(first)).to.equal(true);
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('brings the answer that never arrived: it was cut off on its way', async () => {
    const asked = request(new URL('/o/token/', running.origin()), {
      method: 'POST',
      headers: { authorization: client.basic, 'content-type': 'application/x-www-form-urlencoded' },
    }).on('error', () => {});
    const rotation = rotated();
    asked.end(new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshTokenOf(issued) }).toString());
    await rotation;
    asked.destroy();
    const again = await refresh(issued);
    expect(again.status).to.equal(200);
    expect((await refresh(issued)).text).to.equal(again.text);
    expect(await countOf('RefreshTokenRotated')).to.equal(1);
    expect(await isAlive(again)).to.equal(true);
  });

  /** Resolves when the log has the rotation: before anybody could have read an answer to it. */
  function rotated(): Promise<void> {
    const { log } = running;
    return new Promise((resolve) => {
      log.subscribe(
        log.head(),
        (events) => void (events.some(({ type }) => type === 'RefreshTokenRotated') && resolve()),
      );
    });
  }

  it('brings the same bytes across a restart', async () => {
    const first = await refresh(issued, 'read');
    await running.restart();
    const again = await refresh(issued, 'read');
    expect(first.status).to.equal(200);
    expect(again.text).to.equal(first.text);
    expect(await isAlive(first)).to.equal(true);
    expect(await countOf('RefreshTokenRotated')).to.equal(1);
  });

  it('is answered until the last second of the window and revokes the grant from then on, once', async () => {
    const first = await refresh(issued);
    running.clock.advance(WINDOW - 1);
    expect((await refresh(issued)).text).to.equal(first.text);
    running.clock.advance(1);
    for (let times = 0; times < 3; times += 1)
      expect((await refresh(issued)).json).to.include({ error: 'invalid_grant' });
    await expectRevoked([issued, first]);
  });

  it('revokes the grant once its successor was used, inside the window as well', async () => {
    const first = await refresh(issued);
    const second = await refresh(first);
    for (let times = 0; times < 3; times += 1)
      expect((await refresh(issued)).json).to.include({ error: 'invalid_grant' });
    expect((await refresh(second)).json).to.include({ error: 'invalid_grant' });
    await expectRevoked([issued, first, second]);
  });

  it('revokes the grant at once where the window is 0', async () => {
    await running.close();
    await begin({ refreshReuseWindowSeconds: 0 });
    const first = await refresh(issued);
    expect((await refresh(issued)).json).to.include({ error: 'invalid_grant' });
    await expectRevoked([issued, first]);
  });

  it('with another scope is refused, and nothing is revoked for it', async () => {
    const first = await refresh(issued, 'read');
    for (const scope of ['write', 'read write', '']) {
      expect((await refresh(issued, scope)).json, `scope "${scope}"`).to.include({ error: 'invalid_scope' });
    }
    expect((await refresh(issued, 'read')).text).to.equal(first.text);
    expect(await isAlive(first)).to.equal(true);
    expect(await countOf('GrantRevoked')).to.equal(0);
  });

  it('with the same scope in another order brings the same bytes', async () => {
    const first = await refresh(issued, 'read write');
    expect((await refresh(issued, 'write read write')).text).to.equal(first.text);
  });

  it('by another client is refused, and nothing is revoked for it', async () => {
    const first = await refresh(issued);
    running.clock.advance(WINDOW);
    const thief = await running.addClient();
    const answer = await running.token(thief, { grant_type: 'refresh_token', refresh_token: refreshTokenOf(issued) });
    expect(answer.json).to.include({ error: 'invalid_grant' });
    expect(await isAlive(first)).to.equal(true);
  });

  it('does not bring back what was revoked meanwhile', async () => {
    const first = await refresh(issued);
    await running.post('/o/revoke_token/', { token: refreshTokenOf(first) }, { authorization: client.basic });
    expect((await refresh(issued)).json).to.include({ error: 'invalid_grant' });
    expect(await isAlive(first)).to.equal(false);
    expect(await countOf('GrantRevoked')).to.equal(1);
  });
});

function refreshTokenOf(answer: Answer): string {
  return String(answer.json?.['refresh_token']);
}
