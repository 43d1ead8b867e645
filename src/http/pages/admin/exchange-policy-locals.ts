import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';

/** An application with its id, or a policy with its id and the name of the other application. */
interface NamedClient {
  readonly id: string;
  readonly name: string;
}

/** The policies that name an application, each with the name of the other one. */
export interface ExchangesOfApplication {
  /** The policies with applications whose tokens it may exchange. */
  readonly exchanges: readonly NamedClient[];
  /** The policies with applications that may exchange its tokens. */
  readonly exchangedBy: readonly NamedClient[];
}

/** The applications to choose from; null if there are too many for a list, or for an existing policy. */
export type ChoosableClients = {
  readonly exchanging: readonly NamedClient[];
  readonly all: readonly NamedClient[];
} | null;

/** The entered values, as the form shows them. */
export interface ExchangePolicyValues {
  readonly client: string;
  readonly subject: string;
  readonly modes: readonly string[];
  /** Scopes and resource servers, each on its own line; empty for those of the subject token. */
  readonly scope: string;
  readonly resources: string;
}

interface AdminExchangePolicyLocals extends PageContext {
  /** Null on the form that adds a policy. */
  readonly policy: { readonly id: string; readonly client: NamedClient; readonly subject: NamedClient } | null;
  readonly formId: string;
  readonly clients: ChoosableClients;
  /** The reason why the policy has no effect; null if it has one. */
  readonly warning: Text | null;
  readonly values: ExchangePolicyValues;
  readonly errors: FieldErrors;
}

export interface ExchangePolicyPages {
  adminExchangePolicies(locals: ListPageLocals): string;
  adminExchangePolicy(locals: AdminExchangePolicyLocals): string;
}

/** @param view the name of the view */
type PageCompiler = <Locals extends PageContext>(
  view: string,
  title: (locals: Locals) => Text,
) => (locals: Locals) => string;

export function exchangePolicyPages(page: PageCompiler): ExchangePolicyPages {
  return {
    adminExchangePolicies: page('admin/exchange-policies', () => message('admin.exchange')),
    adminExchangePolicy: page('admin/exchange-policy', ({ policy }) =>
      policy === null
        ? message('policies.add')
        : message('policy.title', { client: policy.client.name, subject: policy.subject.name }),
    ),
  };
}
