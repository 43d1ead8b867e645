/** Few enough that writing a piece out keeps nobody waiting, many enough that a snapshot has few of them. */
const ENTRIES_PER_PIECE = 500;

/**
 * Entries as pieces of a snapshot, each written out when it is asked for. What is in `entries` must
 * never be changed in place.
 */
export function* jsonPieces(entries: readonly unknown[]): Generator<Uint8Array, void, void> {
  for (let at = 0; at < entries.length; at += ENTRIES_PER_PIECE) {
    yield Buffer.from(JSON.stringify(entries.slice(at, at + ENTRIES_PER_PIECE)));
  }
}

/** What such a piece was made of; that it was, the snapshot's own check has shown. @throws SyntaxError it is no JSON */
export function parseEntries<Entry>(piece: Uint8Array): readonly Entry[] {
  return JSON.parse(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('utf8')) as readonly Entry[];
}
