import { withoutEmptyPath } from '../../domain/resource.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { finding, lateViolation, type EventRule, type Violation } from './rule.ts';

/**
 * Returns the scopes that the resource servers define, and the time of the latest change to any of these servers.
 * Returns undefined if one of them is not registered, or defines no scopes and therefore allows any scope.
 */
function definedScopes(
  uris: readonly string[],
  { resources }: History,
): { names: ReadonlySet<string>; changedAt: number } | undefined {
  const resourceServers = uris.map((uri) => resources.find(uri));
  const names = new Set<string>();
  let changedAt = 0;
  for (const resource of resourceServers) {
    if (resource === undefined || resource.isRemoved || resource.scopes.length === 0) return undefined;
    for (const { name } of resource.scopes) names.add(name);
    changedAt = Math.max(changedAt, resource.changedAt);
  }
  return { names, changedAt };
}

function checkScopes({ event: { type, data }, record }: AuditedEvent, history: History): Violation | undefined {
  if (type !== 'AccessTokenIssued' || data.resource === undefined) return undefined;
  const definition = definedScopes(data.resource, history);
  const undefinedScopes = definition === undefined ? [] : data.scope.filter((name) => !definition.names.has(name));
  if (definition === undefined || undefinedScopes.length === 0) return undefined;
  const message = `the token's resource servers do not define ${undefinedScopes.join(', ')}`;
  return lateViolation(record, definition.changedAt, message);
}

export const resourceRules: readonly EventRule[] = [
  {
    name: 'resources-are-registered-before-changes',
    description:
      'A resource server is registered before it is changed or removed, and is not registered again before it is ' +
      'removed.',
    check({ event: { type }, record: { stream } }, { resources }) {
      if (type !== 'ResourceRegistered' && type !== 'ResourceUpdated' && type !== 'ResourceRemoved') return undefined;
      const isRegistered = resources.inStream(stream)?.isRemoved === false;
      if (type === 'ResourceRegistered')
        return isRegistered ? finding(`${type}, although the resource server was registered`) : undefined;
      return isRegistered ? undefined : finding(`${type}, although the resource server was not registered`);
    },
  },
  {
    name: 'resources-keep-their-uris',
    description:
      'Every stream of a resource server has one URI (with or without an empty path), and every URI has one stream.',
    check({ event: { type, data }, record: { stream } }, { resources }) {
      if (type !== 'ResourceRegistered' && type !== 'ResourceUpdated' && type !== 'ResourceRemoved') return undefined;
      const existingResource = resources.inStream(stream);
      if (existingResource !== undefined && withoutEmptyPath(existingResource.uri) !== withoutEmptyPath(data.uri))
        return finding(`${type} for ${data.uri} in the stream of ${existingResource.uri}`);
      return existingResource === undefined && resources.find(data.uri) !== undefined
        ? finding(`${type} for ${data.uri}, which belongs to a different stream`)
        : undefined;
    },
  },
  {
    name: 'tokens-have-scopes-of-their-resources',
    description:
      'A token for resource servers that define scopes has no other scopes; a violation up to a minute after a ' +
      'change to the resource servers is a notice.',
    check: checkScopes,
  },
];
