import type { Command } from 'commander';
import type { InputProblem, OperationRefused } from '../operations/control/operation-refused.ts';

/**
 * Describes the invalid members of an input in terms of the options and arguments of the command. Returns undefined if
 * the refusal depends on more than the input.
 */
export function usageProblem({ problems }: OperationRefused, command: Command | undefined): string | undefined {
  if (problems.length === 0) return undefined;
  return problems.map((problem) => describeProblem(problem, command)).join('; ');
}

function describeProblem({ path, message }: InputProblem, command: Command | undefined): string {
  const [member = '', ...nestedPath] = path[0] === 'changes' ? path.slice(1) : path;
  const name = optionName(String(member), command);
  const position = nestedPath.length === 0 ? '' : ` ${nestedPath.join('.')}`;
  return member === '' ? message : `${name}${position}: ${message}`;
}

/** Members of inputs whose names differ from those of their options or arguments. */
const DIFFERENT_NAMES: Readonly<Record<string, string>> = {
  username: 'name',
  givenName: 'firstName',
  familyName: 'lastName',
  keysUri: 'jwksUri',
  mapping: 'map',
  secret: 'clientSecretStdin',
  createsUsers: 'createUsers',
  secondFactorValues: 'secondFactor',
  providerId: 'id',
  maxTokenLifetimeSeconds: 'tokenLifetime',
  maxAssertionAgeSeconds: 'assertionAge',
  publishesMetadata: 'publishMetadata',
  grantTypes: 'grant',
  subject: 'subjectClientId',
  client: 'clientId',
};

/** Returns the option or argument that sets the member, or the member itself if the command has neither. */
function optionName(member: string, command: Command | undefined): string {
  const name = toCamelCase(member);
  const candidates = [DIFFERENT_NAMES[name] ?? name, name.replace(/s$/, ''), name.replace(/Seconds$/, ''), name];
  for (const candidate of candidates) {
    const option = command?.options.find(
      (candidateOption) => candidateOption.attributeName() === candidate && !candidateOption.negate,
    );
    if (option !== undefined) return option.long ?? option.flags;
    const argument = command?.registeredArguments.find(
      (candidateArgument) => toCamelCase(candidateArgument.name()) === candidate,
    );
    if (argument !== undefined) return argument.name();
  }
  return (member === 'name' ? command?.registeredArguments[0]?.name() : undefined) ?? member;
}

const toCamelCase = (name: string): string => name.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase());
