/** Small enough that serializing a piece does not block the event loop noticeably. */
const ENTRIES_PER_PIECE = 500;

/** A list, or an object that produces its elements on demand. */
interface Entries {
  readonly length: number;
  slice(from: number, to: number): readonly unknown[];
}

/**
 * Serializes entries as pieces of a snapshot, lazily. The elements of `entries` must not be changed in place.
 */
export function* jsonPieces(entries: Entries): Generator<Uint8Array, void, void> {
  for (let from = 0; from < entries.length; from += ENTRIES_PER_PIECE) {
    yield Buffer.from(JSON.stringify(entries.slice(from, from + ENTRIES_PER_PIECE)));
  }
}

/**
 * Returns the entries in a piece from `jsonPieces`. The caller must have verified the piece.
 * @throws SyntaxError if the piece is not JSON
 */
export function parseEntries<Entry>(piece: Uint8Array): readonly Entry[] {
  return JSON.parse(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('utf8')) as readonly Entry[];
}
