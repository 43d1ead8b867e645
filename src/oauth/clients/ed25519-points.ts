/** The prime of the field, 2²⁵⁵ - 19. Only smaller coordinates are canonical (RFC 8032 §5.1.3). */
const FIELD_PRIME = 2n ** 255n - 19n;
const Y_MASK = 2n ** 255n - 1n;

/**
 * The y coordinates of all points whose order divides eight. With such a public key, anyone can create valid
 * signatures for many or all messages without a private key.
 */
const SMALL_ORDER_Y: readonly bigint[] = [
  0n, // order 4
  1n, // order 1
  FIELD_PRIME - 1n, // order 2
  // order 8
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];

/**
 * Reports whether the encoded public key is canonical and not of small order, so that only the holder of the private
 * key can sign.
 */
export function isPointOfLargeOrder(encoded: Buffer): boolean {
  const y = BigInt(`0x${Buffer.from(encoded.toReversed()).toString('hex')}`) & Y_MASK;
  return y < FIELD_PRIME && !SMALL_ORDER_Y.includes(y);
}
