import { basename } from 'node:path';
import { expect } from 'chai';
import { audit } from '../src/audit/rules/auditor.ts';
import { decodeUntrustedEvent, EVENT_TYPES } from '../src/domain/events.ts';
import { UPCASTERS } from '../src/domain/upcasters.ts';
import { START, type RecordedEvent } from '../src/event-store/event-log.ts';
import {
  listCorpora,
  summarizeReplay,
  readEvents,
  readExpected,
  readKeys,
  thaw,
  type FrozenKeys,
} from './corpus/frozen.ts';
import type { RunningService, TestClient } from './support/running-service.ts';

/** Each of these logs was written by a released version and never changes, so that no log becomes unreadable. */
describe('the frozen logs', () => {
  it('exist', () => {
    expect(listCorpora()).to.not.deep.equal([]);
  });

  // scripts/make-corpus.ts --help describes how to add a missing version.
  it('contain every version of every event type that changed', () => {
    const frozenVersions = new Set(
      listCorpora()
        .flatMap(readEvents)
        .map(({ type, version }) => `${type} ${version}`),
    );
    const versions = Object.entries(UPCASTERS).flatMap(([type, steps]) =>
      [...steps.keys(), steps.length].map((index) => `${type} ${index + 1}`),
    );
    expect(versions.filter((version) => !frozenVersions.has(version))).to.deep.equal([]);
  });

  it('contain every event type', () => {
    const frozenTypes = new Set(
      listCorpora().flatMap((directory) => Object.keys(readExpected(directory).eventsByType)),
    );
    expect(EVENT_TYPES.filter((type) => !frozenTypes.has(type))).to.deep.equal([]);
  });

  for (const directory of listCorpora()) describe(basename(directory), () => testFrozenLog(directory));
});

function testFrozenLog(directory: string): void {
  let events: readonly RecordedEvent[];
  let keys: FrozenKeys;
  let running: RunningService;

  beforeEach(async () => {
    events = readEvents(directory);
    keys = readKeys(directory);
    running = await thaw(events, keys);
  });
  afterEach(() => running.close());

  it('contains records that match their schemas', () => {
    for (const event of events) expect(() => decodeUntrustedEvent(event)).to.not.throw();
  });

  // After an intended change to a projection, scripts/make-corpus.ts --expected freezes the new result.
  it('replays to its frozen state', () => {
    expect(summarizeReplay(events, running.service())).to.deep.equal(readExpected(directory));
  });

  it('violates no audit rule; the audit reports only clock corrections, as notices', async () => {
    const auditFindings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) auditFindings.push(item);
    const corrections = events.filter(({ type }) => type === 'ClockSetBack');
    const notes = corrections.map(({ position }) => ({ rule: 'clock-goes-forward', severity: 'notice', position }));
    expect(auditFindings).to.have.lengthOf(notes.length);
    for (const [index, note] of notes.entries()) expect(auditFindings[index]).to.include(note);
  });

  it('keeps its credentials valid: a password, client secrets, an access token and a refresh token', async () => {
    const { username, password, clientId, clientSecret, accessToken, refreshToken, broughtId, broughtSecret } =
      keys.credentials;
    const client = testClientFor(clientId, clientSecret);
    expect((await running.get('/users/', { authorization: `Bearer ${accessToken}` })).status).to.equal(200);
    expect((await running.token(client, { grant_type: 'password', username, password })).status).to.equal(200);
    expect((await running.token(client, { grant_type: 'refresh_token', refresh_token: refreshToken })).status).to.equal(
      200,
    );
    expect(
      (await running.token(testClientFor(broughtId, broughtSecret), { grant_type: 'client_credentials' })).status,
    ).to.equal(200);
  });
}

function testClientFor(id: string, secret: string): TestClient {
  return { id, secret, basic: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}
