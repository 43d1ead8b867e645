import { signingKeyStatus, type SigningKeyStatus } from '../../../domain/signing-keys.ts';
import { SIGNING_ALGORITHMS, type EpochSeconds } from '../../../domain/values.ts';
import type { Position } from '../../../event-store/event-log.ts';
import { message } from '../../../language/message.ts';
import type { SigningKey, SigningKeys } from '../../../projections/signing-keys.ts';
import {
  actionColumn,
  EMPTY_CELL,
  numberColumn,
  textColumn,
  timeColumn,
  type Cell,
  type PageList,
} from '../lists/page-list.ts';
import { shortKeyId } from './key-texts.ts';

const STATUS_CELLS: Readonly<Record<Exclude<SigningKeyStatus, 'next'>, Cell>> = {
  signs: { text: message('keys-page.signs'), tone: 'good' },
  past: { text: message('keys-page.past'), tone: 'neutral' },
  retired: { text: message('keys-page.retired'), tone: 'neutral' },
};

/** Returns the status cell of a next key. The cell shows when the key starts signing. */
function nextKeyCell({ from }: SigningKey, timeZone: string | undefined): Cell {
  return { text: message('keys-page.next-from', { from: { at: from, timeZone } }) };
}

const eventPath = (position: Position): string => `/audit/events/${position}/`;

/** Returns the position of the newest event about the key itself, as opposed to its tokens. */
function newestEventPosition({ introducedPosition, retiredPosition }: SigningKey): Position {
  return retiredPosition ?? introducedPosition;
}

/**
 * Returns the time until which tokens that the key signed can be valid, or null if they have all expired or the key is
 * retired.
 */
function validUntil({ lastExpiry, retired }: SigningKey, now: EpochSeconds): number | null {
  const latestExpiry = Math.max(0, ...lastExpiry.values());
  return retired === null && latestExpiry > now ? latestExpiry : null;
}

/**
 * Defines the list of signing keys, including retired ones.
 * @param timeZone the reader's time zone; undefined for UTC
 */
export function signingKeyList(
  keys: Pick<SigningKeys, 'published'>,
  now: () => EpochSeconds,
  timeZone: string | undefined,
): PageList<SigningKey> {
  const statusOf = (key: SigningKey): SigningKeyStatus => signingKeyStatus(key, keys.published(), now());
  const statuses = ['signs', 'next', 'past', 'retired'] as const satisfies readonly SigningKeyStatus[];
  return {
    name: message('keys-page.title'),
    countMessage: 'keys-page.count',
    fileName: 'signing-keys',
    searchLabel: message('keys-page.search'),
    id: ({ introducedPosition }) => introducedPosition,
    texts: ({ kid, algorithm }) => [kid, algorithm],
    filters: [
      {
        name: 'status',
        title: message('column.status'),
        choices: statuses.map((status) => ({
          value: status,
          title: message(`keys-page.${status}`),
          matches: (key) => statusOf(key) === status,
        })),
      },
      {
        name: 'type',
        title: message('keys-page.algorithm'),
        choices: SIGNING_ALGORITHMS.map((algorithm) => ({
          value: algorithm,
          title: algorithm,
          matches: (key) => key.algorithm === algorithm,
        })),
      },
    ],
    columns: [
      textColumn(
        'id',
        message('keys-page.id'),
        ({ kid }) => kid,
        ({ kid, introducedPosition }) => ({
          text: shortKeyId({ kid }),
          whole: kid,
          href: eventPath(introducedPosition),
        }),
      ),
      textColumn('algorithm', message('keys-page.algorithm'), ({ algorithm }) => algorithm),
      textColumn('status', message('column.status'), statusOf, (key) => {
        const status = statusOf(key);
        return status === 'next' ? nextKeyCell(key, timeZone) : STATUS_CELLS[status];
      }),
      timeColumn('introduced', message('keys-page.introduced'), ({ introducedAt }) => introducedAt),
      { ...timeColumn<SigningKey>('from', message('keys-page.from'), ({ from }) => from), cell: 'file' },
      { ...timeColumn<SigningKey>('until', message('keys-page.until'), ({ until }) => until), cell: 'file' },
      timeColumn('tokens_valid_until', message('keys-page.valid-until'), (key) => validUntil(key, now()), NONE),
      {
        ...timeColumn<SigningKey>('retired', message('keys-page.retired-at'), ({ retiredAt }) => retiredAt),
        cell: 'file',
      },
      numberColumn('event', message('keys-page.event'), newestEventPosition, (key) => ({
        text: message('list.number', { number: newestEventPosition(key) }),
        href: eventPath(newestEventPosition(key)),
      })),
      actionColumn(message('column.actions'), retireCell),
    ],
    sort: { by: 'introduced', direction: 'descending' },
    empty: { icon: 'key-round', text: message('keys-page.none'), action: null },
  };
}

function retireCell({ kid, retired }: SigningKey): Cell {
  if (retired !== null) return EMPTY_CELL;
  return { text: message('retire-key.link'), href: `/admin/keys/${kid}/retire/`, isAction: true };
}

const NONE = message('list.none');
