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
   * The description from the operator or a resource server, or else the name of the scope. If the scope has effects,
   * the first effect replaces a vague default description.
   */
  readonly description: Text;
  /**
   * Sentences about the access that the scope gives on this server, in addition to the description. For a sensitive
   * scope, the last sentence says that the scope is sensitive.
   */
  readonly effects: readonly Text[];
  /** Whether the scope gives access to more than the user's own data, such as the list of users in the sample API. */
  readonly isServerWide: boolean;
  /** The configured icon of the scope, or null. */
  readonly icon: ScopeIcon | null;
  readonly isSensitive: boolean;
  /**
   * A sentence about the claims that the scope gives access to. Empty if the scope gives access to no claims, or if the
   * description or an effect is the same sentence.
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
    /** The application's metadata document and the name in it; null if the application is registered on this server. */
    readonly described: { readonly host: string; readonly uri: string; readonly chosenName: string } | null;
    readonly mark: ApplicationMark;
    readonly presentation: {
      readonly description: string | null;
      /** The application's own pages, such as its privacy policy. */
      readonly links: readonly { readonly title: Text; readonly href: string }[];
    };
    readonly owner: Text;
    /** Whether the application registered itself. If so, nobody vouches for its name. */
    readonly isSelfRegistered: boolean;
    /** Whether the user owns the application. The page does not warn owners about its age or destination. */
    readonly isOwn: boolean;
    readonly registeredAt: EpochSeconds;
    /** Whether the application was registered recently. */
    readonly isNew: boolean;
    /** Whether the application is in test mode. */
    readonly isTest: boolean;
  };
  /** The time of the user's oldest authorization of the application that is still valid, or null. */
  readonly authorizedSince: EpochSeconds | null;
  /** The scopes of all the user's authorizations of the application that are still valid. */
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
  /** The URL at which a different user can continue this request. */
  readonly switchUserUrl: string;
  /**
   * The destination of the authorization code: a web host, the built-in callback page, a loopback host, or an app's
   * scheme. The page warns users who do not own the application about the last two kinds.
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
   * The effect of the request on an earlier grant, with the time of that grant; null if the request starts a new grant.
   */
  readonly update: { readonly action: 'replace' | 'merge'; readonly grantedAt: EpochSeconds } | null;
}
