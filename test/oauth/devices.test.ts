import { expect } from 'chai';
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import type { ClientId, EpochSeconds, UserId } from '../../src/domain/values.ts';
import { createDeviceCodes, type DeviceRequest } from '../../src/oauth/devices/device-codes.ts';
import { createPendingDevices, MAX_PENDING, type PendingLimit } from '../../src/oauth/devices/pending-devices.ts';
import { formatUserCode, mintUserCode, parseUserCode } from '../../src/oauth/devices/user-codes.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const entropy = seededEntropy('devices');
const codes = createDeviceCodes(createSecretKey(Buffer.alloc(32, 1)), entropy);

function createRequest(client = 'A', address = '192.0.2.1', requestedAt = 0): DeviceRequest {
  const terms = { clientId: client as ClientId, scope: ['read'], resource: [], address, agent: null };
  return codes.mint({ ...terms, requestedAt: requestedAt as EpochSeconds }).request;
}

describe('A user code', () => {
  it('has eight consonants, all equally likely', () => {
    const counts = new Map<string, number>();
    for (let attempt = 0; attempt < 5_000; attempt += 1)
      for (const letter of mintUserCode(entropy)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect([...counts.keys()].toSorted().join('')).to.equal('BCDFGHJKLMNPQRSTVWXZ');
    for (const count of counts.values()) expect(count).to.be.within(1_750, 2_250);
  });

  it('is parsed in its displayed format, in uppercase or lowercase, and with any separators', () => {
    const separators = fc.array(fc.constantFrom(' ', '-', '.', '–', '\t'), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(separators, fc.boolean(), (separatorList, isLowercase) => {
        const code = mintUserCode(entropy);
        expect(parseUserCode(formatUserCode(code))).to.equal(code);
        const typed = separatorList.map((separator, index) => separator + code.charAt(index)).join('');
        expect(parseUserCode(isLowercase ? typed.toLowerCase() : typed)).to.equal(code);
      }),
    );
  });
});

describe('A device code', () => {
  it('contains the request, and cannot be read, changed or forged without the key', () => {
    const terms = {
      clientId: 'A' as ClientId,
      scope: ['read', 'write'],
      resource: ['https://api.example'],
      requestedAt: 7 as EpochSeconds,
      address: '192.0.2.1',
      agent: 'Firefox on Linux',
      details: [{ type: 'payment', amount: 45 }],
    };
    const { value, request: mintedRequest } = codes.mint(terms);
    expect(codes.open(value)).to.deep.equal(mintedRequest);
    expect(mintedRequest).to.include({ address: '192.0.2.1', agent: 'Firefox on Linux' });
    expect(Buffer.from(value.slice(4), 'base64url').toString('latin1')).not.to.include(mintedRequest.userCode);
    const otherCodes = createDeviceCodes(createSecretKey(Buffer.alloc(32, 2)), entropy);
    expect(otherCodes.open(value)).to.equal(undefined);
  });
});

describe('The pending devices', () => {
  const limits: Readonly<Record<PendingLimit, number>> = { all: 8, client: 4, address: 3 };
  /** Clients whose ids begin with the same letter have the same owner. */
  const ownerOf = (clientId: ClientId) => clientId.charAt(0) as UserId;

  it('are bounded, even in a flood of 100,000 requests, which does not affect other clients or addresses', () => {
    const devices = createPendingDevices({ ownerOf, limits });
    const template = createRequest('flood');
    for (let number = 0; number < 100_000; number += 1)
      devices.add({ ...template, userCode: String(number), address: `192.0.2.${number % 250}` }, true, 0);
    expect(devices.size()).to.equal(limits.client);
    expect(devices.add(createRequest('A', '198.51.100.1'), true, 0)).to.equal(undefined);
    expect(devices.size()).to.equal(limits.client + 1);
  });

  it('are refused beyond the limit for an address, for a client or in total', () => {
    const devices = createPendingDevices({ ownerOf, limits });
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(devices.add(createRequest('A'), true, 0)).to.equal(undefined);
    expect(devices.add(createRequest('B'), true, 0)).to.equal('address');
    expect(devices.add(createRequest('A'), false, 0)).to.equal(undefined);
    expect(devices.add(createRequest('A'), false, 0)).to.equal('client');
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(devices.add(createRequest('B'), false, 0)).to.equal(undefined);
    expect(devices.add(createRequest('A2'), false, 0)).to.equal('all');
  });

  it('of an owner make room for devices of an owner with fewer devices, for any number of clients', () => {
    const devices = createPendingDevices({ ownerOf, limits });
    const firstRequest = createRequest('A1');
    devices.add(firstRequest, false, 0);
    devices.claim(firstRequest, 'ada' as UserId);
    const otherRequests = ['A1', 'A1', 'A2', 'A2', 'A3', 'A4', 'A5'].map((client) => createRequest(client));
    for (const request of otherRequests) expect(devices.add(request, false, 0)).to.equal(undefined);
    expect(devices.add(createRequest('B'), false, 0)).to.equal(undefined);
    const isPending = (request: DeviceRequest) => devices.find(request.userCode, 0) !== undefined;
    expect(isPending(firstRequest), 'a user has entered its code').to.equal(true);
    expect(otherRequests.map(isPending)).to.deep.equal([false, true, true, true, true, true, true]);
    expect(devices.size()).to.equal(limits.all);
  });

  it('are never refused or removed while their owner has less than an equal share', () => {
    const owners = ['A', 'B', 'C', 'D', 'E', 'F'];
    const total = 12;
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('1', '2', '3'), fc.boolean()), {
      minLength: 20,
      maxLength: 120,
    });
    fc.assert(
      fc.property(steps, (choices) => {
        const devices = createPendingDevices({ ownerOf, limits: { all: total, client: total, address: total } });
        const addedRequests: DeviceRequest[] = [];
        const pendingRequests = () => addedRequests.filter(({ userCode }) => devices.find(userCode, 0) !== undefined);
        const pendingCount = (owner: string) =>
          pendingRequests().filter(({ clientId }) => ownerOf(clientId) === owner).length;
        for (const [index, application, isClaimed] of choices) {
          const owner = owners[index] ?? 'A';
          const countsBefore = new Map(owners.map((otherOwner) => [otherOwner, pendingCount(otherOwner)]));
          const ownerCount = [...countsBefore].filter(
            ([otherOwner, count]) => count > 0 || otherOwner === owner,
          ).length;
          const share = Math.floor(total / ownerCount);
          const newRequest = createRequest(`${owner}${application}`);
          const exceededLimit = devices.add(newRequest, false, 0);
          if (exceededLimit === undefined) addedRequests.push(newRequest);
          else expect(countsBefore.get(owner), 'refused').to.be.at.least(share);
          if (isClaimed) devices.claim(newRequest, 'ada' as UserId);
          for (const [otherOwner, count] of countsBefore)
            if (pendingCount(otherOwner) < count) expect(pendingCount(otherOwner)).to.be.at.least(share);
          expect(devices.size()).to.be.at.most(total).and.equal(pendingRequests().length);
        }
      }),
    );
  });

  it('make room when they expire or are decided, and are not counted twice', () => {
    const devices = createPendingDevices({ ownerOf, limits });
    const requests = Array.from({ length: 3 }, () => createRequest());
    for (const request of [...requests, ...requests]) expect(devices.add(request, true, 0)).to.equal(undefined);
    devices.remove(requests[0]!);
    devices.remove(requests[0]!);
    expect(devices.add(createRequest('A', '192.0.2.1', 300), true, 300)).to.equal(undefined);
    expect(devices.add(createRequest('A', '192.0.2.1', 300), true, 300)).to.equal('address');
    expect(devices.find(requests[1]!.userCode, 600)).to.equal(undefined);
    expect(devices.add(createRequest('A', '192.0.2.1', 600), true, 600)).to.equal(undefined);
    expect(devices.size()).to.equal(2);
  });

  it('belong to the first user who enters the code', () => {
    const devices = createPendingDevices({ ownerOf });
    const request = createRequest();
    expect(devices.claim(request, 'ada' as UserId), 'before it is added').to.equal(false);
    devices.add(request, true, 0);
    expect(devices.claim(request, 'ada' as UserId)).to.equal(true);
    expect(devices.claim(request, 'bob' as UserId)).to.equal(false);
    expect(devices.claim(request, 'ada' as UserId)).to.equal(true);
  });

  it('leave room for four clients and for a hundred addresses', () => {
    expect(MAX_PENDING.client * 4).to.be.at.most(MAX_PENDING.all);
    expect(MAX_PENDING.address * 100).to.be.at.most(MAX_PENDING.all);
  });
});
