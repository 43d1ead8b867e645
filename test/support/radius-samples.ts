import type { AuditPages } from '../../src/http/pages/audit/locals.ts';
import type { BlastRadiusLocals, RadiusRow } from '../../src/http/pages/audit/radius-locals.ts';
import type { PageContext } from '../../src/http/pages/page-context.ts';

/**
 * Renders the blast radius page in each of its states. Calls `text` for every string that the page must escape.
 */
export function radiusSamples(
  pages: Pick<AuditPages, 'auditBlastRadius'>,
  context: PageContext,
  text: (name: string) => string,
): Readonly<Record<string, string>> {
  const at = { iso: '2026-10-22T12:00:00.000Z', text: '2026-10-22 12:00:00 UTC' };
  const input = {
    kind: 'client' as const,
    source: text('entered source'),
    time: text('time'),
    position: text('position'),
  };
  const row: RadiusRow = {
    grantId: text('id'),
    kind: 'authorization',
    position: 5,
    client: { id: text('id of the client'), name: text('name') },
    user: text('user'),
    scope: [text('scope')],
    resources: [text('resource')],
    tokens: 2,
    expires: at,
    via: { kind: 'source' },
    hasEnded: null,
  };
  const otherRow: RadiusRow = {
    ...row,
    kind: 'exchange',
    client: { id: text('removed client'), name: null },
    user: null,
    scope: [],
    resources: [],
    expires: null,
    via: { kind: 'actor', grantId: row.grantId as never },
  };
  const result: NonNullable<BlastRadiusLocals['result']> = {
    source: { kind: 'client', name: text('source'), href: '/audit/' },
    asOf: null,
    counts: { grants: 60, exchanges: 1, tokens: 70, users: 1, clients: 2 },
    rows: [row, otherRow],
    paging: { query: '', number: 1, previous: null, next: '/audit/blast-radius/?page=2' },
    endHref: '/audit/blast-radius/end/',
  };
  const page = (changes: Partial<BlastRadiusLocals>): string =>
    pages.auditBlastRadius({
      ...context,
      query: { entered: input, errors: {} },
      result,
      secret: null,
      ...changes,
    });
  const errors = Object.fromEntries(
    ['source_kind', 'source', 'time', 'position'].map((name) => [name, text(`error for ${name}`)]),
  );
  return {
    'audit: blast radius, no result': page({ result: null }),
    'audit: blast radius, invalid input': page({
      query: { entered: input, errors },
      result: null,
    }),
    'audit: blast radius': page({}),
    'audit: blast radius at an earlier position': page({
      result: {
        ...result,
        source: { kind: 'key', name: text('source'), href: null },
        asOf: { position: 9, at },
        rows: [
          { ...row, hasEnded: true },
          { ...otherRow, hasEnded: false },
        ],
        endHref: null,
      },
      secret: { clientId: text('client'), value: text('secret') },
    }),
    'audit: empty blast radius': page({
      result: { ...result, counts: { grants: 0, exchanges: 0, tokens: 0, users: 0, clients: 0 }, rows: [] },
      secret: { clientId: text('client'), value: null },
    }),
  };
}
