import { message } from '../../src/language/message.ts';
import type { AuditPages } from '../../src/http/pages/audit/locals.ts';
import type { PageContext } from '../../src/http/pages/page-context.ts';
import { radiusSamples } from './radius-samples.ts';

/** Renders every audit page in each of its states, with `text` in place of every string of its locals. */
export function auditSamples(
  pages: AuditPages,
  member: PageContext,
  text: (field: string) => string,
): Record<string, string> {
  const at = { iso: '2026-01-01T00:00:00.000Z', text: '2026-01-01 00:00:00 UTC' };
  const row = {
    position: 7,
    at,
    type: text('type'),
    sentence: message('sentence.client-removed', {
      actor: { names: [text('actor')] },
      actorIs: 'named',
      client: { names: [text('name')] },
      clientIs: 'named',
    }),
    actor: text('actor'),
    isFromSameRequest: false,
  };
  const filter = {
    types: [text('type'), text('another type')],
    user: text('user'),
    client: text('client'),
    since: text('since'),
    until: text('until'),
  };
  const names = { users: [text('user')], applications: [text('application')] };
  const filters = { entered: filter, errors: {}, types: [{ value: text('value'), title: text('title') }], names };
  const invalidFilters = {
    ...filters,
    errors: { type: text('e1'), user: text('e2'), client: text('e3'), since: text('e4'), until: text('e5') },
  };
  const exports = { jsonLines: '/audit/log/export/?format=jsonl', csv: '/audit/log/export/?format=csv' };
  const page = {
    rows: [row, { ...row, position: 6 }],
    older: '/audit/?from=5',
    newer: '/audit/?after=7',
    newest: '/audit/',
    stopped: null,
  };
  const proof = {
    leafIndex: 6,
    leafHash: text('leaf'),
    hashes: [text('hash'), text('hash')],
    checkpoint: text('checkpoint'),
    verifierKey: text('key'),
  };
  const fact = {
    title: text('fact'),
    cells: [
      { text: text('cell'), code: true },
      { text: text('cell'), href: '/audit/?user=x' },
      { text: text('cell'), none: true },
    ],
  };
  const event = {
    row,
    envelope: [fact],
    data: [fact],
    record: text('record'),
    isRedacted: false,
    stream: { rows: [row], count: 1 },
    proof,
    isNewest: true,
  };
  const expiredNode = {
    grantId: text('grant'),
    isCurrent: true,
    position: 7,
    at,
    sentence: row.sentence,
    scope: [text('scope')],
    resources: [],
    expires: at,
    state: 'expired' as const,
    end: null,
    pause: null,
    exchanges: [],
    omitted: 0,
  };
  const endedNode = { ...expiredNode, isCurrent: false, resources: [text('resource')], state: 'ended' as const };
  const grantNode = {
    ...endedNode,
    state: 'live' as const,
    expires: null,
    omitted: 1,
    exchanges: [
      {
        ...endedNode,
        end: { sentence: row.sentence, event: { position: 9, at } },
        exchanges: [expiredNode],
        omitted: 300,
      },
      { ...endedNode, end: { sentence: row.sentence, event: null } },
      { ...endedNode, state: 'paused' as const, pause: { sentence: row.sentence, event: { position: 9, at } } },
    ],
  };
  const query = {
    entered: {
      time: text('time'),
      position: text('position'),
      user: text('user'),
      client: text('client'),
      scope: text('scope'),
    },
    errors: {},
    isNow: false,
  };
  const entry = {
    position: 3,
    user: text('user'),
    user_id: text('user-id'),
    group: text('group'),
    client: text('client'),
    application: text('name'),
    scope: text('scope'),
    resource: text('resource'),
    expires_at: 1,
    login: 'passkey' as const,
    authenticated_at: 1,
    expires: at,
    shownUser: text('user'),
    extent: text('scope'),
    links: { user: '/audit/?user=x', application: '/audit/?client=x', group: '/admin/groups/1/' },
  };
  const minimalEntry = {
    ...entry,
    user: null,
    user_id: null,
    group: null,
    application: null,
    scope: '',
    resource: null,
    expires_at: null,
    login: null,
    authenticated_at: null,
    expires: null,
    shownUser: null,
    extent: '',
    links: { user: null, application: null, group: null },
  };
  const kinds = (['account', 'membership', 'application', 'token'] as const).map((kind) => ({
    kind,
    rows: [
      { ...entry, kind },
      { ...minimalEntry, kind },
    ],
    count: 300,
  }));
  const first = [
    { ...entry, kind: 'grant' as const },
    { ...entry, kind: 'grant' as const, position: 4 },
  ];
  const authorizations = {
    rows: [
      { ...entry, grants: 12, first },
      { ...minimalEntry, grants: 1, first: first.slice(0, 1) },
    ],
    count: 300,
  };
  return {
    'audit: events': pages.auditTimeline({ ...member, filters, page, isFiltered: true, exports }),
    'audit: a search that continues': pages.auditTimeline({
      ...member,
      filters,
      page: { ...page, rows: [], stopped: { position: 5, at, direction: 'older' } },
      isFiltered: true,
      exports,
    }),
    'audit: a search that continues with newer events': pages.auditTimeline({
      ...member,
      filters,
      page: { ...page, stopped: { position: 9, at, direction: 'newer' } },
      isFiltered: true,
      exports,
    }),
    'audit: no events': pages.auditTimeline({
      ...member,
      filters,
      page: { ...page, rows: [], older: null, newer: null },
      isFiltered: false,
      exports,
    }),
    'audit: invalid filters': pages.auditTimeline({
      ...member,
      filters: invalidFilters,
      page: null,
      isFiltered: true,
      exports: null,
    }),
    'audit: event': pages.auditEvent({ ...member, event }),
    'audit: event in a long stream': pages.auditEvent({
      ...member,
      event: {
        ...event,
        isNewest: false,
        stream: { rows: [{ ...row, position: 6 }, row], count: 400 },
        proof: { ...proof, hashes: [] },
      },
    }),
    'audit: event without a hash': pages.auditEvent({ ...member, event: { ...event, isRedacted: true } }),
    'audit: exchanges around a grant': pages.auditGrant({
      ...member,
      grantId: text('grant'),
      query: { entered: { time: '', position: '' }, errors: {} },
      tree: { grantId: text('grant'), count: 300, shown: 2, searchedTo: 99, asOf: null, root: grantNode },
    }),
    'audit: grant without exchanges': pages.auditGrant({
      ...member,
      grantId: text('grant'),
      query: { entered: { time: text('time'), position: text('position') }, errors: {} },
      tree: {
        grantId: text('grant'),
        count: 0,
        shown: 0,
        searchedTo: null,
        asOf: { position: 9, at },
        root: expiredNode,
      },
    }),
    'audit: grant that had not begun': pages.auditGrant({
      ...member,
      grantId: text('grant'),
      query: {
        entered: { time: text('time'), position: text('position') },
        errors: { time: text('e1'), position: text('e2') },
      },
      tree: null,
    }),
    ...radiusSamples(pages, member, text),
    'audit: access, empty form': pages.auditAsOf({
      ...member,
      query: { ...query, errors: { time: text('e1'), position: text('e2') } },
      result: null,
      names,
      exports: null,
    }),
    'audit: access': pages.auditAsOf({
      ...member,
      query,
      result: { last: { position: 9, at }, access: kinds, authorizations },
      names,
      exports,
    }),
    'audit: no access': pages.auditAsOf({
      ...member,
      query: { ...query, isNow: true },
      result: {
        last: null,
        access: kinds.map((kind) => ({ ...kind, rows: [], count: 0 })),
        authorizations: { rows: [], count: 0 },
      },
      names,
      exports,
    }),
    'audit: log': pages.auditLog({
      ...member,
      filters,
      checkpoint: { note: text('note'), size: text('size'), rootHash: text('root') },
      checkpointCount: 3,
      verifierKey: text('key'),
      head: 9,
    }),
    'audit: log, invalid filters': pages.auditLog({
      ...member,
      filters: invalidFilters,
      checkpoint: { note: text('note'), size: text('size'), rootHash: text('root') },
      checkpointCount: 0,
      verifierKey: text('key'),
      head: 0,
    }),
  };
}
