import { expect } from 'chai';
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import type { ClientId, EpochSeconds, UserId } from '../../src/domain/values.ts';
import { createDeviceCodes, type DeviceRequest } from '../../src/oauth/devices/device-codes.ts';
import { createPendingDevices, MOST_PENDING, type FullFor } from '../../src/oauth/devices/pending-devices.ts';
import { formatUserCode, mintUserCode, parseUserCode } from '../../src/oauth/devices/user-codes.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const entropy = seededEntropy('devices');
const codes = createDeviceCodes(createSecretKey(Buffer.alloc(32, 1)), entropy);

function request(client = 'A', address = '192.0.2.1', requestedAt = 0): DeviceRequest {
  const terms = { clientId: client as ClientId, scope: ['read'], resource: [], address, agent: null };
  return codes.mint({ ...terms, requestedAt: requestedAt as EpochSeconds }).request;
}

describe('A user code', () => {
  it('has eight letters without vowels, each equally likely', () => {
    const counts = new Map<string, number>();
    for (let times = 0; times < 5_000; times += 1)
      for (const letter of mintUserCode(entropy)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect([...counts.keys()].toSorted().join('')).to.equal('BCDFGHJKLMNPQRSTVWXZ');
    for (const count of counts.values()) expect(count).to.be.within(1_750, 2_250);
  });

  it('is read as it is shown, in any case and with any separators', () => {
    const separators = fc.array(fc.constantFrom(' ', '-', '.', '–', '\t'), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(separators, fc.boolean(), (between, isLower) => {
        const code = mintUserCode(entropy);
        expect(parseUserCode(formatUserCode(code))).to.equal(code);
        const typed = between.map((separator, index) => separator + code.charAt(index)).join('');
        expect(parseUserCode(isLower ? typed.toLowerCase() : typed)).to.equal(code);
      }),
    );
  });
});

describe('A device code', () => {
  it('contains the request, and nobody can read, change or make one', () => {
    const terms = {
      clientId: 'A' as ClientId,
      scope: ['read', 'write'],
      resource: ['https://api.example'],
      requestedAt: 7 as EpochSeconds,
      address: '192.0.2.1',
      agent: 'Firefox on Linux',
    };
    const { value, request: minted } = codes.mint(terms);
    expect(codes.open(value)).to.deep.equal(minted);
    expect(minted).to.include({ address: '192.0.2.1', agent: 'Firefox on Linux' });
    expect(Buffer.from(value.slice(4), 'base64url').toString('latin1')).not.to.include(minted.userCode);
    const other = createDeviceCodes(createSecretKey(Buffer.alloc(32, 2)), entropy);
    expect(other.open(value)).to.equal(undefined);
  });
});

describe('The pending devices', () => {
  const most: Readonly<Record<FullFor, number>> = { all: 8, client: 4, address: 3 };

  it('are bounded, also in a flood of 100,000 requests, which locks out no other client and address', () => {
    const devices = createPendingDevices(most);
    const like = request('flood');
    for (let number = 0; number < 100_000; number += 1)
      devices.add({ ...like, userCode: String(number), address: `192.0.2.${number % 250}` }, true, 0);
    expect(devices.size()).to.equal(most.client);
    expect(devices.add(request('A', '198.51.100.1'), true, 0)).to.equal(undefined);
    expect(devices.size()).to.equal(most.client + 1);
  });

  it('refuse what exceeds the limit of an address, of a client or of all', () => {
    const devices = createPendingDevices(most);
    for (let times = 0; times < 3; times += 1) expect(devices.add(request('A'), true, 0)).to.equal(undefined);
    expect(devices.add(request('B'), true, 0)).to.equal('address');
    expect(devices.add(request('A'), false, 0)).to.equal(undefined);
    expect(devices.add(request('A'), false, 0)).to.equal('client');
    for (let times = 0; times < 4; times += 1) expect(devices.add(request('B'), false, 0)).to.equal(undefined);
    expect(devices.add(request('C'), false, 0)).to.equal('all');
  });

  it('make room as they expire or are decided, and count nothing twice', () => {
    const devices = createPendingDevices(most);
    const waiting = Array.from({ length: 3 }, () => request());
    for (const each of [...waiting, ...waiting]) expect(devices.add(each, true, 0)).to.equal(undefined);
    devices.remove(waiting[0]!);
    devices.remove(waiting[0]!);
    expect(devices.add(request('A', '192.0.2.1', 300), true, 300)).to.equal(undefined);
    expect(devices.add(request('A', '192.0.2.1', 300), true, 300)).to.equal('address');
    expect(devices.find(waiting[1]!.userCode, 600)).to.equal(undefined);
    expect(devices.add(request('A', '192.0.2.1', 600), true, 600)).to.equal(undefined);
    expect(devices.size()).to.equal(2);
  });

  it('belong to the first user who enters the code', () => {
    const devices = createPendingDevices();
    const waiting = request();
    expect(devices.claim(waiting, 'ada' as UserId), 'unknown').to.equal(false);
    devices.add(waiting, true, 0);
    expect(devices.claim(waiting, 'ada' as UserId)).to.equal(true);
    expect(devices.claim(waiting, 'bob' as UserId)).to.equal(false);
    expect(devices.claim(waiting, 'ada' as UserId)).to.equal(true);
  });

  it('leave room for four clients and for a hundred addresses', () => {
    expect(MOST_PENDING.client * 4).to.be.at.most(MOST_PENDING.all);
    expect(MOST_PENDING.address * 100).to.be.at.most(MOST_PENDING.all);
  });
});
