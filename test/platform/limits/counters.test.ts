import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { CAPACITY, createCounters, keyHasher } from '../../../src/platform/limits/counters.ts';

const NOW = Date.UTC(2026, 0, 1);
const hash = keyHasher(createSecretKey(Buffer.alloc(32, 7)));

describe('counters', () => {
  it('count each key within a window that begins with its first event', () => {
    const counters = createCounters();
    counters.add(hash('a'), NOW, 60);
    counters.add(hash('a'), NOW + 59_999, 60);
    counters.add(hash('b'), NOW + 1_000, 60);
    expect(counters.read(hash('a'), NOW + 59_999)).to.deep.equal({ count: 2, endsAt: NOW + 60_000 });
    expect(counters.read(hash('a'), NOW + 60_000)).to.deep.equal({ count: 0, endsAt: 0 });
    expect(counters.read(hash('b'), NOW + 60_000)).to.deep.equal({ count: 1, endsAt: NOW + 61_000 });
    counters.add(hash('a'), NOW + 60_000, 60);
    expect(counters.read(hash('a'), NOW + 60_000)).to.deep.equal({ count: 1, endsAt: NOW + 120_000 });
  });

  it('can renew the window of a key without extending other windows', () => {
    const counters = createCounters();
    counters.renew(hash('a'), NOW, 60);
    counters.renew(hash('b'), NOW, 60);
    counters.renew(hash('a'), NOW + 59_999, 60);
    expect(counters.read(hash('a'), NOW + 119_998)).to.deep.equal({ count: 2, endsAt: NOW + 119_999 });
    expect(counters.read(hash('a'), NOW + 119_999).count).to.equal(0);
    expect(counters.read(hash('b'), NOW + 60_000).count).to.equal(0);
  });

  it('have a fixed capacity, and keep the keys with the highest counts', () => {
    const counters = createCounters();
    const frequentKeys = Array.from({ length: 100 }, (_, index) => `watched ${index}`);
    for (const key of frequentKeys) for (let times = 0; times < 20; times += 1) counters.add(hash(key), NOW, 900);
    for (let index = 0; index < 4 * CAPACITY; index += 1)
      counters.add(hash(`2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::/64`), NOW, 900);
    expect(counters.openWindows(NOW)).to.equal(CAPACITY);
    for (const key of frequentKeys) expect(counters.read(hash(key), NOW).count).to.equal(20);
    expect(counters.openWindows(NOW + 900_000)).to.equal(0);
  });

  it('never confuse two keys', () => {
    const counters = createCounters();
    for (let index = 0; index < 50_000; index += 1) counters.add(hash(`old ${index}`), NOW, 900);
    for (let index = 0; index < 50_000; index += 1) expect(counters.read(hash(`new ${index}`), NOW).count).to.equal(0);
  });
});
