/** A set of SHA-256 hashes, stored as 64 bits each to save memory. */
export interface Fingerprints {
  /**
   * Returns true for every added hash, and for any other hash with a probability of n / 2^64, where n is the number of
   * added hashes.
   */
  has(hash: string): boolean;
  add(hash: string): void;
}

const INITIAL_SLOTS = 1 << 10;

/** Uses open addressing. An empty slot is zero; a fingerprint never is. */
export function createFingerprints(): Fingerprints {
  let slots = new BigUint64Array(INITIAL_SLOTS);
  let count = 0;

  function findSlot(fingerprint: bigint): number {
    const mask = slots.length - 1;
    let slot = Number(fingerprint & 0xff_ff_ff_ffn) & mask;
    while (slots[slot] !== 0n && slots[slot] !== fingerprint) slot = (slot + 1) & mask;
    return slot;
  }

  function grow(): void {
    const previousSlots = slots;
    slots = new BigUint64Array(previousSlots.length * 2);
    for (const fingerprint of previousSlots) if (fingerprint !== 0n) slots[findSlot(fingerprint)] = fingerprint;
  }

  return {
    has: (hash) => slots[findSlot(fingerprintOf(hash))] !== 0n,
    add(hash) {
      if ((count + 1) * 4 > slots.length * 3) grow();
      const fingerprint = fingerprintOf(hash);
      const slot = findSlot(fingerprint);
      if (slots[slot] === 0n) count += 1;
      slots[slot] = fingerprint;
    },
  };
}

function fingerprintOf(hash: string): bigint {
  return Buffer.from(hash.slice(0, 12), 'base64url').readBigUInt64LE() || 1n;
}
