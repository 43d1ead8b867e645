import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { PageCompiler } from '../admin/provider-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';

/** The locals of the page that lists the resource servers that the user manages. */
export interface ResourceListLocals extends ListPageLocals {
  readonly canRegister: boolean;
  /** The unregistered URIs in the `resources` setting; empty for users who are not administrators. */
  readonly fixedUris: readonly string[];
}

/** The values of the form for a resource server. */
export interface ResourceValues {
  readonly uri: string;
  readonly name: string;
  /** One line per scope: the name, a space and the description. */
  readonly scopes: string;
  /** Empty to use the format of the client. */
  readonly format: string;
  /** Empty to use the algorithm of the client. */
  readonly algorithm: string;
  /** In seconds; empty to use the server's access token lifetime. */
  readonly lifetime: string;
  readonly publishesMetadata: boolean;
  /** A JSON array, or an empty string. */
  readonly detailTypes: string;
  /** A client id, or an empty string. */
  readonly introspectionClient: string;
}

export interface ResourceFormLocals extends PageContext {
  /** Null on the form that registers a resource server. */
  readonly resource: {
    readonly id: string;
    readonly name: string;
    readonly uri: string;
    readonly metadataUrl: string | null;
  } | null;
  readonly formId: string;
  readonly values: ResourceValues;
  readonly errors: FieldErrors;
}

/** The page that asks for confirmation before a resource server is removed. */
export interface ResourceConfirmLocals extends PageContext {
  readonly trail: readonly { readonly href: string; readonly text: Text }[];
  readonly title: Text;
  readonly text: readonly Text[];
  /** The scopes of the resource server, the access that is restricted to it, and the rules that refer to it. */
  readonly facts: readonly { readonly title: Text; readonly text: Text }[];
  readonly button: Text;
  readonly action: string;
  readonly back: string;
}

/** The pages for managing resource servers. */
export interface ResourcePages {
  resourceList(locals: ResourceListLocals): string;
  resourceForm(locals: ResourceFormLocals): string;
  resourceConfirm(locals: ResourceConfirmLocals): string;
}

export function resourcePages(page: PageCompiler): ResourcePages {
  return {
    resourceList: page('resources/list', () => message('resources.title')),
    resourceForm: page('resources/form', ({ resource }) =>
      resource === null ? message('resources.register') : message('resources.settings-of', { resource: resource.name }),
    ),
    resourceConfirm: page('admin/confirm', ({ title }) => title),
  };
}
