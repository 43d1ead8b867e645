import type { ScopeIcon } from '../../../config/scope-display.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Text } from '../../../language/message.ts';
import type { ApplicationMark } from '../application-mark.ts';
import type { PageContext, PageUser } from '../page-context.ts';
import type { DescribedDetail } from './described-details.ts';
import type { SharedData } from './claim-names.ts';

export interface ScopeDescription {
  readonly name: string;
  /**
   * The description by the operator or a resource server, or the name of the scope. A default description is replaced
   * by the first effect, if there is one.
   */
  readonly description: Text;
  /**
   * The further access that the server's own routes give for this scope, regardless of the description. For a sensitive
   * scope, the last entry says that it is sensitive.
   */
  readonly effects: readonly Text[];
  /** Whether the scope gives access to more than the user's own data. The sample API, for example, lists every user. */
  readonly isServerWide: boolean;
  /** The icon that is set for the scope, or null. */
  readonly icon: ScopeIcon | null;
  readonly isSensitive: boolean;
  /**
   * A sentence about the claims that the scope gives access to. Empty if it includes none, or if the description or an
   * effect is the same sentence.
   */
  readonly shares: Text;
}

/** A scope that an application requests. */
export interface RequestedScopeLocals extends Omit<ScopeDescription, 'shares'> {
  readonly shared: SharedData;
}

/** The application on a consent page, and the user's history with it. */
export interface ConsentApplicationLocals {
  readonly application: {
    /** The host of the application's metadata document, or else the registered name. */
    readonly name: string;
    /** The application's metadata document, with the name in it; null if the application is registered here. */
    readonly described: { readonly host: string; readonly uri: string; readonly chosenName: string } | null;
    readonly mark: ApplicationMark;
    readonly presentation: {
      readonly description: string | null;
      /** The application's own pages, such as its privacy policy. */
      readonly links: readonly { readonly title: Text; readonly href: string }[];
    };
    readonly owner: Text;
    /** Whether the application registered itself, so that nobody vouches for its name. */
    readonly isSelfRegistered: boolean;
    /** Whether the user owns the application. The page then does not warn about its destination or its age. */
    readonly isOwn: boolean;
    readonly registeredAt: EpochSeconds;
    /** Whether the application was registered recently. */
    readonly isNew: boolean;
    /** Whether only its owners and test users can authorize it. */
    readonly isTest: boolean;
  };
  /** The time of the user's oldest authorization of the application that is still valid, or null. */
  readonly authorizedSince: EpochSeconds | null;
  /** The scopes that the user has authorized, in all authorizations together. */
  readonly allowedBefore: readonly string[];
}

/** The scopes, claims and authorization details that an application requests. */
export interface RequestedLocals {
  readonly scopes: readonly RequestedScopeLocals[];
  /** Data that is requested beyond these scopes, and cannot be refused separately. */
  readonly sharedBesides: SharedData;
  /** Authorization details, which cannot be refused separately either. */
  readonly details: readonly DescribedDetail[];
}

export interface AuthorizeLocals extends PageContext, ConsentApplicationLocals, RequestedLocals {
  readonly user: PageUser;
  /** The sealed authorization request, which the form posts back unchanged. */
  readonly request: string;
  /** The URL of this request, to continue as a different user. */
  readonly switchUserUrl: string;
  /**
   * The target of the code: a web host, the built-in callback page, a loopback host, or an app's scheme. The page warns
   * users who do not own the application about the last two.
   */
  readonly destination: {
    readonly kind: 'web' | 'builtin' | 'loopback' | 'app';
    /** The host, or the app's scheme. */
    readonly name: string;
    readonly uri: string;
  };
  /** The resource servers that the request is limited to. Empty means no limit. */
  readonly resources: readonly string[];
  /**
   * The effect of the request on an earlier grant, with the time of that grant; null if the request begins a new grant.
   */
  readonly update: { readonly action: 'replace' | 'merge'; readonly grantedAt: EpochSeconds } | null;
}
