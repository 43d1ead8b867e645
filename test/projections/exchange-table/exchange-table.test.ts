import { expect } from 'chai';
import fc from 'fast-check';
import type { Position } from '../../../src/event-store/event-log.ts';
import { createExchangeTable, type ExchangeTable } from '../../../src/projections/exchange-table/exchange-table.ts';
import type { Exchange } from '../../../src/projections/exchange.ts';
import { parseEntries } from '../../../src/projections/json-pieces.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../../support/domain-values.ts';

const HOUR = 3_600;

function exchangeOf(label: string, changes: Partial<Exchange> = {}): Exchange {
  return {
    grantId: grantId(label),
    clientId: clientId('Api'),
    userId: userId('ada'),
    mode: 'impersonation',
    parent: { grantId: grantId('root'), clientId: clientId('Web') },
    chain: [],
    depth: 1,
    root: { grantId: grantId('root'), clientId: clientId('Web') },
    expiresAt: seconds(100),
    exchangedAt: 1,
    position: 1 as Position,
    isRevoked: false,
    ...changes,
  };
}

const tableOf = (exchanges: readonly Exchange[]): ExchangeTable => {
  const table = createExchangeTable();
  exchanges.forEach(table.insert);
  return table;
};

const positionOf = ({ position }: Exchange): number => position;
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });
const label = fc.nat({ max: 2 ** 31 }).map(String);
const user = fc.option(label.map(userId), { nil: null });
const client = fc.constantFrom('A', 'B').map(clientId);
const party = fc.record({ clientId: client, userId: user });
const secondsOf = (max: number) => fc.integer({ min: 0, max }).map(seconds);

/** Every field, within the limits of its schema. */
const exchange = fc
  .record({
    userId: user,
    mode: fc.constantFrom('impersonation' as const, 'delegation' as const),
    parent: fc.record({ grantId: label.map(grantId), clientId: client }),
    actor: optional(fc.record({ clientId: client, userId: user, grantId: label.map(grantId) })),
    chain: fc.array(party, { maxLength: 4 }),
    depth: fc.integer({ min: 1, max: 4 }),
    root: fc.record({ grantId: label.map(grantId), clientId: client }),
    login: optional(
      fc.record({
        sessionHash: fc.option(label.map(hashOf), { nil: null }),
        authTime: secondsOf(2 ** 36),
        amr: fc.array(fc.constantFrom('pwd', 'otp', 'user')),
        acr: fc.constantFrom('pwd', 'mfa'),
      }),
    ),
    expiresAt: secondsOf(2 ** 36),
    exchangedAt: secondsOf(2 ** 36),
    position: fc.integer({ min: 1, max: 2 ** 47 }).map((value) => value as Position),
    isRevoked: fc.boolean(),
  })
  .map(({ actor, login, ...rest }) => ({ ...rest, ...(actor && { actor }), ...(login && { login }) }));

describe('the exchange table', () => {
  it('returns every exchange as it was inserted, even from its frozen pieces', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 30 }), (exchanges) => {
        const ordered = exchanges.toSorted((a, b) => a.position - b.position); // as in a log
        const insertedExchanges = ordered.map((entry, index) => ({
          ...entry,
          clientId: clientId('X'),
          grantId: grantId(`${index}`),
        }));
        const table = tableOf(insertedExchanges);
        for (const entry of insertedExchanges) expect(table.find(entry.grantId)).to.deep.equal(entry);
        const restored = tableOf([...table.freeze()].flatMap((piece) => parseEntries<Exchange>(piece)));
        for (const candidate of [table, restored])
          expect([...candidate.entries()].map(positionOf)).to.deep.equal(insertedExchanges.map(positionOf));
        for (const entry of insertedExchanges) expect(restored.find(entry.grantId)).to.deep.equal(entry);
      }),
    );
  });

  it('lists and counts only the unexpired exchanges below a root', () => {
    const all = Array.from({ length: 40_000 }, (_, index) =>
      exchangeOf(`${index}`, {
        position: (index + 1) as Position,
        expiresAt: seconds((index % 3) * HOUR),
        root: { grantId: grantId(`root ${index % 1_000}`), clientId: clientId('Web') },
      }),
    );
    const table = tableOf(all);
    const exchangesOfRoot = all.filter((_, index) => index % 1_000 === 7);
    expect(table.countByRoot(grantId('root 7'))).to.equal(40);
    expect(table.listByRoot(grantId('root 7'))).to.deep.equal(exchangesOfRoot);
    table.expire(HOUR);
    const remaining = exchangesOfRoot.filter(({ expiresAt }) => expiresAt >= HOUR);
    expect(table.listByRoot(grantId('root 7'))).to.deep.equal(remaining);
    expect(table.countByRoot(grantId('root 7'))).to.equal(remaining.length);
    expect(all.filter(({ grantId: id }) => table.find(id) !== undefined)).to.have.length(26_666);
    expect([table.countByRoot(grantId('other')), table.listByRoot(grantId('other'))]).to.deep.equal([0, []]);
  });

  it('freezes contents that later exchanges, revocations and expiries do not change', () => {
    const table = tableOf([exchangeOf('one', { position: 1 as Position })]);
    const pieces = table.freeze();
    table.revoke(grantId('one'));
    for (let index = 0; index < 100; index += 1) table.insert(exchangeOf(`later ${index}`));
    table.expire(2 * HOUR);
    expect([...table.entries()]).to.deep.equal([]);
    const frozenExchanges = [...pieces].flatMap((piece) => parseEntries<Exchange>(piece));
    expect(frozenExchanges).to.deep.equal([exchangeOf('one', { position: 1 as Position })]);
  });

  it('refuses an id that it could not return', () => {
    expect(() => tableOf([exchangeOf('one', { grantId: 'short' as never })])).to.throw('22 characters');
  });
});
