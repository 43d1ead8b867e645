/** A set of SHA-256 hashes by 64 bits of each: a sixth of the memory that the hashes would take as text. */
export interface Fingerprints {
  /** True for what was added; for what was not, true once in 2^64 divided by the number of hashes held. */
  has(hash: string): boolean;
  add(hash: string): void;
}

const INITIAL_SLOTS = 1 << 10;

/** Open addressing; a slot of zero is free, and no fingerprint is zero. */
export function createFingerprints(): Fingerprints {
  let slots = new BigUint64Array(INITIAL_SLOTS);
  let held = 0;

  function slotOf(print: bigint): number {
    const mask = slots.length - 1;
    let slot = Number(print & 0xff_ff_ff_ffn) & mask;
    while (slots[slot] !== 0n && slots[slot] !== print) slot = (slot + 1) & mask;
    return slot;
  }

  function grow(): void {
    const before = slots;
    slots = new BigUint64Array(before.length * 2);
    for (const print of before) if (print !== 0n) slots[slotOf(print)] = print;
  }

  return {
    has: (hash) => slots[slotOf(fingerprint(hash))] !== 0n,
    add(hash) {
      if ((held + 1) * 4 > slots.length * 3) grow();
      const print = fingerprint(hash);
      const slot = slotOf(print);
      if (slots[slot] === 0n) held += 1;
      slots[slot] = print;
    },
  };
}

function fingerprint(hash: string): bigint {
  return Buffer.from(hash.slice(0, 12), 'base64url').readBigUInt64LE() || 1n;
}
