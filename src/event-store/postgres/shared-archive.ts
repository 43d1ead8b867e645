import { assertFiles, createArchive, NO_ARCHIVE, type Archive } from '../archive/archive.ts';
import { parseSeal, type Seal } from '../archive/seal.ts';
import { LogDamaged } from '../event-log.ts';
import type { Position, RecordedEvent } from '../event-log.ts';
import { LogUnreachable } from '../log-unreachable.ts';
import type { ReadQueries } from './read-queries.ts';

/**
 * The archive of a log in PostgreSQL, as one node sees it. The database lists the segments; the nodes share the files.
 */
export interface SharedArchive extends Pick<
  Archive,
  'end' | 'problem' | 'read' | 'readStream' | 'readStreamBackwards' | 'check'
> {
  /** Undefined if this node has no directory. */
  readonly files: Pick<Archive, 'write' | 'add'> | undefined;
  /**
   * Adds the segments that were listed since the last call. Readers that find events missing from the database call it,
   * because events are listed as archived before they are removed.
   * @throws LogUnreachable if the database is not responding, or a file is missing
   */
  refresh(): Promise<void>;
  /** Reads the first events after `after` up to `upTo`, in one batch. It is empty if they are not archived. */
  firstBatch(after: Position, upTo: Position): Promise<readonly RecordedEvent[]>;
}

/** A node cannot read the archive. Nothing is lost: its settings or mounts are wrong. */
class ArchiveMissing extends LogDamaged {
  constructor(position: Position, finding: string, options?: ErrorOptions) {
    super(position, finding, options);
    this.message =
      `the events from position ${position} on cannot be read: ${finding}. GRANTLOG_ARCHIVE must name the directory ` +
      'that the log was archived to, and all nodes must share it';
  }
}

export interface SharedArchiveDeps {
  readonly query: ReadQueries['query'];
  /** Undefined if no archive is configured. */
  readonly directory: string | undefined;
  /** Part of the names of files that this process writes; no other process uses it. */
  readonly tag: string;
}

interface SegmentRow {
  readonly first: Position;
  readonly last: Position;
  readonly tag: string;
  readonly seal: string;
}

/**
 * Opens the archive: reads the list of segments, and checks that their files exist. `problem` describes a missing file.
 */
export async function openSharedArchive({ query, directory, tag }: SharedArchiveDeps): Promise<SharedArchive> {
  async function readSealsAfter(end: Position): Promise<readonly Seal[]> {
    const text = 'select first, last, tag, seal from grantlog.archive_segments where first > $1 order by first';
    const rows = await query<SegmentRow>({ name: 'archive-segments', text, values: [end] });
    return rows.map(({ seal, ...name }) => parseSeal(seal, name));
  }

  async function assertReadable(seal: Seal): Promise<void> {
    if (directory === undefined)
      throw new ArchiveMissing(seal.first, 'they are archived, but this node has no archive');
    await assertFiles(directory, seal).catch((error: unknown) => {
      throw new ArchiveMissing(seal.first, `a file in ${directory} is missing or has a different size`, {
        cause: error,
      });
    });
  }

  const seals: Seal[] = [];
  let problem: LogDamaged | undefined;
  for (const seal of await readSealsAfter(NO_ARCHIVE.end())) {
    problem = await assertReadable(seal).then(
      () => undefined,
      (error: unknown) => error as LogDamaged,
    );
    if (problem !== undefined) break;
    seals.push(seal);
  }
  const archive = createArchive(directory ?? '', { seals, problem, tag });

  function add(seal: Seal): void {
    if (seal.first === archive.end() + 1) archive.add(seal); // unless another call has added it already
  }

  async function refresh(): Promise<void> {
    for (const seal of await readSealsAfter(archive.end())) {
      await assertReadable(seal).catch((error: unknown) => {
        throw new LogUnreachable((error as Error).message, { cause: error });
      });
      add(seal);
    }
  }

  return {
    ...archive,
    files: directory === undefined ? undefined : { write: archive.write, add },
    refresh,
    async firstBatch(after, upTo) {
      if (after >= archive.end()) await refresh();
      const end = Math.min(archive.end(), upTo) as Position;
      if (after >= end) return [];
      for await (const events of archive.read((after + 1) as Position, end)) return events;
      return [];
    },
    async *check(signal, pace) {
      yield* archive.check(signal, pace);
      if (problem !== undefined) yield problem;
    },
  };
}
