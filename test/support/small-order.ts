const PRIME = 2n ** 255n - 19n;
const D = mod(-121_665n * inverse(121_666n));
const BITS = 256;
/** The order of the base point (RFC 8032 §5.1). */
const GROUP_ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/**
 * Computes all encodings of the eight Ed25519 points whose order divides eight, including non-canonical encodings, from
 * the curve equation (RFC 8032 §5.1).
 */
export function computeSmallOrderPoints(): readonly Buffer[] {
  const ys = new Set<bigint>();
  // Any point times the order of the base point has small order, and each of the eight is the product for some point.
  for (let y = 2n; ys.size < 5; y += 1n) {
    const x = findX(y);
    if (x !== undefined) ys.add(multiply(GROUP_ORDER, { x, y }).y);
    if (y > 1_000n) throw new Error('cannot find the points of small order');
  }
  return [...ys]
    .flatMap((y) => (y + PRIME < 2n ** 255n ? [y, y + PRIME] : [y]))
    .flatMap((y) => [encode(y), encode(y + 2n ** 255n)]);
}

function encode(value: bigint): Buffer {
  return Buffer.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toReversed());
}

function multiply(factor: bigint, point: Point): Point {
  let sum: Point = { x: 0n, y: 1n };
  for (let bit = BITS; bit >= 0; bit -= 1) {
    sum = add(sum, sum);
    if ((factor >> BigInt(bit)) & 1n) sum = add(sum, point);
  }
  return sum;
}

function add(left: Point, right: Point): Point {
  const product = mod(D * left.x * right.x * left.y * right.y);
  return {
    x: mod((left.x * right.y + right.x * left.y) * inverse(1n + product)),
    y: mod((left.y * right.y + left.x * right.x) * inverse(1n - product)),
  };
}

/** Returns an x such that (x, y) is on the curve, if any. */
function findX(y: bigint): bigint | undefined {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  const root = power(square, (PRIME + 3n) / 8n);
  const rootOfMinusOne = power(2n, (PRIME - 1n) / 4n);
  return [root, mod(root * rootOfMinusOne)].find((x) => mod(x * x) === square);
}

/** Computes the modular inverse with the extended Euclidean algorithm. */
function inverse(value: bigint): bigint {
  let [remainder, factor, previous, previousFactor] = [mod(value), 1n, PRIME, 0n];
  while (remainder > 1n) {
    const quotient = previous / remainder;
    [previous, remainder] = [remainder, previous % remainder];
    [previousFactor, factor] = [factor, previousFactor - quotient * factor];
  }
  return mod(factor);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = mod(base), rest = exponent; rest > 0n; rest >>= 1n, square = mod(square * square))
    if (rest & 1n) result = mod(result * square);
  return result;
}

function mod(value: bigint): bigint {
  return ((value % PRIME) + PRIME) % PRIME;
}
