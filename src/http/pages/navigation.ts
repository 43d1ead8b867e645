import type { Role } from '../../domain/events.ts';

export interface NavigationItem {
  readonly href: string;
  readonly label: string;
  /** An id in `static/icons.svg`. */
  readonly icon: string;
  /** The value of `aria-current`, or null. */
  readonly current: 'page' | 'true' | null;
}

interface Destination {
  readonly href: string;
  readonly label: string;
  readonly icon: string;
  /** The roles that see this entry. By default every logged-in user. */
  readonly roles?: readonly Role[];
}

/** In the order of the header. */
const DESTINATIONS: readonly Destination[] = [
  { href: '/', label: 'Home', icon: 'house' },
  { href: '/o/applications/', label: 'My applications', icon: 'app-window' },
  { href: '/o/authorized_tokens/', label: 'Authorized applications', icon: 'shield-check' },
  { href: '/accounts/', label: 'My account', icon: 'circle-user' },
  { href: '/audit/', label: 'Audit', icon: 'scroll-text', roles: ['auditor', 'administrator'] },
  { href: '/admin/', label: 'Administration', icon: 'sliders-horizontal', roles: ['administrator'] },
];

/** The entries for a user with these roles, with the current one marked. */
export function navigation(roles: readonly Role[], path: string): readonly NavigationItem[] {
  return DESTINATIONS.filter(
    (destination) => destination.roles === undefined || destination.roles.some((role) => roles.includes(role)),
  ).map(({ href, label, icon }) => ({ href, label, icon, current: ariaCurrent(href, path) }));
}

function ariaCurrent(href: string, path: string): NavigationItem['current'] {
  if (path === href || `${path}/` === href) return 'page';
  return href !== '/' && path.startsWith(href) ? 'true' : null;
}
