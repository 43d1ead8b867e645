import type { EpochSeconds } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { LastTest } from '../../../oauth/upstream/last-tests.ts';
import type { ProviderCheck } from '../../../oauth/upstream/provider-test.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';

/** The form's values. All lists except `options` are strings with one item per line. */
export interface ProviderValues {
  readonly id: string;
  readonly preset: string;
  readonly name: string;
  readonly issuer: string;
  readonly tenants: string;
  readonly clientId: string;
  readonly authentication: string;
  readonly scopes: string;
  readonly linking: string;
  /** Any of `creates-users`, `required` and `disabled`. */
  readonly options: readonly string[];
  readonly domains: string;
  readonly groupsClaim: string;
  readonly roles: string;
  readonly groups: string;
  readonly secondFactorValues: string;
}

/** The result of a connection test, or the outage that a login encountered. */
export interface TestResult {
  readonly at: EpochSeconds;
  readonly by: LastTest['by'];
  readonly result: ProviderCheck['result'];
  /** The result of each step. */
  readonly steps: readonly {
    readonly result: ProviderCheck['result'];
    readonly headline: Text;
    readonly text: Text;
  }[];
}

interface AdminProviderLocals extends PageContext {
  /** Null on the form that adds a provider. */
  readonly provider: {
    readonly id: string;
    readonly name: string;
    readonly hasSecret: boolean;
    readonly isDisabled: boolean;
  } | null;
  /** The last test of these settings on this node since startup, or a later outage that a login encountered. */
  readonly lastTest: TestResult | null;
  /** The redirect URI to register with the provider. */
  readonly callback: string;
  readonly presets: readonly {
    readonly value: string;
    readonly title: Text;
    readonly help: Text;
    readonly example: string;
    /** Instructions for registering this server with the provider. */
    readonly advice: Text;
  }[];
  readonly formId: string;
  readonly values: ProviderValues;
  readonly errors: FieldErrors;
}

export interface ProviderPages {
  adminProviders(locals: ListPageLocals): string;
  adminProvider(locals: AdminProviderLocals): string;
}

/**
 * Returns the function that renders a page from its locals.
 * @param view the name of the page's view
 */
export type PageCompiler = <Locals extends PageContext>(
  view: string,
  title: (locals: Locals) => Text,
) => (locals: Locals) => string;

export function providerPages(page: PageCompiler): ProviderPages {
  return {
    adminProviders: page('admin/providers', () => message('admin.providers')),
    adminProvider: page('admin/provider', ({ provider }) =>
      provider === null ? message('providers.add') : provider.name,
    ),
  };
}
