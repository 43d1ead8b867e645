import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ChainProof } from '../../../src/audit/queries/chain-proof.ts';
import { createLevelLog } from '../../../src/event-store/engines/level.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import type { EventOf } from '../../../src/domain/events.ts';
import type { EventToAppend, Revision } from '../../../src/event-store/event-log.ts';
import { operate } from '../../../src/operations/operations.ts';
import { clientId, seconds, userId } from '../../support/domain-values.ts';
import { exportBundle } from '../../support/bundled-log.ts';
import { GatedLevel } from '../../support/gated-level.ts';
import { createGate } from '../../support/gate.ts';
import { approveForCode, detailsParameter, redeemCode, registerBank } from '../../support/details.ts';
import { RENT } from '../../support/detail-types.ts';
import { allowExchange, exchangeForToken, userTokens } from '../../support/token-exchange.ts';
import { chainShape, createChain, tamper, tampering, type ChainShape } from '../../support/proven-chains.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';
import { repetitions } from '../../support/repetitions.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/verify-chain.mjs', import.meta.url));

interface Broken extends Error {
  readonly hop: { readonly number: number; readonly grant: string } | null;
  readonly kind: 'dropped' | 'altered' | 'reordered' | 'forbidden';
}
interface VerifiedChain extends Omit<ChainProof, 'proof'> {
  readonly root: string;
}
/** The standalone verifier, which imports nothing from `src`. */
interface Verifier {
  readonly Broken: new () => Broken;
  verifyChain(text: string, key?: string): VerifiedChain;
  verifyInBundle(verifiedChain: VerifiedChain, directory: string, key?: string): ChainProof['hops'];
  verifyAllChains(
    directory: string,
    key?: string,
  ): { readonly exchanges: number; readonly chains: number; readonly broken: readonly Broken[] };
}

type Mutable<Value> = Value extends string | number | null
  ? Value
  : { -readonly [Key in keyof Value]: Mutable<Value[Key]> };

const itemAt = <Item>(items: readonly Item[], index: number): Item => items[index] ?? expect.fail();

const DEEPEST: ChainShape = { root: 'login', actors: [true, false, true, false], end: 'nothing', hopIndex: 0 };

describe('The proof of an exchange chain', function () {
  this.timeout(120_000);
  let verifier: Verifier;
  let directory: string;
  let running: RunningService;

  beforeEach(async () => {
    verifier = (await import(SCRIPT)) as Verifier;
    directory = mkdtempSync(join(tmpdir(), 'grantlog-chains-'));
    const disk = new GatedLevel(join(directory, 'log'), createGate());
    await disk.open();
    running = await runningService({ log: await createLevelLog(disk) });
  });
  afterEach(async () => {
    await running.close();
    rmSync(directory, { recursive: true });
  });

  async function proveChain(query: { readonly grant: string } | { readonly token: string }): Promise<string> {
    const signal = new AbortController().signal;
    for await (const proof of operate(running.service())('log prove-chain', query, signal))
      return JSON.stringify(proof, null, 2);
    return expect.fail('no proof');
  }
  const readVerifierKey = () => running.service().attestation.verifierKey();

  function catchBreak(verify: () => unknown): Broken | undefined {
    try {
      verify();
      return undefined;
    } catch (error) {
      if (error instanceof verifier.Broken) return error;
      throw error;
    }
  }

  /** Creates a chain, and returns its proof, as text and parsed. */
  async function createChainProof(shape: ChainShape): Promise<{ readonly text: string; readonly proof: ChainProof }> {
    const text = await proveChain({ token: await createChain(running, shape) });
    return { text, proof: JSON.parse(text) as ChainProof };
  }

  const withChange = (text: string, change: (changed: Mutable<ChainProof>) => unknown): string => {
    const changedProof = JSON.parse(text) as Mutable<ChainProof>;
    change(changedProof);
    return JSON.stringify(changedProof, null, 2);
  };

  it('verifies for a random chain, with the hops and ends that the server reports', async () => {
    await fc.assert(
      fc.asyncProperty(chainShape, async (shape) => {
        const { text, proof } = await createChainProof(shape);
        const { hops, size, grant } = verifier.verifyChain(text, readVerifierKey());
        expect(hops).to.deep.equal(proof.hops);
        expect({ size, grant }).to.deep.equal({ size: running.log.head(), grant: proof.grant });
        // A JWT from another issuer is not a hop. The root is the exchange of that JWT.
        expect(hops).to.have.length(shape.actors.length + (shape.root === 'foreign' ? 0 : 1));
        expect(hops.at(-1)?.end === null, JSON.stringify(hops)).to.equal(!hasLastTokenEnded(shape));
      }),
      { numRuns: repetitions(15), endOnFailure: true },
    );
  });

  it('verifies for a chain with narrowed authorization details', async () => {
    const grantTypes = ['token-exchange', 'client-credentials'] as const;
    const [web, api, next] = [
      await running.addClient({}),
      await running.addClient({ grantTypes }),
      await running.addClient({ grantTypes }),
    ];
    await registerBank(running);
    await allowExchange(running, api, web);
    await allowExchange(running, next, api);
    const code = await approveForCode(running, web, await running.addUser('detailed'), detailsParameter(RENT));
    const { json } = await redeemCode(running, web, code);
    const firstToken = await exchangeForToken(
      running,
      api,
      String(json?.['access_token']),
      detailsParameter({ ...RENT, actions: ['status'] }),
    );
    const text = await proveChain({ token: await exchangeForToken(running, next, firstToken) });
    expect(verifier.verifyChain(text, readVerifierKey()).hops).to.have.length(3);
  });

  it('contains the refresh that retired a subject token, which no exchanged token outlives', async () => {
    const grantTypes = ['token-exchange', 'client-credentials'] as const;
    const [web, api] = [await running.addClient({}), await running.addClient({ grantTypes })];
    await allowExchange(running, api, web);
    const { access, refresh } = await userTokens(running, web, await running.addUser('refreshed'));
    await running.token(web, { grant_type: 'refresh_token', refresh_token: refresh });
    const token = await exchangeForToken(running, api, access);
    const text = await proveChain({ token });
    expect(verifier.verifyChain(text, readVerifierKey()).hops).to.have.length(2);
    expect(text).to.include(String.raw`\"type\":\"RefreshTokenRotated\"`);
    const log = createMemoryLog();
    const revisions = new Map<string, Revision>();
    for (const { stream, type, version, recordedAt, actor, requestId, ...event } of await running.events()) {
      const data = structuredClone(event.data) as { exchanged?: true; expiresAt: number };
      if (type === 'TokenExchanged' || data.exchanged === true) data.expiresAt += 1;
      const copiedEvent = { type, version, recordedAt, actor, requestId, data };
      const { revision } = await log.append(stream, revisions.get(stream) ?? 'no-stream', [copiedEvent]);
      revisions.set(stream, revision);
    }
    const forgingService = await runningService({ log });
    const bundle = await exportBundle(forgingService);
    try {
      const breaks = verifier.verifyAllChains(bundle.directory).broken;
      expect(breaks.map(({ kind, message }) => ({ kind, message }))).to.deep.equal([
        { kind: 'forbidden', message: 'it outlives its subject token' },
      ]);
    } finally {
      bundle.remove();
      await forgingService.close();
    }
  });

  it('does not verify after any change', async () => {
    await fc.assert(
      fc.asyncProperty(chainShape, fc.array(tampering, { minLength: 60, maxLength: 60 }), async (shape, changes) => {
        const { text } = await createChainProof(shape);
        for (const change of changes) {
          const changedText = tamper(text, change);
          if (changedText === undefined) continue;
          const textDiffers = withoutWhitespace(changedText) !== withoutWhitespace(text);
          const isBroken = catchBreak(() => verifier.verifyChain(changedText, readVerifierKey())) !== undefined;
          expect(isBroken || !textDiffers, changedText).to.equal(true);
        }
      }),
      { numRuns: repetitions(8), endOnFailure: true },
    );
  });

  describe('of four exchanges', () => {
    let text: string;
    let proof: ChainProof;
    beforeEach(async () => ({ text, proof } = await createChainProof(DEEPEST)));

    const breakAfter = (change: (changed: Mutable<ChainProof>) => unknown) => {
      const chainBreak = catchBreak(() => verifier.verifyChain(withChange(text, change), readVerifierKey()));
      return chainBreak && { number: chainBreak.hop?.number, grant: chainBreak.hop?.grant, kind: chainBreak.kind };
    };
    const recordIndexes = (number: number, stream = `grant-${proof.hops[number]?.grant}`) =>
      proof.proof.records.flatMap(({ record }, index) => (JSON.parse(record).stream === stream ? [index] : []));
    const expectedBreak = (number: number, kind: Broken['kind']) => ({
      number,
      grant: proof.hops[number]?.grant,
      kind,
    });

    it('fails at the hop whose entry was dropped, altered or reordered', () => {
      for (const number of proof.hops.keys()) {
        expect(breakAfter(({ hops }) => hops.splice(number, 1))).to.deep.equal(expectedBreak(number, 'dropped'));
        expect(breakAfter(({ hops }) => (itemAt(hops, number).scope = ['admin']))).to.deep.equal(
          expectedBreak(number, 'altered'),
        );
        if (number === 0) continue;
        expect(
          breakAfter(({ hops }) => hops.splice(number - 1, 2, itemAt(hops, number), itemAt(hops, number - 1))),
        ).to.deep.equal(expectedBreak(number - 1, 'reordered'));
      }
    });

    it('fails at the hop whose records were dropped, altered or reordered', () => {
      for (const number of proof.hops.keys()) {
        const indexes = recordIndexes(number);
        const [first = 0] = indexes;
        const dropAll = (changed: Mutable<ChainProof>): void => {
          changed.proof.records = changed.proof.records.filter((_record, index) => !indexes.includes(index));
          changed.hops.splice(number, 1);
        };
        expect(breakAfter(dropAll)).to.deep.equal(expectedBreak(number, 'dropped'));
        for (const index of indexes) {
          expect(breakAfter((changed) => changed.proof.records.splice(index, 1))?.number).to.equal(number);
          const alter = (changed: Mutable<ChainProof>): void => {
            const item = itemAt(changed.proof.records, index);
            item.record = item.record.replace('"type":"', '"type":"X');
          };
          expect(breakAfter(alter)).to.deep.equal(expectedBreak(number, 'altered'));
        }
        const swap = (changed: Mutable<ChainProof>): void => {
          const { records } = changed.proof;
          records.splice(first, 2, itemAt(records, first + 1), itemAt(records, first));
        };
        expect(breakAfter(swap)?.kind).to.equal('reordered');
      }
    });

    it('does not verify with a different key, or with a statement about a different state of the log', async () => {
      const otherService = await runningService({ seed: 'another' });
      const key = otherService.service().attestation.verifierKey();
      await otherService.close();
      expect(catchBreak(() => verifier.verifyChain(text, key))?.message).to.include('not signed with the given key');
      await createChain(running, { ...DEEPEST, actors: [] });
      const laterProof = JSON.parse(await proveChain({ grant: proof.grant })) as ChainProof;
      expect(breakAfter((changed) => (changed.proof.statement = laterProof.proof.statement))?.kind).to.equal('altered');
    });

    it('shows, together with a bundle, that the server omitted no event, and how the chain ended later', async () => {
      const verifiedChain = verifier.verifyChain(text, readVerifierKey());
      const [root] = proof.hops;
      const revoke = { type: 'RevokeGrant', reason: 'revoked-by-operator' } as const;
      const context = { actor: { kind: 'operator' }, requestId: null } as const;
      await running.service().grantCommands.execute(`grant-${root?.grant}`, revoke, context);
      const bundle = await exportBundle(running);
      try {
        const laterHops = verifier.verifyInBundle(verifiedChain, bundle.directory, readVerifierKey());
        expect(laterHops.map(({ end }) => end?.of)).to.deep.equal(['own', 'above', 'above', 'above', 'above']);
        expect(verifier.verifyAllChains(bundle.directory, readVerifierKey()).broken).to.deep.equal([]);
        const file = join(directory, 'proof.json');
        writeFileSync(file, text);
        const out = execFileSync(process.execPath, [
          SCRIPT,
          file,
          '--key',
          readVerifierKey(),
          '--bundle',
          bundle.directory,
        ]);
        expect(out.toString()).to.include('verified: 4 exchanges').and.include('hop 4').and.include('(revoked, above)');
      } finally {
        bundle.remove();
      }
    });

    describe('of a server that recorded forbidden exchanges', () => {
      type Data = Mutable<EventOf<'TokenExchanged'>['data']>;
      const revocation = { type: 'GrantRevoked', version: 2, data: { reason: 'revoked-by-client' } };
      const FORBIDDEN: Readonly<Record<string, (data: Data) => unknown>> = {
        'more scope than the subject token': (data) => (data.scope = [...data.scope, 'admin']),
        'a longer lifetime than the subject token': (data) => (data.expiresAt = seconds(data.expiresAt + 1)),
        'an actor of a different client': ({ actor }) => actor && (actor.clientId = clientId('other')),
        'a different chain of actors': (data) => data.chain.splice(0, 0, ...data.chain),
        'a different root': (data) => (data.root.clientId = clientId('other')),
        'a different user': (data) => (data.userId = userId('other')),
        'a different client for the subject token': ({ parent }) =>
          'clientId' in parent && (parent.clientId = clientId('other')),
        'a different mode': (data) => (data.mode = 'impersonation'),
      };

      /** Copies the log with changes to the third exchange. The grant of `endedStream` ends before that exchange. */
      async function withRewrittenLog(change: (data: Data) => unknown, endedStream?: string): Promise<RunningService> {
        const log = createMemoryLog();
        const revisions = new Map<string, Revision>();
        const add = async (stream: string, event: EventToAppend): Promise<void> => {
          const { revision } = await log.append(stream, revisions.get(stream) ?? 'no-stream', [event]);
          revisions.set(stream, revision);
        };
        for (const { stream, ...event } of await running.events()) {
          const { type, version, recordedAt, actor, requestId, position } = event;
          const data = structuredClone(event.data) as Data;
          const isThird = stream === `grant-${proof.hops[3]?.grant}`;
          if (isThird && type !== 'GrantRevoked') change(data);
          if (endedStream !== undefined && position === proof.hops[3]?.position)
            await add(endedStream, { ...revocation, recordedAt, actor, requestId });
          await add(stream, { type, version, recordedAt, actor, requestId, data });
        }
        return runningService({ log });
      }

      async function violationsIn(forgingService: RunningService) {
        const bundle = await exportBundle(forgingService);
        try {
          const { broken: breaks } = verifier.verifyAllChains(bundle.directory);
          return breaks.map(({ hop, kind }) => ({ number: hop?.number, kind }));
        } finally {
          bundle.remove();
          await forgingService.close();
        }
      }

      for (const [violation, change] of Object.entries(FORBIDDEN)) {
        it(`fails at the hop with ${violation}`, async () => {
          const forgingService = await withRewrittenLog((data) => data.parent && change(data));
          expect((await violationsIn(forgingService))[0]).to.deep.equal({ number: 3, kind: 'forbidden' });
        });
      }

      it('fails at the hop with an authorization detail that its subject token lacks', async () => {
        const details = [{ type: 'pay', hash: 'h'.repeat(43) }];
        const forgingService = await withRewrittenLog((data) => Object.assign(data, { details }));
        expect((await violationsIn(forgingService))[0]).to.deep.equal({ number: 3, kind: 'forbidden' });
      });

      it('fails at the hop with an incorrect depth', async () => {
        const forgingService = await withRewrittenLog((data) => data.parent && (data.depth = 2));
        expect((await violationsIn(forgingService))[0]).to.include({ kind: 'reordered' });
      });

      it('fails at the hop that was exchanged after a hop above it, or its actor, had ended', async () => {
        for (const endedGrant of [proof.hops[0]?.grant, proof.hops[2]?.grant, proof.hops[3]?.actor?.grant])
          expect((await violationsIn(await withRewrittenLog(() => {}, `grant-${endedGrant}`)))[0]).to.deep.equal({
            number: 3,
            kind: 'forbidden',
          });
      });
    });

    it('fails at the hop whose record was dropped, altered or reordered in a bundle', async () => {
      const verifiedChain = verifier.verifyChain(text, readVerifierKey());
      const bundle = await exportBundle(running);
      const path = join(bundle.directory, 'records.jsonl');
      const lines = readFileSync(path, 'utf8').split('\n');
      const changes: Readonly<Record<string, (index: number) => readonly string[]>> = {
        dropped: (index) => lines.toSpliced(index, 1),
        altered: (index) => lines.with(index, lines[index]?.replace('"read"', '"admin"') ?? ''),
        reordered: (index) => lines.toSpliced(index, 2, lines[index + 1] ?? '', lines[index] ?? ''),
      };
      try {
        for (const [number, { position, grant }] of proof.hops.entries()) {
          if (number === 0) continue;
          for (const [kind, change] of Object.entries(changes)) {
            writeFileSync(path, change(position - 1).join('\n'));
            const breakInBundle = catchBreak(() =>
              verifier.verifyInBundle(verifiedChain, bundle.directory, readVerifierKey()),
            );
            expect({ hop: breakInBundle?.hop, kind: breakInBundle?.kind }).to.deep.equal({
              hop: { number, grant },
              kind,
            });
            const breakInAllChains = catchBreak(() => verifier.verifyAllChains(bundle.directory, readVerifierKey()));
            expect({ hop: breakInAllChains?.hop, kind: breakInAllChains?.kind }).to.deep.equal({
              hop: { number, grant },
              kind,
            });
          }
        }
      } finally {
        bundle.remove();
      }
    });
  });
});

/** Removes insignificant whitespace from JSON. */
const withoutWhitespace = (text: string): string => text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');

/** Reports whether the chain's last token has ended. */
function hasLastTokenEnded({ root, end, actors, hopIndex }: ChainShape): boolean {
  const hop = hopIndex % (actors.length + 1);
  if (end === 'nothing') return false;
  if (end === 'actor-revoked') return true; // without an actor, the hop itself is revoked
  if (end === 'user-disabled' || end === 'user-erased') return root !== 'client';
  if (end === 'logged-out') return root === 'login';
  if (end === 'issuer-removed') return root === 'foreign' || root === 'assertion' || actors.includes('foreign');
  return hop >= 0;
}
