import type { Role } from '../../domain/events.ts';
import type { MessageKey } from '../../language/catalog.ts';

export interface NavigationItem {
  readonly href: string;
  readonly label: MessageKey;
  /** An id in `static/icons.svg`. */
  readonly icon: string;
  /** The value of `aria-current`, or null. */
  readonly current: 'page' | 'true' | null;
}

interface Destination {
  readonly href: string;
  readonly label: MessageKey;
  readonly icon: string;
  /** The roles that see this entry; by default, every logged-in user sees it. */
  readonly roles?: readonly Role[];
}

/** The entries, in the order in which the header shows them. */
const DESTINATIONS: readonly Destination[] = [
  { href: '/', label: 'navigation.home', icon: 'house' },
  { href: '/o/applications/', label: 'navigation.applications', icon: 'app-window' },
  { href: '/o/authorized_tokens/', label: 'navigation.authorized', icon: 'shield-check' },
  { href: '/accounts/', label: 'navigation.account', icon: 'circle-user' },
  { href: '/audit/', label: 'navigation.audit', icon: 'scroll-text', roles: ['auditor', 'administrator'] },
  { href: '/admin/', label: 'navigation.administration', icon: 'sliders-horizontal', roles: ['administrator'] },
];

/** Returns the entries for a user with these roles, with the current entry marked. */
export function navigationFor(roles: readonly Role[], path: string): readonly NavigationItem[] {
  return DESTINATIONS.filter(
    (destination) => destination.roles === undefined || destination.roles.some((role) => roles.includes(role)),
  ).map(({ href, label, icon }) => ({ href, label, icon, current: ariaCurrent(href, path) }));
}

function ariaCurrent(href: string, path: string): NavigationItem['current'] {
  if (path === href || `${path}/` === href) return 'page';
  return href !== '/' && path.startsWith(href) ? 'true' : null;
}
