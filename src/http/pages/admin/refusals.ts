import type { Config } from '../../../config/config.ts';
import {
  RETAINED_REFUSALS,
  toExplanation,
  type Explanations,
  type RefusedRequest,
} from '../../../oauth/refusals/explanations.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { UpstreamProviders } from '../../../projections/upstream-providers.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import type { Translator } from '../../../language/translator.ts';
import { headlineOf } from '../../../oauth/refusals/headlines.ts';
import { pageLanguage } from '../../pipeline/reader-language.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { pageContextFor } from '../page-context.ts';
import type { Brand } from '../brand.ts';
import type { PageRouter } from '../page-router.ts';
import { refusalLocals } from '../refusals/refusal-locals.ts';
import { administrationStep, repairStep } from '../refusals/refusal-steps.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';

export interface AdminRefusalDeps {
  readonly explanations: Pick<Explanations, 'requests'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly upstreamProviders: Pick<UpstreamProviders, 'find'>;
  readonly pages: Pick<AdminPages, 'adminRefusals'>;
  readonly brand: Pick<Brand, 'translators'>;
  readonly settings: Pick<Config, 'languages'>;
}

/** Adds the page that lists the newest refusals, including requests that do not concern any known application. */
export function addRefusalPages(router: PageRouter, deps: AdminRefusalDeps): void {
  const { explanations, clients, pages, brand, settings } = deps;
  const applicationName = ({ clientId }: RefusedRequest): string =>
    clientId === null ? '' : (clients.find(clientId)?.name ?? clientId);
  const list: PageList<RefusedRequest> = {
    name: message('listed.refusals'),
    countMessage: 'listed.refusals.count',
    fileName: 'refusals',
    searchLabel: message('search.request-id-application-client-id-rule-or-error'),
    id: ({ id }) => id,
    texts: (request) => [
      request.id,
      applicationName(request),
      request.clientId ?? '',
      request.refusal.rule,
      request.error ?? '',
      request.path,
    ],
    filters: [
      {
        name: 'type',
        title: message('column.sender'),
        choices: [
          {
            value: 'authenticated',
            title: message('choice.authenticated-applications'),
            matches: ({ isProven }) => isProven,
          },
          {
            value: 'named',
            title: message('choice.not-authenticated'),
            matches: ({ clientId, isProven }) => clientId !== null && !isProven,
          },
          {
            value: 'unknown',
            title: message('choice.no-known-application'),
            matches: ({ clientId }) => clientId === null,
          },
        ],
      },
    ],
    columns: [
      timeColumn('time', message('column.time'), ({ at }) => at),
      textColumn('application', message('column.application'), applicationName),
      textColumn('client_id', message('column.client-id'), ({ clientId }) => clientId ?? '', 'file'),
      textColumn('authenticated', message('column.authenticated'), ({ isProven }) => (isProven ? 'yes' : 'no'), 'file'),
      textColumn('rule', message('column.rule'), ({ refusal }) => refusal.rule),
      textColumn('headline', message('column.refusal'), ({ refusal }) => english.text(headlineOf(refusal)), 'file'),
      textColumn('error', message('column.error'), ({ error }) => error ?? ''),
      textColumn('request', message('column.request'), ({ method, path }) => `${method} ${path}`, 'file'),
      textColumn('request_id', message('column.request-id'), ({ id }) => id, 'file'),
    ],
    sort: { by: 'time', direction: 'descending' },
    empty: {
      icon: 'circle-check',
      text: message('empty.refusals'),
      action: null,
    },
    // Fewer items than by default, because each refusal is shown with its explanation.
    itemsPerPage: 25,
  };

  /**
   * Returns the list with headlines added to its search texts, in the reader's language and in English, the language of
   * the logs.
   */
  function searchableList({ text }: Translator): PageList<RefusedRequest> {
    const texts = (request: RefusedRequest): readonly string[] => {
      const headline = headlineOf(request.refusal);
      return [...list.texts(request), english.text(headline), text(headline)];
    };
    return { ...list, texts };
  }

  router.get('/refusals', (ctx) => {
    const translator = brand.translators[pageLanguage(ctx, settings)];
    sendAdminList(ctx, searchableList(translator), explanations.requests(), (locals, items) =>
      pages.adminRefusals({
        ...pageContextFor(ctx, actingUser(ctx)),
        list: locals,
        retentionLimits: RETAINED_REFUSALS,
        refusals: items.map((request) => {
          const explanation = toExplanation(request);
          const client = request.clientId === null ? undefined : clients.find(request.clientId);
          const repair = client && repairStep(request.refusal.rule, applicationPath(client.clientId), true);
          return {
            ...refusalLocals(explanation),
            repair: repair ?? administrationStep(explanation, deps) ?? null,
            application: request.clientId === null ? null : { id: client?.clientId, name: applicationName(request) },
          };
        }),
      }),
    );
  });
}

function applicationPath(clientId: string): string {
  return `/admin/applications/${encodeURIComponent(clientId)}/`;
}
