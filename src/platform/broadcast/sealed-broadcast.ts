import type { KeyObject } from 'node:crypto';
import { seal, unseal } from '../keys/seals.ts';
import type { Entropy } from '../ports.ts';
import { MAX_PAYLOAD_BYTES, type Broadcast } from './broadcast.ts';

/**
 * Encrypts messages under a key that the nodes share (AES-256-GCM), so that the medium can neither read nor forge them.
 * Messages that cannot be decrypted are ignored. Repeated messages are not detected, so handlers must tolerate them.
 */
export function sealedBroadcast(medium: Broadcast, key: KeyObject, entropy: Entropy): Broadcast {
  const secret = key.export();
  return {
    schedule: medium.schedule,
    publish(topic, payload) {
      if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) return;
      medium.publish(topic, seal(payload, secret, topic, entropy));
    },
    subscribe(topic, handle) {
      medium.subscribe(topic, (sealedPayload) => {
        const payload = tryUnseal(sealedPayload, secret, topic);
        if (payload !== undefined) handle(payload);
      });
    },
  };
}

function tryUnseal(sealedPayload: string, key: Buffer, topic: string): string | undefined {
  try {
    return unseal(sealedPayload, key, topic);
  } catch {
    return undefined; // tampered with, or encrypted under a different key or for a different topic
  }
}
