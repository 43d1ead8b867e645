import type { MessageKey } from '../../language/catalog.ts';
import type { SecurityRequirement } from '../../policy/open-api-security.ts';

/** A JSON Schema (2020-12), or a reference to a schema among the document's components. */
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
  /** Headers in addition to `X-Request-Id` and `Cache-Control: no-store`. Another `Cache-Control` takes precedence. */
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

export const TAGS = {
  OAuth: 'Issue, revoke and inspect tokens.',
  Metadata: 'Documents that clients and resource servers read to configure themselves.',
  Management: 'Administration, for clients with the `admin` scope.',
  'Sample API': 'Users and groups of this server, as an example of a protected API.',
  'Event log': 'The events, for auditors, and the proofs, for anyone.',
  Health: 'For load balancers and Prometheus.',
} as const;

/** The OpenAPI description of one method of a route. An operation of the sample API also describes its effect. */
export type Operation = OperationDescription &
  (
    | { readonly tag: Exclude<keyof typeof TAGS, 'Sample API'>; readonly effect?: never }
    /** Shown on the consent page, in addition to the operator's description of the scope that the route requires. */
    | { readonly tag: 'Sample API'; readonly effect: MessageKey }
  );

interface OperationDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, with `{name}` for each parameter. It must match the route that declares the operation. */
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
