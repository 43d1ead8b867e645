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
  readonly [mediaType: string]: { readonly schema: Schema };
}

export interface ApiResponse {
  /** By which the document has it once, for all operations that answer so. */
  readonly name?: string;
  readonly description: string;
  /** Beside `X-Request-Id`, which all have, and `Cache-Control: no-store`, which all have that do not say otherwise. */
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

export const TAGS = {
  OAuth: 'Getting, revoking and inspecting tokens.',
  Metadata: 'What clients and resource servers read to configure themselves.',
  'Sample API': 'Protected by the policies of this server.',
  'Event log': 'What happened, for auditors, and what proves it, for anybody.',
  Health: 'For load balancers and Prometheus.',
} as const;

/** What one route does with one method, as OpenAPI has it; of the sample API, also what a token can do with it. */
export type Operation = OperationFacts &
  (
    | { readonly tag: Exclude<keyof typeof TAGS, 'Sample API'>; readonly effect?: never }
    /** For the consent page, beside the operator's description of the scope that the route needs. */
    | { readonly tag: 'Sample API'; readonly effect: string }
  );

interface OperationFacts {
  readonly method: 'GET' | 'POST';
  /** Where it is; `{name}` stands for a parameter. Checked against the route that it is declared with. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may, where no policy guards the route; nothing in the list: everybody. */
  readonly publicSecurity?: readonly SecurityRequirement[];
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  readonly responses: Readonly<Record<number, ApiResponse>>;
}
