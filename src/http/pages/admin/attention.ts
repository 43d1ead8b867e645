import { message, type Text } from '../../../language/message.ts';
import { formatList } from '../../../oauth/refusals/list-text.ts';
import type { RefusedRequest } from '../../../oauth/refusals/explanations.ts';
import type { ServiceState } from '../../../platform/metrics/state-gauges.ts';
import type { Client } from '../../../projections/clients.ts';
import type { UpstreamProvider } from '../../../projections/upstream-providers.ts';

/** A problem that an administrator should look at. */
export interface AttentionItem {
  readonly tone: 'danger' | 'warning';
  readonly text: Text;
  /** Advice about the problem, for the health page. */
  readonly advice?: Text | undefined;
  /** A page with more information or help. */
  readonly href: string;
  readonly link: Text;
}

export interface AttentionFacts {
  /** Seconds since the epoch. */
  readonly now: number;
  /** The reason the server is not ready; null if it is ready. */
  readonly obstacle: Text | null;
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
  /** The number of active administrators who have no second factor and are not required to have one. */
  readonly administratorsWithoutFactor: number;
  /** The number of active users who must set up two-step login and have not done so. */
  readonly usersWithoutRequiredFactor: number;
  /** The enabled providers whose last test failed or that a later login could not reach. */
  readonly failedProviders: readonly Pick<UpstreamProvider, 'providerId' | 'name'>[];
  /** The clients that still use an old secret that expires soon. */
  readonly clientsWithExpiringSecret: readonly Pick<Client, 'clientId' | 'name'>[];
  readonly refusals: readonly Pick<RefusedRequest, 'clientId' | 'isProven' | 'at'>[];
  /** Returns the application's name, or its client id if it has been removed. */
  readonly nameOf: (clientId: string) => string;
}

const DAY_SECONDS = 86_400;
/** More refusals than an application usually gets in a day, for example because of expired logins. */
const REFUSALS_WARNING_COUNT = 20;
/** Enough time to find out why the server has not introduced the next key. */
const KEY_WARNING_SECONDS = 3 * DAY_SECONDS;
/** More items than this would bury the other problems. */
const MAX_APPLICATIONS = 5;
/** Far more events than are normally pending. */
const PENDING_EVENTS_WARNING_COUNT = 1_000;
const STALENESS_WARNING_SECONDS = 5;
/** More than the usual difference between the clocks of nodes. */
const CLOCK_TOLERANCE_SECONDS = 5;

const HEALTH_LINK = { href: '/admin/health/', link: message('admin.health') };

/** Lists the problems that need attention, most urgent first. */
export function attentionItems(facts: AttentionFacts): readonly AttentionItem[] {
  return [...serverProblems(facts), ...providerProblems(facts), ...usageProblems(facts)].toSorted(
    (a, b) => Number(b.tone === 'danger') - Number(a.tone === 'danger'),
  );
}

/** Lists problems with accounts and applications. The dashboard shows them; the health page shows only their number. */
export function usageProblems(facts: AttentionFacts): readonly AttentionItem[] {
  return [...accountProblems(facts), ...applicationProblems(facts)];
}

/** Lists problems with the server itself. */
export function serverProblems({
  obstacle,
  state,
}: Pick<AttentionFacts, 'obstacle' | 'state'>): readonly AttentionItem[] {
  const secondsBehind = Math.round(state.clockBehindSeconds());
  const { damagedPlaces } = state.storedLogCheck();
  const failures = Object.entries(state.writeFailures()).flatMap(([kind, count]) =>
    count > 0 ? [message('attention.file', { kind, count })] : [],
  );
  const expiringKeys = Object.entries(state.signingKeySecondsLeft()).filter(
    ([, secondsLeft]) => secondsLeft !== null && secondsLeft < KEY_WARNING_SECONDS,
  );
  const { sharedLog } = state;
  const failedLogouts = state.logoutDeliveries()['failed'] ?? 0;
  return [
    ...dangerIf(obstacle !== null, message('attention.obstacle', { obstacle: obstacle ?? '' })),
    ...dangerIf(!state.isLogWritable(), message('attention.log')),
    ...dangerIf(state.isDiskLow(), message('attention.disk')),
    ...dangerIf(
      damagedPlaces > 0,
      message('attention.damage', { count: damagedPlaces }),
      message('health.advice.damage'),
    ),
    ...dangerIf(
      secondsBehind > CLOCK_TOLERANCE_SECONDS,
      message('attention.clock', { seconds: String(secondsBehind) }),
      message('health.advice.clock'),
    ),
    ...dangerIf(
      state.accountsWithoutKey() > 0,
      message('attention.account-keys', { count: state.accountsWithoutKey() }),
      message('health.advice.account-keys'),
    ),
    ...dangerIf(
      state.clientsWithoutKey() > 0,
      message('attention.client-keys', { count: state.clientsWithoutKey() }),
      message('health.advice.client-keys'),
    ),
    ...warningIf(
      expiringKeys.length > 0,
      message('attention.signing-key', { algorithms: expiringKeys.map(([algorithm]) => algorithm).join(', ') }),
      message('health.advice.signing-key'),
    ),
    ...warningIf(
      state.checkpoints().count === 0 && state.logHead() > 0,
      message('attention.checkpoint'),
      message('health.advice.checkpoint'),
    ),
    ...warningIf(
      state.logHead() - state.projectedEvents() > PENDING_EVENTS_WARNING_COUNT,
      message('attention.behind'),
      message('health.advice.behind'),
    ),
    ...warningIf(
      sharedLog !== undefined && sharedLog.stalenessSeconds() > STALENESS_WARNING_SECONDS,
      message('attention.unreached'),
      message('health.advice.unreached'),
    ),
    ...warningIf(
      failures.length > 0,
      message('attention.files', { files: formatList(failures) }),
      message('health.advice.files'),
    ),
    ...warningIf(
      failedLogouts > 0,
      message('attention.logouts', { count: failedLogouts }),
      message('health.advice.logouts'),
    ),
  ];
}

/** Lists problems with login providers that are offered to users but probably do not work. */
export function providerProblems({
  failedProviders,
}: Pick<AttentionFacts, 'failedProviders'>): readonly AttentionItem[] {
  return failedProviders.map(({ providerId, name }): AttentionItem => ({
    tone: 'warning',
    text: message('attention.provider', { provider: name }),
    advice: message('health.advice.provider'),
    href: `/admin/providers/${providerId}/`,
    link: message('attention.provider.link'),
  }));
}

function dangerIf(isPresent: boolean, text: Text, advice?: Text): readonly AttentionItem[] {
  return isPresent ? [{ tone: 'danger', text, advice, ...HEALTH_LINK }] : [];
}

function warningIf(isPresent: boolean, text: Text, advice: Text): readonly AttentionItem[] {
  return isPresent ? [{ tone: 'warning', text, advice, ...HEALTH_LINK }] : [];
}

function userWarningIf(isPresent: boolean, text: Text, query: string, link: Text): readonly AttentionItem[] {
  return isPresent ? [{ tone: 'warning', text, href: `/admin/users/?${query}`, link }] : [];
}

function accountProblems(facts: AttentionFacts): readonly AttentionItem[] {
  const { administratorsWithoutFactor: administrators, usersWithoutRequiredFactor: users } = facts;
  return [
    ...userWarningIf(
      administrators > 0,
      message('attention.administrators', { count: administrators }),
      'status=active&role=administrator&two_step=off',
      message('attention.administrators.link'),
    ),
    ...userWarningIf(
      users > 0,
      message('attention.users', { count: users }),
      'status=active&two_step=off',
      message('attention.users.link'),
    ),
  ];
}

function applicationProblems({
  now,
  clientsWithExpiringSecret,
  refusals,
  nameOf,
}: AttentionFacts): readonly AttentionItem[] {
  const counts = new Map<string, number>();
  for (const { clientId, isProven, at } of refusals)
    if (clientId !== null && isProven && at > now - DAY_SECONDS) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  const frequentlyRefused = [...counts]
    .filter(([, count]) => count >= REFUSALS_WARNING_COUNT)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_APPLICATIONS);
  return [
    ...clientsWithExpiringSecret.slice(0, MAX_APPLICATIONS).map(({ clientId, name }): AttentionItem => ({
      tone: 'warning',
      text: message('attention.old-secret', { application: name }),
      href: `/admin/applications/${encodeURIComponent(clientId)}/`,
      link: message('attention.old-secret.link'),
    })),
    ...frequentlyRefused.map(([clientId, count]): AttentionItem => ({
      tone: 'warning',
      text: message('attention.refused', { count: String(count), application: nameOf(clientId) }),
      href: `/admin/refusals/?${new URLSearchParams({ q: clientId }).toString()}`,
      link: message('attention.refused.link'),
    })),
  ];
}
