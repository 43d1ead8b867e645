import { message, type Message } from '../../../language/message.ts';
import type { Explanation } from '../../../oauth/refusals/explanations.ts';
import type { RefusalRule } from '../../../oauth/refusals/refusal.ts';

/** A link from the explanation of a refusal to a page that may help. */
export interface RefusalStep {
  readonly href: string;
  readonly text: Message;
}

type Repair = 'redirect-uris' | 'grant-types' | 'scopes' | 'secret' | 'people';

/** The part of an application to correct, keyed by refusal rule. */
const REPAIRS: Partial<Readonly<Record<RefusalRule, Repair>>> = {
  'redirect-uri-missing': 'redirect-uris',
  'redirect-uri-not-registered': 'redirect-uris',
  'redirect-uri-not-allowed': 'redirect-uris',
  'redirect-uri-differs': 'redirect-uris',
  'post-logout-uri-not-registered': 'redirect-uris',
  'client-not-registered-for': 'grant-types',
  'scope-restricted': 'scopes',
  'client-secret-wrong': 'secret',
  'client-secret-ended': 'secret',
  'client-in-test-mode': 'people',
};

const REPAIR_PAGES: Readonly<Record<Repair, { readonly path: string; readonly text: Message }>> = {
  'redirect-uris': { path: 'update/', text: message('refusals.repair.redirect-uris') },
  'grant-types': { path: 'update/', text: message('refusals.repair.grant-types') },
  scopes: { path: 'scopes/', text: message('refusals.repair.scopes') },
  secret: { path: 'rotate_secret/', text: message('refusals.repair.secret') },
  people: { path: 'people/', text: message('refusals.repair.people') },
};

/**
 * Returns a link to the page where the reader can correct the part of the application that the rule checked, or
 * undefined if the pages of the application offer no correction.
 * @param applicationHref the path of the application's page for owners or for administrators
 */
export function repairStep(
  rule: RefusalRule,
  applicationHref: string,
  isAdministration: boolean,
): RefusalStep | undefined {
  const repair = REPAIRS[rule];
  // Only administrators can allow restricted scopes.
  if (repair === undefined || (repair === 'scopes' && !isAdministration)) return undefined;
  const { path, text } = REPAIR_PAGES[repair];
  return { href: `${applicationHref}${path}`, text };
}

/** The link labels for pages where administrators can follow the advice of an explanation. */
const ADMINISTRATION_LINK_LABELS = {
  application: message('refusals.administer.application'),
  domains: message('refusals.administer.domains'),
  'exchange-policies': message('refusals.administer.exchange-policies'),
  provider: message('refusals.administer.provider'),
  'provider-test': message('refusals.administer.provider-test'),
  resources: message('refusals.administer.resources'),
  'trusted-issuers': message('refusals.administer.trusted-issuers'),
} as const;

/** The page where administrators can follow the advice of an explanation, keyed by refusal rule. */
const ADMINISTRATION_PAGES: Partial<Readonly<Record<RefusalRule, keyof typeof ADMINISTRATION_LINK_LABELS>>> = {
  'client-disabled': 'application',
  'token-client-disabled': 'application',
  'client-document-not-accepted': 'domains',
  'exchange-policy-missing': 'exchange-policies',
  'exchange-mode-not-allowed': 'exchange-policies',
  'exchange-actor-of-another-client': 'exchange-policies',
  'exchange-scope-beyond': 'exchange-policies',
  'exchange-resource-beyond': 'exchange-policies',
  'upstream-unavailable': 'provider-test',
  'upstream-code-refused': 'provider',
  'upstream-token-invalid': 'provider',
  'upstream-user-unknown': 'provider',
  'details-type-unknown': 'resources',
  'resource-unknown': 'resources',
  'issuer-untrusted': 'trusted-issuers',
  'issuer-use': 'trusted-issuers',
  'issuer-client': 'trusted-issuers',
  'issuer-audience': 'trusted-issuers',
  'issuer-time': 'trusted-issuers',
  'issuer-claim': 'trusted-issuers',
};

/** The applications and providers that have an administration page. */
interface AdministrationStepDeps {
  readonly clients: { find(id: string): unknown };
  readonly upstreamProviders: { find(id: string): unknown };
}

/**
 * Returns a link to the page where administrators can follow the advice of the explanation, or undefined if no such
 * page exists, for example because the application or the provider was removed.
 */
export function administrationStep(
  { rule, clientId, details }: Pick<Explanation, 'rule' | 'clientId' | 'details'>,
  { clients, upstreamProviders }: AdministrationStepDeps,
): RefusalStep | undefined {
  const page = ADMINISTRATION_PAGES[rule];
  if (page === undefined) return undefined;
  const text = ADMINISTRATION_LINK_LABELS[page];
  switch (page) {
    case 'application':
      if (clientId === null || clients.find(clientId) === undefined) return undefined;
      return { href: `/admin/applications/${encodeURIComponent(clientId)}/`, text };
    case 'provider':
    case 'provider-test': {
      const { provider } = details;
      if (typeof provider !== 'string' || upstreamProviders.find(provider) === undefined) return undefined;
      return { href: `/admin/providers/${encodeURIComponent(provider)}/`, text };
    }
    case 'resources':
      return { href: '/o/resources/', text };
    case 'domains':
    case 'exchange-policies':
    case 'trusted-issuers':
      return { href: `/admin/${page}/`, text };
  }
}

/**
 * Returns a link, for auditors, to the events around the time of the refusal. If the application is known, the page
 * lists only the events of that application.
 */
export function eventsStep({ at, clientId }: { readonly at: number; readonly clientId: string | null }): RefusalStep {
  const query = {
    ...(clientId === null ? {} : { client: clientId }),
    since: toFieldTime(at - 1),
    until: toFieldTime(at + 2),
  };
  return { href: `/audit/?${new URLSearchParams(query).toString()}`, text: message('refusals.events') };
}

/** Formats a time in UTC as the value of a date and time field. */
const toFieldTime = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);
