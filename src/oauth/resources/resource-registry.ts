import { hash } from 'node:crypto';
import { withoutEmptyPath } from '../../domain/resource.ts';
import type { ResourceCommand, ResourceEvent, ResourceRefusal, ResourceState } from '../../domain/resource-server.ts';
import { resourceStream } from '../../domain/streams.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import type { StreamName } from '../../event-store/event-log.ts';
import { message } from '../../language/message.ts';
import type { Clients } from '../../projections/clients.ts';
import type { ResourceServers } from '../../projections/resources.ts';
import { checkResource, resourceUriProblem, type ResourceErrors, type ResourceFields } from './resource-rules.ts';

type RegistrationResult = { readonly uri: string } | { readonly errors: ResourceErrors };

/** Registers, changes and removes resource servers. Changes take effect immediately. */
export interface ResourceRegistry {
  register(uri: string, fields: ResourceFields, context: CommandContext): Promise<RegistrationResult>;
  /** Returns the problems that `register` would report for a new URI, or undefined if it would report none. */
  problems(uri: string, fields: ResourceFields): ResourceErrors | undefined;
  update(uri: string, fields: ResourceFields, context: CommandContext): Promise<RegistrationResult>;
  /** Removes the resource server. Does nothing if it does not exist. */
  remove(uri: string, context: CommandContext): Promise<void>;
}

/**
 * Returns the same stream for a URI with an empty path as for one with the path `/`, so that only one can be
 * registered.
 */
function uriStream(uri: string): StreamName {
  return resourceStream(hash('sha256', withoutEmptyPath(uri), 'base64url'));
}

export function createResourceRegistry(deps: {
  readonly commands: CommandHandler<ResourceCommand, ResourceState, ResourceEvent, ResourceRefusal>;
  readonly resources: Pick<ResourceServers, 'all' | 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly issuer: () => string;
  readonly settings: { readonly scopes: Readonly<Record<string, string>> };
}): ResourceRegistry {
  const { commands, resources, clients, issuer, settings } = deps;
  async function execute(uri: string, command: ResourceCommand, context: CommandContext): Promise<RegistrationResult> {
    const { refusal } = await commands.execute(uriStream(uri), command, context);
    if (refusal === 'resource-exists') return { errors: { uri: message('resource-problem.registered') } };
    return refusal === undefined ? { uri } : { errors: { uri: message('resource-problem.unregistered') } };
  }

  /** Validates the fields. Each type of authorization details can be declared by only one resource server. */
  function check(fields: ResourceFields, uri: string): ReturnType<typeof checkResource> {
    const otherServers = resources.all().filter((server) => withoutEmptyPath(server.uri) !== withoutEmptyPath(uri));
    const takenTypes = otherServers.flatMap(({ detailTypes = [] }) => detailTypes.map(({ type }) => type));
    return checkResource(fields, uri, settings.scopes, takenTypes, (id) => clients.find(id)?.clientType);
  }

  /**
   * Validates a new resource server. Reports an invalid URI only once, even if it also rules out publishing metadata.
   */
  function checkNew(fields: ResourceFields, uri: string): ReturnType<typeof checkResource> {
    const problem = resourceUriProblem(uri, issuer());
    const result = check(problem === undefined ? fields : { ...fields, publishesMetadata: false }, uri);
    if (problem === undefined) return result;
    return { errors: { uri: problem, ...('errors' in result ? result.errors : {}) } };
  }

  return {
    async register(uri, fields, context) {
      const result = checkNew(fields, uri);
      if ('errors' in result) return result;
      return execute(uri, { type: 'RegisterResource', uri, settings: result.settings }, context);
    },

    problems(uri, fields) {
      const result = checkNew(fields, uri);
      return 'errors' in result ? result.errors : undefined;
    },

    async update(uri, fields, context) {
      const result = check(fields, uri);
      if ('errors' in result) return result;
      const registeredUri = resources.find(uri)?.uri ?? uri;
      return execute(registeredUri, { type: 'UpdateResource', settings: result.settings }, context);
    },

    async remove(uri, context) {
      await commands.execute(uriStream(uri), { type: 'RemoveResource' }, context);
    },
  };
}
