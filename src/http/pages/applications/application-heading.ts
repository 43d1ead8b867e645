import type { ClientMode } from '../../../domain/values.ts';
import { message, type Message } from '../../../language/message.ts';
import type { Client } from '../../../projections/clients.ts';

/** An application, as shown in the heading of its pages. */
export interface ApplicationHeading {
  /** The `<id>` in the application's URLs. */
  readonly id: string;
  readonly name: string;
  readonly mode: ClientMode;
  readonly isDisabled: boolean;
}

export function applicationHeading({ clientId: id, name, mode, disabledAt }: Client): ApplicationHeading {
  return { id, name, mode, isDisabled: disabledAt !== undefined };
}

/** Whether an application can authenticate with a secret, and whether it has a secret. */
export interface SecretUse {
  readonly usesSecret: boolean;
  /** False if the authentication method was changed to a secret, but no secret has been created yet. */
  readonly hasSecret: boolean;
}

/** Returns the title of the page for creating a new secret. */
export function newSecretTitle({
  name,
  hasSecret,
}: Pick<ApplicationHeading & SecretUse, 'name' | 'hasSecret'>): Message {
  return message(hasSecret ? 'rotation.title' : 'rotation.create-title', { application: name });
}
