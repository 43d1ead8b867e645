import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

/** The form's values. All lists except `uses` are strings with one item per line. */
export interface TrustedIssuerValues {
  readonly issuer: string;
  readonly keys: string;
  readonly keysUri: string;
  readonly audience: string;
  readonly uses: readonly string[];
  readonly claims: string;
  readonly mapping: string;
  readonly nameClaim: string;
  readonly users: string;
  readonly clients: string;
  readonly scope: string;
  readonly resources: string;
  readonly tokenLifetime: string;
  readonly assertionAge: string;
}

/** Example values for a kind of issuer. */
export interface IssuerExamples {
  readonly issuer: string;
  readonly keysUri: string;
  readonly claims: string;
  readonly clients: string;
  readonly audience: string;
}

interface AdminTrustedIssuerLocals extends PageContext {
  /** Null on the form that adds an issuer. */
  readonly trusted: {
    readonly id: string;
    readonly issuer: string;
    readonly isUrl: boolean;
    /** The URL of the published keys, which can be tested from the page; null if the settings contain the keys. */
    readonly keysUri: string | null;
    readonly applications: readonly { readonly id: string; readonly name: string }[];
  } | null;
  /** The kinds of issuers to choose from; empty for an existing issuer. */
  readonly presets: readonly { readonly value: string; readonly title: Text; readonly help: Text }[];
  /** The chosen kind, with advice on setting up the issuer; for an existing issuer, the custom kind without advice. */
  readonly preset: { readonly value: string; readonly advice: Text | null; readonly examples: IssuerExamples };
  /** Suggested applications. */
  readonly applications: readonly { readonly id: string; readonly name: string }[];
  /** Suggested scopes. */
  readonly scopes: readonly string[];
  readonly formId: string;
  readonly values: TrustedIssuerValues;
  readonly errors: FieldErrors;
}

export interface TrustedIssuerPages {
  adminTrustedIssuers(locals: ListPageLocals): string;
  adminTrustedIssuer(locals: AdminTrustedIssuerLocals): string;
}

export function trustedIssuerPages(page: PageCompiler): TrustedIssuerPages {
  return {
    adminTrustedIssuers: page('admin/trusted-issuers', () => message('admin.issuers')),
    adminTrustedIssuer: page('admin/trusted-issuer', ({ trusted }) => trusted?.issuer ?? message('issuers.add')),
  };
}
