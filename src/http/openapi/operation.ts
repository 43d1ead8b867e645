import type { MessageKey } from '../../language/catalog.ts';
import type { SecurityRequirement } from '../../policy/open-api-security.ts';

/** JSON Schema 2020-12, or a reference to one among the document's components. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Content {
  readonly [mediaType: string]: { readonly schema: Schema; readonly example?: unknown };
}

export interface ApiResponse {
  /** The name among the document's components, if several operations share the response. */
  readonly name?: string;
  readonly description: string;
  /** Added to `X-Request-Id`, which every response has, and to `Cache-Control: no-store`, which can be overridden. */
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

export const TAGS = {
  OAuth: 'Issue, revoke and inspect tokens.',
  Metadata: 'Documents that clients and resource servers read to configure themselves.',
  Management: 'Administration, for clients with the `admin` scope.',
  'Sample API': 'Protected resources of this server.',
  'Event log': 'The events, for auditors, and the proofs, for anyone.',
  Health: 'For load balancers and Prometheus.',
} as const;

/** The OpenAPI description of a route and method. For the sample API, it also contains what a token permits there. */
export type Operation = OperationDescription &
  (
    | { readonly tag: Exclude<keyof typeof TAGS, 'Sample API'>; readonly effect?: never }
    /** Shown on the consent page, in addition to the operator's description of the scope that the route requires. */
    | { readonly tag: 'Sample API'; readonly effect: MessageKey }
  );

interface OperationDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` stands for a parameter. Checked against the route that declares the operation. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The callers that may use a route that no policy guards. An empty list means any caller. */
  readonly publicSecurity?: readonly SecurityRequirement[];
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  readonly responses: Readonly<Record<number, ApiResponse>>;
}
