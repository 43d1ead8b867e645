import { expect } from 'chai';
import { openCheckpoint } from '../../../src/audit/merkle/checkpoint.ts';
import { decodeEntryBundle } from '../../../src/audit/merkle/entry-bundle.ts';
import { leafHash } from '../../../src/audit/merkle/hashing.ts';
import { parseVerifierKey } from '../../../src/audit/merkle/note-key.ts';
import { rootAt } from '../../../src/audit/merkle/proofs.ts';
import { formatTilePath } from '../../../src/audit/merkle/tile-path.ts';
import { verifyInclusion, type TreeHead } from '../../../src/audit/merkle/verification.ts';
import { operate } from '../../../src/operations/operations.ts';
import { createServiceWithRecords } from '../../support/bundled-log.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';

describe('the log over HTTP', () => {
  let running: RunningService;
  let client: TestClient;
  let auditor: Readonly<Record<string, string>>;
  let head: TreeHead;

  before(async function () {
    this.timeout(300_000);
    running = await createServiceWithRecords(290);
    client = await running.addClient({ restrictedScopes: ['audit'] });
    auditor = await authorize('audit');
    running.clock.advance(60);
    head = await fetchCheckpoint();
  });

  after(() => running.close());

  async function authorize(scope: string): Promise<Readonly<Record<string, string>>> {
    const { json } = await running.token(client, { grant_type: 'client_credentials', scope });
    return { authorization: `Bearer ${String(json?.['access_token'])}` };
  }

  async function fetchCheckpoint(): Promise<TreeHead> {
    const { text: key } = await running.get('/o/log/key');
    return openCheckpoint((await running.get('/o/log/checkpoint')).text, parseVerifierKey(key.trimEnd()));
  }

  async function fetchBytes(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; cacheControl: string | null; body: Buffer }> {
    const response = await fetch(new URL(`/o/log/${path}`, running.origin()), { headers });
    return {
      status: response.status,
      cacheControl: response.headers.get('cache-control'),
      body: Buffer.from(await response.arrayBuffer()),
    };
  }

  it('has a checkpoint that covers all events and is signed with the published key', async () => {
    expect(head.size).to.equal(running.log.head());
    const { headers } = await running.get('/o/log/checkpoint');
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).to.equal('no-cache');
  });

  it('has public tiles that the signed root can be computed from', async () => {
    const root = await rootAt(
      head.size,
      async (level, index, width) => (await fetchBytes(formatTilePath({ level, index, width }))).body,
    );
    expect(root.toString('hex')).to.equal(Buffer.from(head.rootHash).toString('hex'));
  });

  it('has entry bundles that contain the records byte for byte', async () => {
    const records = (await running.events()).map(({ record }) => record);
    for (const [path, start, width] of [
      ['tile/entries/000', 0, 256],
      ['tile/entries/001.p/20', 256, 20],
    ] as const) {
      const { status, body } = await fetchBytes(path, auditor);
      expect(status).to.equal(200);
      expect(decodeEntryBundle(body, width).map(String)).to.deep.equal(records.slice(start, start + width));
    }
  });

  it('requires the audit scope for records', async () => {
    for (const path of ['tile/entries/000', 'tile/entries/001.p/1', 'tile/entries/999', 'tile/entries/nonsense']) {
      expect((await fetchBytes(path)).status).to.equal(401);
      expect((await fetchBytes(path, await authorize('read write'))).status).to.equal(403);
    }
  });

  it('is closed to clients that the operator has not allowed the audit scope', async () => {
    const otherClient = await running.addClient();
    expect((await running.token(otherClient, { grant_type: 'client_credentials', scope: 'audit' })).json).to.include({
      error: 'invalid_scope',
    });
  });

  it('lets full tiles be cached forever, entry bundles privately, and partial tiles with revalidation', async () => {
    expect((await fetchBytes('tile/0/000')).cacheControl).to.equal('public, max-age=31536000, immutable');
    expect((await fetchBytes('tile/entries/000', auditor)).cacheControl).to.equal(
      'private, max-age=31536000, immutable',
    );
    expect((await fetchBytes('tile/0/001.p/7')).cacheControl).to.equal('no-cache');
    expect((await fetchBytes('tile/entries/001.p/7', auditor)).cacheControl).to.equal('no-cache');
  });

  it('has every partial tile up to the end of the log, each a prefix of the next', async () => {
    const { body } = await fetchBytes('tile/0/000');
    for (const width of [1, 17, 255])
      expect((await fetchBytes(`tile/0/000.p/${width}`)).body).to.deep.equal(body.subarray(0, width * 32));
    const lastWidth = running.log.head() - 256;
    expect((await fetchBytes(`tile/0/001.p/${lastWidth}`)).body.length).to.equal(lastWidth * 32);
    expect((await fetchBytes(`tile/0/001.p/${lastWidth + 1}`)).status).to.equal(404);
  });

  it('responds with 404 for any other path', async () => {
    for (const path of [
      'tile/0/001',
      'tile/0/002',
      'tile/1/000',
      'tile/1/000.p/2',
      'tile/2/000.p/1',
      'tile/64/000',
      'tile/0/0',
      'tile/00/000',
      'tile/0/000.p/0',
      'tile/0/000.p/256',
      'tile/0/000.p/01',
      'tile/0/x000/000',
      'tile/0/',
      'tile/',
      '',
      'records',
      'tile/0/..%2f..%2fkeys',
    ])
      expect((await fetchBytes(path)).status, path).to.equal(404);
    for (const path of ['tile/entries/001', 'tile/entries/x', 'tile/entries/000.p/0'])
      expect((await fetchBytes(path, auditor)).status, path).to.equal(404);
  });

  it('issues at most one new checkpoint per minute for any number of requests, and stores each one', async () => {
    const { checkpoints } = running.service().inspection;
    const [previousCheckpoint, count] = [await fetchCheckpoint(), checkpoints.count()];
    for (let requests = 0; requests < 5; requests += 1) {
      await authorize('read');
      running.clock.advance(11);
      expect(await fetchCheckpoint()).to.deep.equal(previousCheckpoint);
    }
    expect(checkpoints.count()).to.equal(count);
    running.clock.advance(5);
    const concurrentHeads = await Promise.all(Array.from({ length: 20 }, fetchCheckpoint));
    expect(new Set(concurrentHeads.map(({ size }) => size))).to.deep.equal(new Set([running.log.head()]));
    expect(checkpoints.count()).to.equal(count + 1);
    running.clock.advance(3_600);
    expect((await fetchCheckpoint()).size, 'the log has not grown').to.equal(running.log.head());
    expect(checkpoints.count()).to.equal(count + 1);
  });

  it('proves that a token was issued, without disclosing the token', async () => {
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    const token = String(json?.['access_token']);
    const [proof] = await prove(token);
    expect(JSON.stringify(proof)).not.to.include(token);
    const tree = openCheckpoint(proof.checkpoint, parseVerifierKey(proof.verifier_key));
    const path = proof.inclusion_proof.map((hash) => Buffer.from(hash, 'base64'));
    expect(verifyInclusion(leafHash(proof.record), proof.leaf_index, tree, path)).to.equal(true);
    expect(verifyInclusion(leafHash(`${proof.record} `), proof.leaf_index, tree, path)).to.equal(false);
    expect(verifyInclusion(leafHash(proof.record), proof.leaf_index - 1, tree, path)).to.equal(false);
    expect(JSON.parse(proof.record)).to.include({ type: 'AccessTokenIssued' });
  });

  async function prove(subject: string): Promise<readonly [Proof]> {
    for await (const item of operate(running.service())('log prove', { subject }, new AbortController().signal))
      return [item as Proof];
    throw new Error('no proof');
  }
});

describe('checkpoints', () => {
  it('are issued even if the clock is set back by a day', async () => {
    const running = await runningService();
    const checkpointSize = async (): Promise<number> =>
      Number((await running.get('/o/log/checkpoint')).text.split('\n')[1]);
    await running.addUser();
    expect(await checkpointSize()).to.equal(1);
    running.clock.shift(-86_400);
    await running.addUser();
    running.clock.advance(59.999);
    expect(await checkpointSize()).to.equal(1);
    running.clock.advance(0.001);
    expect(await checkpointSize()).to.equal(2);
    await running.close();
  });
});

interface Proof {
  readonly record: string;
  readonly leaf_index: number;
  readonly inclusion_proof: readonly string[];
  readonly checkpoint: string;
  readonly verifier_key: string;
}
