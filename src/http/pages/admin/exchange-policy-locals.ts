import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

interface NamedClient {
  readonly id: string;
  readonly name: string;
}

/** One of an application's exchange policies, named after the other application. */
interface NamedPolicy {
  readonly id: string;
  readonly name: string;
}

/** The exchange policies that concern an application. */
export interface PoliciesOfApplication {
  /** The policies under which the application may exchange the tokens of other applications. */
  readonly exchanges: readonly NamedPolicy[];
  /** The policies under which other applications may exchange the application's tokens. */
  readonly exchangedBy: readonly NamedPolicy[];
}

/** The applications to choose from; null if there are too many for a menu, or if the policy already exists. */
export type ClientChoices = {
  /** The applications that may use token exchange. */
  readonly exchanging: readonly NamedClient[];
  readonly all: readonly NamedClient[];
} | null;

/** The values of the fields in the policy form. */
export interface ExchangePolicyValues {
  readonly client: string;
  readonly subject: string;
  readonly modes: readonly string[];
  /** The allowed scopes, one per line; empty if all scopes of the subject token are allowed. */
  readonly scope: string;
  /** The allowed resource servers, one per line; empty if all resource servers of the subject token are allowed. */
  readonly resources: string;
}

interface AdminExchangePolicyLocals extends PageContext {
  /** Null on the form that adds a policy. */
  readonly policy: { readonly id: string; readonly client: NamedClient; readonly subject: NamedClient } | null;
  readonly formId: string;
  readonly clients: ClientChoices;
  /** The reason why the policy has no effect; null if it has an effect or does not exist yet. */
  readonly warning: Text | null;
  readonly values: ExchangePolicyValues;
  readonly errors: FieldErrors;
}

export interface ExchangePolicyPages {
  adminExchangePolicies(locals: ListPageLocals): string;
  adminExchangePolicy(locals: AdminExchangePolicyLocals): string;
}

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
