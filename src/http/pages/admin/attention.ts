import type { RefusedRequest } from '../../../oauth/refusals/explanations.ts';
import type { ServiceState } from '../../../platform/metrics/state-gauges.ts';
import type { Client } from '../../../projections/clients.ts';

/** Something that an administrator should look at. */
export interface AttentionItem {
  readonly tone: 'danger' | 'warning';
  readonly text: string;
  /** The page that shows more about it, or helps. */
  readonly href: string;
  readonly link: string;
}

export interface AttentionFacts {
  /** Seconds since the epoch. */
  readonly now: number;
  /** Why the server is not ready, or null. */
  readonly obstacle: string | null;
  readonly state: Pick<
    ServiceState,
    | 'accountsWithoutKey'
    | 'checkpoints'
    | 'clientsWithoutKey'
    | 'clockBehindSeconds'
    | 'isDiskLow'
    | 'isLogWritable'
    | 'logHead'
    | 'logoutDeliveries'
    | 'projectedEvents'
    | 'sharedLog'
    | 'signingKeySecondsLeft'
    | 'storedLogCheck'
    | 'writeFailures'
  >;
  /** Active administrators who could not take a second step. */
  readonly administratorsWithoutFactor: number;
  /** Active users of whom the settings require two-step login, and who have not set it up. */
  readonly usersWithoutRequiredFactor: number;
  readonly disabledUsers: number;
  /** Old secrets that end soon, and are still in use. */
  readonly lapsing: readonly Pick<Client, 'clientId' | 'name'>[];
  readonly refusals: readonly Pick<RefusedRequest, 'clientId' | 'isProven' | 'at'>[];
  /** The name of an application. */
  readonly nameOf: (clientId: string) => string;
}

const DAY_SECONDS = 86_400;
/** Fewer refusals in a day happen to every application whose users let their logins expire. */
const MANY_REFUSALS = 20;
/** Enough to find out what is wrong with the server that should have introduced the next key. */
const KEY_LEFT_SECONDS = 3 * DAY_SECONDS;
/** Others are behind the links. */
const MOST_APPLICATIONS = 5;
/** Far more than events that are being applied at this moment. */
const MANY_EVENTS = 1_000;
const STALE_SECONDS = 5;
/** Above the precision of the times of nodes and of the clock itself. */
const CLOCK_SECONDS = 5;

const HEALTH = { href: '/admin/health/', link: 'Health' };

/** Problems that need attention, the most urgent first. */
export function attentionItems(facts: AttentionFacts): readonly AttentionItem[] {
  return [...serverProblems(facts), ...accountProblems(facts), ...applicationProblems(facts)].toSorted(
    (one, other) => Number(other.tone === 'danger') - Number(one.tone === 'danger'),
  );
}

function serverProblems({ obstacle, state }: AttentionFacts): readonly AttentionItem[] {
  const behind = Math.round(state.clockBehindSeconds());
  const { damages } = state.storedLogCheck();
  const failures = Object.entries(state.writeFailures()).flatMap(([kind, count]) =>
    count > 0 ? [`${kind} (${count})`] : [],
  );
  const late = Object.entries(state.signingKeySecondsLeft()).filter(([, left]) => left > 0 && left < KEY_LEFT_SECONDS);
  const node = state.sharedLog;
  const failed = state.logoutDeliveries()['failed'] ?? 0;
  return [
    ...danger(obstacle !== null, `The server is not ready: ${obstacle ?? ''}`),
    ...danger(!state.isLogWritable(), 'The log cannot be written since a write failed. Restart the server.'),
    ...danger(state.isDiskLow(), 'The disk is almost full, so nothing is recorded any more. Free some space.'),
    ...danger(damages > 0, `The stored log is damaged in ${counted(damages, 'place')}. Run grantlog log verify.`),
    ...danger(behind > CLOCK_SECONDS, `The clock is ${behind} s behind the newest event. Synchronize it with NTP.`),
    ...danger(
      state.accountsWithoutKey() > 0,
      `The keys of ${counted(state.accountsWithoutKey(), 'account')} are missing. Run grantlog doctor.`,
    ),
    ...danger(
      state.clientsWithoutKey() > 0,
      `The keys of ${counted(state.clientsWithoutKey(), 'application')} are missing. Run grantlog doctor.`,
    ),
    ...warning(
      late.length > 0,
      `No new signing key was introduced in time for ${late.map(([algorithm]) => algorithm).join(', ')}.`,
    ),
    ...warning(state.checkpoints().count === 0 && state.logHead() > 0, 'No checkpoint of the log has been signed yet.'),
    ...warning(
      state.logHead() - state.projectedEvents() > MANY_EVENTS,
      'This node is behind the log: answers can be out of date.',
    ),
    ...warning(
      node !== undefined && node.stalenessSeconds() > STALE_SECONDS,
      'This node has not reached the shared log for some seconds.',
    ),
    ...warning(failures.length > 0, `Files could not be written since the start: ${failures.join(', ')}.`),
    ...warning(failed > 0, `${counted(failed, 'logout token')} could not be delivered to applications.`),
  ];
}

function danger(is: boolean, text: string): readonly AttentionItem[] {
  return is ? [{ tone: 'danger', text, ...HEALTH }] : [];
}

function warning(is: boolean, text: string): readonly AttentionItem[] {
  return is ? [{ tone: 'warning', text, ...HEALTH }] : [];
}

function aboutUsers(is: boolean, text: string, query: string, link: string): readonly AttentionItem[] {
  return is ? [{ tone: 'warning', text, href: `/admin/users/?${query}`, link }] : [];
}

function accountProblems(facts: AttentionFacts): readonly AttentionItem[] {
  const { administratorsWithoutFactor: administrators, usersWithoutRequiredFactor: users } = facts;
  return [
    ...aboutUsers(
      administrators > 0,
      `${counted(administrators, 'administrator')} cannot take a second step at login.`,
      'status=active&role=administrator&two_step=off',
      'Administrators without two-step login',
    ),
    ...aboutUsers(
      users > 0,
      `${counted(users, 'user')} must set up two-step login at the next login.`,
      'status=active&two_step=off',
      'Users without two-step login',
    ),
    ...aboutUsers(
      facts.disabledUsers > 0,
      `${counted(facts.disabledUsers, 'account')} ${facts.disabledUsers === 1 ? 'is' : 'are'} disabled.`,
      'status=disabled',
      'Disabled users',
    ),
  ];
}

function applicationProblems({ now, lapsing, refusals, nameOf }: AttentionFacts): readonly AttentionItem[] {
  const counts = new Map<string, number>();
  for (const { clientId, isProven, at } of refusals)
    if (clientId !== null && isProven && at > now - DAY_SECONDS) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  const often = [...counts]
    .filter(([, count]) => count >= MANY_REFUSALS)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_APPLICATIONS);
  return [
    ...lapsing.slice(0, MOST_APPLICATIONS).map(({ clientId, name }): AttentionItem => ({
      tone: 'warning',
      text: `${name} still uses its old secret, which ends within a day.`,
      href: `/admin/applications/${encodeURIComponent(clientId)}/`,
      link: 'The application',
    })),
    ...often.map(([clientId, count]): AttentionItem => ({
      tone: 'warning',
      text: `At least ${count} requests of ${nameOf(clientId)} were refused in the last 24 hours.`,
      href: `/admin/refusals/?${new URLSearchParams({ q: clientId }).toString()}`,
      link: 'Its refusals',
    })),
  ];
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
