import { expect } from 'chai';
import fc from 'fast-check';
import { CONFIRMATION_METHODS, type ConfirmationMethod } from '../../../src/domain/confirmation.ts';
import type { CredentialHash, GrantId, UserId } from '../../../src/domain/values.ts';
import type { Position } from '../../../src/event-store/event-log.ts';
import type { AccessToken } from '../../../src/projections/access-token.ts';
import { createTokenTable, type TokenTable } from '../../../src/projections/token-table/token-table.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../../support/domain-values.ts';
import { repetitions } from '../../support/repetitions.ts';

const HOUR = 3_600;

/** The model of the table: one object per token. */
type Model = Map<CredentialHash, AccessToken>;

interface Issue {
  readonly kind: 'issue';
  readonly count: number;
  readonly lifetime: number;
  readonly client: string;
  readonly isForItself: boolean;
  readonly confirmationMethod: ConfirmationMethod | null;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly areTwins: boolean;
}
type Step =
  | Issue
  | { readonly kind: 'end'; readonly choice: number }
  /** Retires several tokens in sequence, possibly enough to make a segment sparse. */
  | { readonly kind: 'retire'; readonly choice: number; readonly count: number; readonly window: number }
  /** Ends the next token's grant before the token is issued, which never happens in a real log. */
  | { readonly kind: 'end early' }
  | { readonly kind: 'wait'; readonly seconds: number }
  /** Freezes the table now and writes the snapshot some steps later. The restored table then replaces the original. */
  | { readonly kind: 'freeze'; readonly writtenAfter: number };

const aName = fc.constantFrom('read', 'write', 'read write', '4:read', 'ü');
/** Twins are equal in the index, which has to compare all of them. More twins would only slow down the test. */
const anIssue = (count: fc.Arbitrary<number>, areTwins: fc.Arbitrary<boolean>): fc.Arbitrary<Issue> =>
  fc.record({
    kind: fc.constant('issue' as const),
    count,
    lifetime: fc.integer({ min: 0, max: 4 * HOUR }),
    client: fc.constantFrom('A', 'B', 'C'),
    isForItself: fc.boolean(),
    confirmationMethod: fc.option(fc.constantFrom(...CONFIRMATION_METHODS)),
    scope: fc.uniqueArray(aName, { maxLength: 3 }),
    resource: fc.uniqueArray(aName, { maxLength: 2 }),
    areTwins,
  });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: anIssue(fc.integer({ min: 1, max: 40 }), fc.boolean()) },
  { weight: 1, arbitrary: anIssue(fc.integer({ min: 1, max: 25_000 }), fc.constant(false)) }, // more than a segment
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('end' as const), choice: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('retire' as const),
      choice: fc.nat(),
      window: fc.nat({ max: 2 * HOUR }),
      count: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end early' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 2 * HOUR }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('freeze' as const), writtenAfter: fc.nat({ max: 4 }) }) },
);

describe('the access token table', function () {
  this.timeout(180_000);

  it('stays equal to a map through growth, ended grants, expiry and snapshots', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 25 }), (steps) => {
        const run = startRun();
        steps.forEach((step, index) => {
          applyStep(run, step, index);
          expect(run.table.size(), 'size').to.equal(run.retainedTokens.size);
          run.snapshots.filter(({ dueAt }) => dueAt <= index).forEach((snapshot) => writeAndContinue(run, snapshot));
        });
        run.snapshots.forEach((snapshot) => writeAndContinue(run, snapshot));
        expectEntries(run.table, run.model);
        for (const [hash, token] of takeSample(run.issuedTokens)) {
          expect(run.table.find(hash)).to.deep.equal(run.model.has(hash) ? token : undefined);
          expect(run.table.findRetained(hash)).to.deep.equal(run.retainedTokens.has(hash) ? token : undefined);
        }
        expect(run.table.find(hashOf('never issued'))).to.equal(undefined);
      }),
      { numRuns: repetitions(25) },
    );
  });

  it('distinguishes keys with equal prefixes', () => {
    const table = createTokenTable();
    const hashes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (digit) => `${'A'.repeat(20)}${digit}${'A'.repeat(22)}` as CredentialHash,
    );
    hashes.slice(1).forEach((hash, index) => table.insert(hash, createToken({ issuedPosition: index as Position })));
    expect(hashes.map((hash) => table.find(hash)?.issuedPosition)).to.deep.equal([
      undefined,
      0,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
    ]);
  });

  it('stores numbers with more than 32 bits, and every bit of an id', () => {
    const ids = { grantId: '_'.repeat(22) as GrantId, userId: '_'.repeat(22) as UserId };
    const token = createToken({
      ...ids,
      expiresAt: seconds(9e9),
      issuedAt: 8e9,
      issuedPosition: (2 ** 48 - 1) as Position,
    });
    const table = createTokenTable();
    table.insert(hashOf('t'), token);
    table.insert(hashOf('u'), { ...token, userId: null });
    expect(table.find(hashOf('t'))).to.deep.equal(token);
    expect(table.find(hashOf('u'))).to.deep.equal({ ...token, userId: null });
  });

  it('uses 33 more bytes for a bound token, and 33 more for its removed row in a snapshot', () => {
    const countSnapshotBytes = (changes: Partial<AccessToken>, isRetired = false): number => {
      const table = createTokenTable();
      table.insert(hashOf('t'), createToken({ expiresAt: seconds(9 * HOUR), ...changes }));
      if (isRetired) table.retire(hashOf('t'), seconds(50), 9 as Position);
      return [...table.freeze()].reduce((sum, { length }) => sum + length, 0);
    };
    const confirmation = { method: 'x5t#S256', thumbprint: hashOf('key') } as const;
    for (const holder of [{ userId: null }, {}]) {
      expect(countSnapshotBytes({ ...holder, confirmation }) - countSnapshotBytes(holder)).to.equal(33);
    }
    const rowAndRemovedRow = 33 + 33; // a snapshot contains the removed row, too
    expect(countSnapshotBytes({ confirmation }, true) - countSnapshotBytes({}, true)).to.equal(rowAndRemovedRow);
  });

  it("keeps a user's token when its grant ends, unlike tokens that clients got for themselves", () => {
    const table = createTokenTable();
    table.insert(hashOf('t'), createToken({ grantId: grantId('g') }));
    table.endGrant(grantId('g'));
    expect(table.find(hashOf('t'))?.grantId).to.equal(grantId('g'));
  });

  it('remembers that a grant has ended for exactly as long as it has a token', () => {
    const table = createTokenTable();
    table.insert(hashOf('t'), createToken({ userId: null, expiresAt: seconds(9 * HOUR) }));
    table.endGrant(grantId('g'));
    table.insert(hashOf('u'), createToken({ userId: null, grantId: grantId('h'), expiresAt: seconds(20 * HOUR) }));
    for (let hour = 0; hour <= 9; hour += 1) {
      table.expire(hour * HOUR);
      expect([table.find(hashOf('t')), table.findRetained(hashOf('t'))?.grantId]).to.deep.equal([
        undefined,
        grantId('g'),
      ]);
    }
    const piecesBefore = [...table.freeze()].length;
    table.expire(10 * HOUR);
    expect(
      [...table.freeze()].length,
      'pieces for the terms, the rows, their grants, and the end of the grant',
    ).to.equal(piecesBefore - 4);
  });

  it('releases the memory of retired tokens, even if a few live ones remain among them', () => {
    const table = createTokenTable();
    const [tokenCount, liveCount] = [40_000, 400];
    for (let nth = 0; nth < tokenCount; nth += 1) {
      table.insert(hashOf(`t${nth}`), createToken({ expiresAt: seconds(10 * HOUR), issuedPosition: nth as Position }));
    }
    const countSnapshotBytes = (): number => [...table.freeze()].reduce((sum, { length }) => sum + length, 0);
    const fullBytes = countSnapshotBytes();
    for (let nth = 0; nth < tokenCount; nth += 1) {
      if (nth % (tokenCount / liveCount) !== 0)
        table.retire(hashOf(`t${nth}`), seconds(30), (tokenCount + nth) as Position);
    }
    table.expire(HOUR);
    expect(table.size()).to.equal(liveCount);
    expect(countSnapshotBytes()).to.be.below(fullBytes / 40);
    for (const nth of [0, 100, 39_900]) expect(table.find(hashOf(`t${nth}`))?.issuedPosition).to.equal(nth);
    expect([table.find(hashOf('t1')), table.findRetained(hashOf('t39999'))]).to.deep.equal([undefined, undefined]);
  });

  it('does not retire an unknown token, one that expires sooner, or one that a client got for itself', () => {
    const table = createTokenTable();
    table.insert(hashOf('client'), createToken({ userId: null }));
    table.insert(hashOf('short'), createToken({ expiresAt: seconds(50) }));
    for (const label of ['client', 'short', 'never issued']) table.retire(hashOf(label), seconds(50), 9 as Position);
    expect(table.size()).to.equal(2);
    expect(table.find(hashOf('client'))?.expiresAt).to.equal(100);
    expect(table.find(hashOf('short'))?.retiredPosition).to.equal(undefined);
    table.retire(hashOf('short'), seconds(49), 9 as Position);
    table.retire(hashOf('short'), seconds(20), 10 as Position);
    expect(table.find(hashOf('short'))).to.include({ expiresAt: 49, retiredPosition: 9 });
  });

  it('refuses ids that do not have 22 characters', () => {
    expect(() => createTokenTable().insert(hashOf('t'), createToken({ grantId: 'g' as GrantId }))).to.throw(
      'must have 22 characters',
    );
    expect(() => createTokenTable().insert(hashOf('t'), createToken({ userId: 'u'.repeat(23) as UserId }))).to.throw(
      'must have 22 characters',
    );
  });
});

describe('a snapshot of the access token table', () => {
  it('is refused if any piece is truncated or malformed', () => {
    const table = createTokenTable();
    for (const label of ['a', 'b', 'c']) table.insert(hashOf(label), createToken({}));
    const [size, terms, grants, rows] = [...table.freeze()];
    if (size === undefined || terms === undefined || grants === undefined || rows === undefined)
      return expect.fail('the snapshot does not have four pieces');
    for (let length = 0; length < size.length; length += 1)
      expect(() => createTokenTable().restore(size.subarray(0, length))).to.throw('malformed');
    for (let length = 0; length < terms.length; length += 1)
      expect(() => createTokenTable().restore(terms.subarray(0, length))).to.throw('malformed');
    for (let length = 0; length < grants.length; length += 1)
      expect(() => createTokenTable().restore(grants.subarray(0, length))).to.throw('malformed');
    for (let length = 0; length < rows.length; length += 1) {
      const restoredTable = createTokenTable();
      restoredTable.restore(terms);
      restoredTable.restore(grants);
      expect(() => restoredTable.restore(rows.subarray(0, length)), String(length)).to.throw('malformed');
    }
    const withoutTerms = createTokenTable();
    withoutTerms.restore(grants);
    expect(() => withoutTerms.restore(rows), 'rows without their terms').to.throw('malformed');
    expect(() => createTokenTable().restore(rows), 'rows without their grants').to.throw('malformed');
    for (const [offset, byte] of [
      [0, 7],
      [8, 255],
      [9, 9],
      [14, 0],
    ] as const) {
      const damagedTerms = Uint8Array.from(terms);
      damagedTerms[offset] = byte;
      expect(() => createTokenTable().restore(damagedTerms), `byte ${offset}`).to.throw('malformed');
    }
    table.endGrant(grantId('g'));
    const endedGrantsPiece = [...table.freeze()][4] ?? expect.fail('the snapshot has no fifth piece');
    for (let length = 0; length < endedGrantsPiece.length; length += 1)
      expect(() => createTokenTable().restore(endedGrantsPiece.subarray(0, length))).to.throw('malformed');
    const restoredTwice = createTokenTable();
    restoredTwice.restore(terms);
    expect(() => restoredTwice.restore(terms)).to.throw('malformed');
  });

  it('includes removed rows, and is refused if their list is truncated', () => {
    const table = createTokenTable();
    for (const label of ['a', 'b', 'c']) table.insert(hashOf(label), createToken({ expiresAt: seconds(9 * HOUR) }));
    table.retire(hashOf('b'), seconds(50), 9 as Position);
    const pieces = [...table.freeze()];
    const restoredTable = createTokenTable();
    for (const piece of pieces) restoredTable.restore(piece);
    expect([...restoredTable.entries()]).to.deep.equal([...table.entries()]);
    const marks = pieces.find(([kind]) => kind === 7) ?? expect.fail('the snapshot has no marks');
    for (let length = 0; length < marks.length; length += 1) {
      expect(() => createTokenTable().restore(marks.subarray(0, length))).to.throw('malformed');
    }
  });

  it('is refused if the method of a bound token is unknown', () => {
    const table = createTokenTable();
    table.insert(hashOf('a'), createToken({ confirmation: { method: 'jkt', thumbprint: hashOf('key') } }));
    const [size, terms, grants, rows] = [...table.freeze()].map((piece) => Uint8Array.from(piece));
    if (!size || !terms || !grants || !rows) return expect.fail('the snapshot does not have four pieces');
    rows[rows.length - 1] = CONFIRMATION_METHODS.length;
    const restoredTable = createTokenTable();
    for (const piece of [size, terms, grants]) restoredTable.restore(piece);
    expect(() => restoredTable.restore(rows)).to.throw('malformed');
  });

  it('can be read at any offset in a buffer', () => {
    const table = createTokenTable();
    table.insert(hashOf('a'), createToken({}));
    const restoredTable = createTokenTable();
    for (const piece of table.freeze())
      restoredTable.restore(new Uint8Array([0, 0, 0, ...piece, 0]).subarray(3, 3 + piece.length));
    expect([...restoredTable.entries()]).to.deep.equal([...table.entries()]);
  });

  it('may be empty', () => {
    const restoredTable = createTokenTable();
    for (const piece of createTokenTable().freeze()) restoredTable.restore(piece);
    expect([restoredTable.size(), ...restoredTable.entries()]).to.deep.equal([0]);
  });
});

type Operation = (table: TokenTable) => void;

interface Snapshot {
  readonly dueAt: number;
  readonly pieces: Iterable<Uint8Array>;
  readonly model: Model;
  readonly size: number;
  /** The operations after the freeze. */
  readonly laterOperations: Operation[];
}

interface Run {
  table: TokenTable;
  /** The tokens that can be found. */
  readonly model: Model;
  /** All retained tokens, whether or not they have ended. */
  readonly retainedTokens: Model;
  readonly issuedTokens: Model;
  /** Grants that ended before their token was issued, with the last hour when the table still remembers their end. */
  readonly endedEarly: Map<GrantId, number>;
  snapshots: readonly Snapshot[];
  now: number;
  position: number;
}

function startRun(): Run {
  return {
    table: createTokenTable(),
    model: new Map(),
    retainedTokens: new Map(),
    issuedTokens: new Map(),
    endedEarly: new Map(),
    snapshots: [],
    now: 0,
    position: 0,
  };
}

function applyStep(run: Run, step: Step, index: number): void {
  const applyOperation = (operation: Operation): void => {
    operation(run.table);
    for (const { laterOperations } of run.snapshots) laterOperations.push(operation);
  };
  if (step.kind === 'issue') {
    for (let count = 0; count < step.count; count += 1) {
      const [hash, token] = issueToken(run, step);
      applyOperation((table) => table.insert(hash, token));
    }
  }
  if (step.kind === 'end') {
    const [hash, token] = [...run.issuedTokens][step.choice % (run.issuedTokens.size || 1)] ?? [];
    if (hash === undefined || token === undefined) return;
    if (token.userId === null) run.model.delete(hash);
    applyOperation((table) => table.endGrant(token.grantId));
  }
  if (step.kind === 'retire') {
    const start = step.choice % (run.issuedTokens.size || 1);
    const hashes = [...run.issuedTokens.keys()].slice(start, start + step.count);
    for (const hash of hashes) retire(run, hash, run.now + step.window, applyOperation);
  }
  if (step.kind === 'end early') {
    const endedGrant = grantId(String(run.position + 1));
    if (run.retainedTokens.size > 0)
      run.endedEarly.set(
        endedGrant,
        [...run.retainedTokens.values()].reduce((latest, { expiresAt }) => Math.max(latest, hourOf(expiresAt)), 0),
      );
    applyOperation((table) => table.endGrant(endedGrant));
  }
  if (step.kind === 'wait') {
    const now = (run.now += step.seconds);
    for (const [hash, { expiresAt }] of run.retainedTokens) {
      if (hourOf(expiresAt) >= hourOf(now)) continue;
      run.model.delete(hash);
      run.retainedTokens.delete(hash);
    }
    applyOperation((table) => table.expire(now));
  }
  if (step.kind === 'freeze') {
    run.snapshots = [
      ...run.snapshots,
      {
        dueAt: index + step.writtenAfter,
        pieces: run.table.freeze(),
        model: new Map(run.model),
        size: run.retainedTokens.size,
        laterOperations: [],
      },
    ];
  }
}

/** Adds a token to the model, and returns it with its hash. */
function issueToken(
  run: Run,
  { lifetime, client, isForItself, confirmationMethod, scope, resource, areTwins }: Issue,
): readonly [CredentialHash, AccessToken] {
  run.position += 1;
  const label = String(run.position);
  const originalHash = hashOf(label);
  // Twins have the same word in the same table of the index.
  const hash = (areTwins ? `AAAAAAA${originalHash.slice(7)}` : originalHash) as CredentialHash;
  const token = createToken({
    grantId: grantId(label),
    clientId: clientId(client),
    userId: isForItself ? null : userId(label),
    scope,
    resource,
    expiresAt: seconds(run.now + lifetime),
    issuedAt: run.now,
    issuedPosition: run.position as Position,
    ...(confirmationMethod === null
      ? {}
      : { confirmation: { method: confirmationMethod, thumbprint: hashOf(`key ${label}`) } }),
  });
  if (isForItself && (run.endedEarly.get(token.grantId) ?? -1) >= hourOf(run.now)) return [hash, token];
  run.model.set(hash, token);
  run.retainedTokens.set(hash, token);
  run.issuedTokens.set(hash, token);
  return [hash, token];
}

/** Retires a user's token as a refresh does: its row moves behind all others and expires sooner, but only once. */
function retire(run: Run, hash: CredentialHash, endsAt: number, applyOperation: (operation: Operation) => void): void {
  run.position += 1;
  const retiredPosition = run.position as Position;
  applyOperation((table) => table.retire(hash, seconds(endsAt), retiredPosition));
  const token = run.retainedTokens.get(hash);
  if (token === undefined || token.userId === null || token.expiresAt <= endsAt) return;
  if (token.retiredPosition !== undefined) return;
  for (const map of [run.model, run.retainedTokens, run.issuedTokens]) {
    if (!map.delete(hash)) continue;
    map.set(hash, { ...token, expiresAt: seconds(endsAt), retiredPosition });
  }
}

/** Restores a snapshot, expects the state at the freeze, applies the later operations, and replaces the table. */
function writeAndContinue(run: Run, snapshot: Snapshot): void {
  const restoredTable = createTokenTable();
  for (const piece of snapshot.pieces) restoredTable.restore(piece);
  expectEntries(restoredTable, snapshot.model);
  expect(restoredTable.size()).to.equal(snapshot.size);
  for (const operation of snapshot.laterOperations) operation(restoredTable);
  expect([...restoredTable.entries()]).to.deep.equal([...run.table.entries()]);
  run.table = restoredTable;
  run.snapshots = run.snapshots.filter((other) => other !== snapshot);
}

function expectEntries(table: TokenTable, model: Model): void {
  // the table does not keep four bits of the 22nd character
  const expected = [...model].map(([hash, token]) => [hash.slice(0, 21), token]);
  expect(
    JSON.stringify([...table.entries()].map(([key, token]) => [key.slice(0, 21), token])) === JSON.stringify(expected),
    'entries',
  ).to.equal(true);
}

function hourOf(moment: number): number {
  return Math.floor(moment / HOUR);
}

function takeSample<Key, Value>(map: ReadonlyMap<Key, Value>): readonly (readonly [Key, Value])[] {
  return [...map].filter((_, index) => index % Math.ceil(map.size / 500) === 0);
}

function createToken(changes: Partial<AccessToken>): AccessToken {
  return {
    grantId: grantId('g'),
    clientId: clientId('A'),
    userId: userId('ada'),
    scope: ['read'],
    resource: [],
    expiresAt: seconds(100),
    issuedAt: 7,
    issuedPosition: 3 as Position,
    ...changes,
  };
}
