import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { operate } from '../../../src/operations/operations.ts';
import { openBundle, writeBundle } from '../../../src/audit/proofs/bundle-directory.ts';
import type { BundlePart } from '../../../src/audit/proofs/bundle.ts';
import { logName } from '../../../src/audit/proofs/log-name.ts';
import { verifyBundle, type BundleItem } from '../../../src/audit/proofs/verify-bundle.ts';
import { configFromSettings } from '../../../src/config/config.ts';
import { systemClock, systemEntropy } from '../../../src/platform/ports.ts';
import { openService } from '../../../src/composition/open-service.ts';
import type { Service } from '../../../src/composition/service.ts';
import { openCheckpoint } from '../../../src/audit/merkle/checkpoint.ts';
import { isKeyName, parseVerifierKey } from '../../../src/audit/merkle/note-key.ts';
import { verifyConsistency, verifyInclusion } from '../../../src/audit/merkle/verification.ts';
import { leafHash } from '../../../src/audit/merkle/hashing.ts';
import { quickHasher } from '../../support/quick-hasher.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEVER = new AbortController().signal;
const STANDALONE = fileURLToPath(new URL('../../../scripts/verify-bundle.mjs', import.meta.url));

describe('the name of a log', () => {
  it("consists of the issuer's host and path, without a trailing slash", () => {
    const names = {
      'http://localhost:8000': 'localhost:8000',
      'https://id.example': 'id.example',
      'https://id.example/': 'id.example',
      'https://id.example/auth': 'id.example/auth',
      'https://id.example/auth/': 'id.example/auth',
      'https://id.example:8443/a/b': 'id.example:8443/a/b',
      'https://[::1]:8443/a': '[::1]:8443/a',
      'https://id.example/a+b': 'id.example/a%2Bb',
      'https://id.example/über uns': 'id.example/%C3%BCber%20uns',
    };
    for (const [issuer, name] of Object.entries(names)) expect(logName(issuer), issuer).to.equal(name);
  });

  it('is a valid key name for any issuer', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string({ unit: 'grapheme' }), (url, path) => {
        expect(isKeyName(logName(`${url}/${path.replaceAll(/[?#]/g, '')}`))).to.equal(true);
      }),
    );
  });
});

interface NamedByHost {
  readonly issuer: string;
  /** The server's published data: its key, and a checkpoint that covers two records. */
  readonly verifierKey: string;
  readonly checkpoint: string;
  /** File contents in base64, by path. */
  readonly dataDirectory: Readonly<Record<string, string>>;
  readonly bundle: Readonly<Record<string, string>>;
}

/** Data from a server whose issuer has a path, written by a release that named logs after the issuer's host only. */
const EARLIER_DATA = JSON.parse(readFileSync(new URL('named-by-host.json', import.meta.url), 'utf8')) as NamedByHost;

describe('a log that was named after its host only', () => {
  let directory: string;
  let service: Service;
  let standalone: (bundle: string, key?: string) => { readonly size: number };

  beforeEach(async () => {
    ({ verifyBundle: standalone } = (await import(STANDALONE)) as { verifyBundle: typeof standalone });
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    unpack(EARLIER_DATA.dataDirectory, 'data');
    unpack(EARLIER_DATA.bundle, 'bundle');
    service = await open();
  });

  afterEach(async () => {
    await service.close();
    rmSync(directory, { recursive: true });
  });

  function unpack(files: Readonly<Record<string, string>>, folder: string): void {
    for (const [file, base64] of Object.entries(files)) {
      const path = join(directory, folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.from(base64, 'base64'));
    }
  }

  function open(): Promise<Service> {
    const config = configFromSettings({ dataDir: join(directory, 'data'), issuer: EARLIER_DATA.issuer });
    const parts = {
      clock: systemClock,
      entropy: systemEntropy(),
      hasher: quickHasher,
      issuer: () => EARLIER_DATA.issuer,
    };
    return openService(config, parts);
  }

  async function collect<Item>(operation: string, input: object = {}): Promise<readonly Item[]> {
    const items: Item[] = [];
    for await (const item of operate(service)(operation, input, NEVER)) items.push(item as Item);
    return items;
  }

  async function checkpoint(): Promise<string> {
    const [item] = await collect<{ readonly checkpoint: string }>('log checkpoint');
    return item?.checkpoint ?? '';
  }

  const damageIn = async (bundle: string, key: string): Promise<BundleItem | undefined> => {
    for await (const item of verifyBundle(openBundle(bundle), key, NEVER)) if ('damage' in item) return item;
    expect(standalone(bundle, key).size).to.be.above(0);
    return undefined;
  };

  it('publishes a key and checkpoints under its new name, even before it has grown', async () => {
    const key = service.attestation.verifierKey();
    expect(key)
      .to.match(/^id\.example\/auth\+/)
      .and.not.equal(EARLIER_DATA.verifierKey);
    const publishedNotes = [await checkpoint(), await service.attestation.checkpoint(), await checkpoint()];
    for (const note of publishedNotes) {
      expect(note).to.match(/^id\.example\/auth\n5\n/);
      expect(openCheckpoint(note, parseVerifierKey(key)).size).to.equal(5);
    }
    await service.groupDirectory.create('one more', OPERATOR);
    expect(openCheckpoint(await checkpoint(), parseVerifierKey(key)).size).to.equal(6);
  });

  it('still matches its earlier checkpoints', async () => {
    await service.groupDirectory.create('one more', OPERATOR);
    await checkpoint();
    const items = await collect('log verify');
    expect(items.filter((item) => typeof item === 'object' && item !== null && 'damage' in item)).to.deep.equal([]);
    expect(items.at(-1)).to.include({ size: 6, checkpoints: 6 });
  });

  it("is consistent with an auditor's earlier checkpoint", async () => {
    const earlierHead = openCheckpoint(EARLIER_DATA.checkpoint, parseVerifierKey(EARLIER_DATA.verifierKey));
    await service.groupDirectory.create('one more', OPERATOR);
    const newestHead = openCheckpoint(await checkpoint(), parseVerifierKey(service.attestation.verifierKey()));
    const proof = await service.attestation.tree.proveConsistency(earlierHead.size, newestHead.size);
    expect(verifyConsistency(earlierHead, newestHead, proof)).to.equal(true);
    expect(verifyConsistency({ ...earlierHead, rootHash: newestHead.rootHash }, newestHead, proof)).to.equal(false);
  });

  it('proves inclusion of older records under its new name', async () => {
    const [proof] = await collect<Proof>('log prove', { subject: '1' });
    if (proof === undefined) throw new Error('no proof');
    const head = openCheckpoint(proof.checkpoint, parseVerifierKey(proof.verifier_key));
    const path = proof.inclusion_proof.map((hash) => Buffer.from(hash, 'base64'));
    expect(verifyInclusion(leafHash(proof.record), 0, head, path)).to.equal(true);
    expect(proof.verifier_key).to.equal(service.attestation.verifierKey());
  });

  it('prevents startup if a signed checkpoint does not match it', async () => {
    await service.close();
    const note = join(directory, 'data', 'checkpoints', '5');
    writeFileSync(note, readFileSync(note, 'utf8').replace(/\n5\n../, '\n5\nAA'));
    const failure: unknown = await open().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).with.property('name', 'LogTampered');
  });

  it('is exported as a bundle that verifies with the key under either name', async () => {
    await service.groupDirectory.create('one more', OPERATOR);
    const bundle = join(directory, 'new bundle');
    await writeBundle(bundle, operate(service)('log bundle', {}, NEVER) as AsyncGenerator<BundlePart, void, void>);
    for (const key of [service.attestation.verifierKey(), EARLIER_DATA.verifierKey]) {
      expect(await damageIn(bundle, key)).to.equal(undefined);
    }
  });

  it('keeps earlier bundles verifiable with the key under either name, but not with a different key', async () => {
    const bundle = join(directory, 'bundle');
    for (const key of [service.attestation.verifierKey(), EARLIER_DATA.verifierKey]) {
      expect(await damageIn(bundle, key)).to.equal(undefined);
    }
    const otherKey = 'id.example+a1a18a5b+AWi9X8Yr5mC2hqPBuUxe9hdcEvb42Bj8zJR7dEWqOk3l';
    expect(await damageIn(bundle, otherKey)).to.include({ file: 'key' });
    expect(() => standalone(bundle, otherKey)).to.throw('the bundle is not signed with the given key');
  });
});

interface Proof {
  readonly record: string;
  readonly inclusion_proof: readonly string[];
  readonly checkpoint: string;
  readonly verifier_key: string;
}
