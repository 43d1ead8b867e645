import { message, type Message } from '../../../language/message.ts';
import { isSameValue } from '../../../domain/same-value.ts';
import { observedExchangePolicy } from '../../../domain/streams.ts';
import type { ExchangePolicyRegistry } from '../../../oauth/exchange/policy-registry.ts';
import { exchangePolicyWarning } from '../../../oauth/exchange/policy-rules.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { ExchangePolicies, ExchangePolicy } from '../../../projections/exchange-policies.ts';
import { missingItemError, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { BLANK_VALUES, toFormErrors, readValues, fieldsFrom, valuesOf } from './exchange-policy-fields.ts';
import type { ClientChoices, ExchangePolicyValues, PoliciesOfApplication } from './exchange-policy-locals.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { exchangePolicyList } from './server-lists.ts';

export interface AdminExchangePolicyDeps {
  readonly exchangePolicyRegistry: ExchangePolicyRegistry;
  readonly exchangePolicies: ExchangePolicies;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: Pick<AdminPages, 'adminExchangePolicies' | 'adminExchangePolicy' | 'adminConfirm'>;
}

const CRUMB = { href: '/admin/exchange-policies/', text: message('admin.exchange') };
const pathOf = ({ policyId }: ExchangePolicy): string => `${CRUMB.href}${policyId}/`;

/** Adds the pages for exchange policies, which let an application exchange another application's tokens (RFC 8693). */
export function addExchangePolicyPages(router: PageRouter, deps: AdminExchangePolicyDeps): void {
  const { exchangePolicyRegistry: registry, exchangePolicies, clients, resubmissionGuard, pages } = deps;

  const namedClient = (id: string) => ({ id, name: clients.find(id)?.name ?? id });
  const list = exchangePolicyList((id) => namedClient(id).name);
  const policyLocals = (policy: ExchangePolicy) => ({
    id: policy.policyId,
    client: namedClient(policy.clientId),
    subject: namedClient(policy.subjectClientId),
  });
  const titleOf = (policy: ExchangePolicy): Message => {
    const { client, subject } = policyLocals(policy);
    return message('policy.title', { client: client.name, subject: subject.name });
  };

  /**
   * Returns the client id of the application with this name. Returns the text unchanged if it is a client id, or if it
   * is not the name of exactly one application.
   */
  function toClientId(idOrName: string): string {
    if (idOrName === '' || clients.find(idOrName) !== undefined) return idOrName;
    const [client, ...otherClients] = clients.all().filter(({ name }) => name === idOrName);
    return client === undefined || otherClients.length > 0 ? idOrName : client.clientId;
  }

  function requirePolicy(ctx: RequestContext): ExchangePolicy {
    const policy = exchangePolicies.findById(pathParameter(ctx, 'id'));
    if (policy === undefined) throw missingItemError('policy');
    return policy;
  }

  function showForm(
    ctx: RequestContext,
    policy: ExchangePolicy | null,
    values: ExchangePolicyValues,
    errors: FieldErrors = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const formId = resubmissionGuard.mintId(policy === null ? undefined : versionOf(policy));
    const policyNames = policy && policyLocals(policy);
    const context = pageContextFor(ctx, actingUser(ctx));
    const warning = exchangePolicyWarning(policy === null ? undefined : clients.find(policy.clientId)) ?? null;
    const choices = policy === null ? clientChoices(clients) : null;
    sendPage(
      ctx,
      pages.adminExchangePolicy({ ...context, policy: policyNames, formId, clients: choices, warning, values, errors }),
    );
  }

  router.get('/exchange-policies', (ctx) => {
    sendAdminList(ctx, list, exchangePolicies.all(), (locals) =>
      pages.adminExchangePolicies({ ...pageContextFor(ctx, actingUser(ctx)), list: locals }),
    );
  });

  router.get('/exchange-policies/add', (ctx) => showForm(ctx, null, BLANK_VALUES));

  router.post('/exchange-policies/add', async (ctx) => {
    const enteredPolicy = readValues(formOf(ctx));
    const values = {
      ...enteredPolicy,
      client: toClientId(enteredPolicy.client),
      subject: toClientId(enteredPolicy.subject),
    };
    const existing = exchangePolicies.find(values.client, values.subject);
    if (existing !== undefined && !isSameValue(valuesOf(existing), values))
      return showForm(ctx, null, values, { exchange_client: message('policy.exists') });
    const pair = { clientId: values.client, subjectClientId: values.subject };
    const result = await registry.set(pair, fieldsFrom(values), userCommandContext(ctx, actingUser(ctx)));
    if ('errors' in result)
      return showForm(ctx, null, values, { ...toFormErrors(result.errors), ...missingClientErrors(values) });
    const warning = exchangePolicyWarning(clients.find(result.policy.clientId));
    ctx.state.webSession.flash(
      message(warning === undefined ? 'policy.in-effect' : 'policy.added', { policy: titleOf(result.policy) }),
    );
    ctx.redirect(warning === undefined ? CRUMB.href : pathOf(result.policy));
  });

  router.get('/exchange-policies/:id', (ctx) => {
    const policy = requirePolicy(ctx);
    showForm(ctx, policy, valuesOf(policy));
  });

  router.post('/exchange-policies/:id', async (ctx) => {
    const policy = requirePolicy(ctx);
    const { clientId, subjectClientId } = policy;
    const values = { ...readValues(formOf(ctx)), client: clientId, subject: subjectClientId };
    const isUnchanged = isSameValue(valuesOf(policy), values);
    if (!isUnchanged && resubmissionGuard.isOutdated(ctx, versionOf(policy))) throw outdatedFormError();
    const context = userCommandContext(ctx, actingUser(ctx), observedExchangePolicy(policy));
    const result = await registry.set({ clientId, subjectClientId }, fieldsFrom(values), context);
    if ('errors' in result) return showForm(ctx, policy, values, toFormErrors(result.errors));
    ctx.state.webSession.flash(message('policy.saved'));
    ctx.redirect(CRUMB.href);
  });

  router.get('/exchange-policies/:id/remove', (ctx) => {
    const policy = requirePolicy(ctx);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [CRUMB, { href: pathOf(policy), text: titleOf(policy) }],
        title: message('policy.remove-title'),
        text: [
          message('policy.remove-text', {
            client: namedClient(policy.clientId).name,
            subject: namedClient(policy.subjectClientId).name,
          }),
          message('policy.remove-tokens'),
        ],
        button: message('policy.remove-button'),
        action: `${pathOf(policy)}remove/`,
        back: pathOf(policy),
      }),
    );
  });

  router.post('/exchange-policies/:id/remove', async (ctx) => {
    const policy = requirePolicy(ctx);
    await registry.remove(policy, userCommandContext(ctx, actingUser(ctx)));
    ctx.state.webSession.flash(message('policy.removed', { policy: titleOf(policy) }));
    ctx.redirect(CRUMB.href);
  });
}

/**
 * Returns the errors for applications that the administrator did not choose. They replace the errors that the registry
 * reports for an empty client id.
 */
function missingClientErrors({ client, subject }: ExchangePolicyValues): FieldErrors {
  const problem = message('policy.choose-error');
  return {
    ...(client === '' && { exchange_client: problem }),
    ...(subject === '' && { exchange_subject: problem }),
  };
}

/** The maximum number of applications in a menu. A longer menu would be hard to use. */
const MAX_CHOICES = 100;

function clientChoices(clients: Pick<Clients, 'all'>): ClientChoices {
  const allClients = clients.all();
  if (allClients.length > MAX_CHOICES) return null;
  const sortedClients = allClients.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  return { all: sortedClients.map(choiceOf), exchanging: sortedClients.filter(mayExchange).map(choiceOf) };
}

const choiceOf = ({ clientId, name }: Client) => ({ id: clientId, name });

function mayExchange({ clientType, grantTypes }: Client): boolean {
  return clientType === 'confidential' && grantTypes.includes('token-exchange');
}

/** Returns a value that changes with every change to the policy and never recurs. */
function versionOf({ policyId, position }: ExchangePolicy): string {
  return `${policyId} ${position}`;
}

/** Returns the exchange policies that concern an application, for the application's page. */
export function policiesOf(
  client: Client,
  policies: Pick<ExchangePolicies, 'all'>,
  clients: Pick<Clients, 'find'>,
): PoliciesOfApplication {
  const namedPolicy = (id: string, otherClientId: string) => ({
    id,
    name: clients.find(otherClientId)?.name ?? otherClientId,
  });
  const allPolicies = policies.all();
  return {
    exchanges: allPolicies
      .filter(({ clientId }) => clientId === client.clientId)
      .map(({ policyId, subjectClientId }) => namedPolicy(policyId, subjectClientId)),
    exchangedBy: allPolicies
      .filter(({ subjectClientId }) => subjectClientId === client.clientId)
      .map(({ policyId, clientId }) => namedPolicy(policyId, clientId)),
  };
}
