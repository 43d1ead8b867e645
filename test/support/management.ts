import { PREFIX } from '../../src/http/management/row.ts';
import type { OpenApiDocument } from '../../src/http/openapi/document.ts';
import { expectDescribed, operationsOf, type DescribedOperation } from './described-api.ts';
import type { TestResponse, RunningService, TestClient } from './running-service.ts';

/** A client with the `admin` scope, and its token. */
export interface Manager {
  readonly client: TestClient;
  readonly token: string;
  /** @param path below the prefix of the API */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
}

export async function addManager(
  running: RunningService,
  restrictedScopes: readonly string[] = ['admin'],
): Promise<Manager> {
  const client = await running.addClient({ name: 'Manager', restrictedScopes });
  const { json } = await running.token(client, { grant_type: 'client_credentials', scope: 'admin' });
  const token = String(json?.['access_token']);
  return {
    client,
    token,
    call: (method, path, body, headers = {}) =>
      running.send(`${PREFIX}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}

/** Returns the management operations in the OpenAPI document that the server publishes. */
export async function managementOperations(running: RunningService): Promise<readonly DescribedOperation[]> {
  const { json } = await running.get('/openapi.json');
  return operationsOf(json as unknown as OpenApiDocument).filter(({ tags }) => tags.includes('Management'));
}

/** Returns the operation that handles `method` at `path`, which is below the API's prefix. */
function operationAt(operations: readonly DescribedOperation[], method: string, path: string): DescribedOperation {
  const segments = `${PREFIX}${path.split('?')[0]}`.replace(/\/$/, '').split('/');
  const match = operations.find((operation) => {
    const pattern = operation.path.replace(/\/$/, '').split('/');
    return (
      operation.method === method &&
      pattern.length === segments.length &&
      pattern.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  });
  if (match === undefined) throw new Error(`no operation is described at ${method} ${path}`);
  return match;
}

/**
 * Returns a `call` that fails unless the response is as described, and the ids of the operations that have succeeded.
 */
export function describedCalls({ call }: Manager, operations: readonly DescribedOperation[]) {
  const successfulOperations = new Set<string>();
  return {
    succeeded: successfulOperations,
    async call(...parameters: Parameters<Manager['call']>): Promise<TestResponse> {
      const [method, path] = parameters;
      const operation = operationAt(operations, method, path);
      const response = await call(...parameters);
      expectDescribed(operation, response);
      if (response.status < 300) successfulOperations.add(operation.operationId);
      return response;
    },
  };
}
