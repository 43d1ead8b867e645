import { message } from '../../../language/message.ts';
import { DOMAIN_RULES } from '../../../domain/values.ts';
import { normalizeDomain, type DomainList } from '../../../oauth/clients/domain-list.ts';
import type { ClientDomains } from '../../../projections/client-domains.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { AdminDomainsLocals } from './domain-locals.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { domainList } from './server-lists.ts';

export interface AdminDomainDeps {
  readonly domainList: DomainList;
  readonly clientDomains: Pick<ClientDomains, 'all'>;
  readonly pages: Pick<AdminPages, 'adminDomains'>;
  readonly settings: { readonly clientDocuments: AdminDomainsLocals['setting'] };
}

const NOT_A_DOMAIN: FieldErrors = { domain: message('domains.not-a-domain') };

const RULE_NOTICES = { allowed: 'domains.allowed', blocked: 'domains.blocked' } as const;

/** Adds the page where administrators allow or block the metadata documents of a domain. */
export function addDomainPages(
  router: PageRouter,
  { domainList: domains, clientDomains, pages, settings }: AdminDomainDeps,
): void {
  function show(ctx: RequestContext, values: AdminDomainsLocals['values'], errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const setting = settings.clientDocuments;
    sendAdminList(ctx, domainList(ctx.state.webSession.csrfToken()), clientDomains.all(), (list) =>
      pages.adminDomains({ ...pageContextFor(ctx, actingUser(ctx)), setting, list, values, errors }),
    );
  }

  router.get('/domains', (ctx) => show(ctx, { domain: '', rule: 'allowed' }, {}));

  router.post('/domains', async (ctx) => {
    const form = formOf(ctx);
    const values = { domain: form.trimmed('domain'), rule: form.text('rule') };
    const rule = DOMAIN_RULES.find((candidate) => candidate === values.rule) ?? null;
    const domain = normalizeDomain(values.domain, rule);
    if (domain === undefined) return show(ctx, values, NOT_A_DOMAIN);
    await domains.setRule(domain, rule, userCommandContext(ctx, actingUser(ctx)));
    ctx.state.webSession.flash(message(rule === null ? 'domains.removed' : RULE_NOTICES[rule], { domain }));
    ctx.redirect('/admin/domains/');
  });
}
