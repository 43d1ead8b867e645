import { expect } from 'chai';
import { createSecretKey } from 'node:crypto';
import {
  fromPayload,
  MAX_PAYLOAD_BYTES,
  toPayloads,
  type Broadcast,
} from '../../../src/platform/broadcast/broadcast.ts';
import { sealedBroadcast } from '../../../src/platform/broadcast/sealed-broadcast.ts';
import { memoryBus } from '../../support/memory-broadcast.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const NOTIFY_LIMIT_BYTES = 7_999;

describe('a sealed broadcast', () => {
  const bus = memoryBus();
  const node = (key: number, seed = String(key)): Broadcast =>
    sealedBroadcast(bus.node(), createSecretKey(Buffer.alloc(32, key)), seededEntropy(seed));

  function receive(listener: Broadcast, topic: string): string[] {
    const payloads: string[] = [];
    listener.subscribe(topic, (payload) => payloads.push(payload));
    return payloads;
  }

  it('reaches other nodes with the same key on the same topic, and is encrypted', () => {
    const sender = node(1);
    const [ownPayloads, otherPayloads] = [receive(sender, 'one'), receive(node(1, 'other'), 'one')];
    const [otherKeyPayloads, otherTopicPayloads] = [receive(node(2), 'one'), receive(node(1, 'another'), 'two')];
    sender.publish('one', 'a secret');
    bus.deliver();
    expect([ownPayloads, otherPayloads, otherKeyPayloads, otherTopicPayloads]).to.deep.equal([
      [],
      ['a secret'],
      [],
      [],
    ]);
    expect(bus.published.join()).not.to.include('secret');
  });

  it('ignores messages that were tampered with, or moved to a different topic', () => {
    const payloads = receive(node(3), 'one');
    node(3, 'sender').publish('two', 'moved');
    const [sealedMessage = ''] = bus.published.slice(-1);
    for (const forgery of ['', 'x', sealedMessage, `${sealedMessage.slice(0, -2)}AA`])
      bus.node().publish('one', forgery);
    bus.deliver();
    expect(payloads).to.deep.equal([]);
  });

  it('fits a payload of the maximum size into a notification, and does not send longer payloads', () => {
    const sender = node(4);
    sender.publish('one', 'é'.repeat(MAX_PAYLOAD_BYTES / 2));
    const publishedCount = bus.published.length;
    expect(bus.published.at(-1)?.length).to.be.within(MAX_PAYLOAD_BYTES, NOTIFY_LIMIT_BYTES - 200);
    sender.publish('one', 'é'.repeat(MAX_PAYLOAD_BYTES / 2 + 1));
    expect(bus.published).to.have.length(publishedCount);
  });
});

describe('the payloads of a list', () => {
  it('keep its items whole and in order, and omit only items that are too long', () => {
    const items = Array.from({ length: 500 }, (_, index) => ({ index, text: 'ä'.repeat(index) }));
    const payloads = toPayloads([...items, 'x'.repeat(MAX_PAYLOAD_BYTES), 'last']);
    for (const payload of payloads) expect(Buffer.byteLength(payload)).to.be.at.most(MAX_PAYLOAD_BYTES);
    expect(payloads.flatMap(fromPayload)).to.deep.equal([...items, 'last']);
    expect(toPayloads([])).to.deep.equal([]);
  });

  it('are read as an empty list if they are malformed', () => {
    for (const malformedPayload of ['', '{', '{"a":1}', 'null', '7'])
      expect(fromPayload(malformedPayload)).to.deep.equal([]);
  });
});
