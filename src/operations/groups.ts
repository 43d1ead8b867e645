import { z } from 'zod';
import { normalGroupName } from '../domain/group.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { operation, BY_OPERATOR, streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

const group = z.strictObject({ name: z.string().min(1).max(OPERATION_TEXTS.ruled) });

export const groupOperations: Readonly<Record<string, Operation>> = {
  'group add': operation(group, async (input, { groupDirectory: groups, projections }) => {
    const problem = await groups.create(input.name, BY_OPERATOR);
    if (problem !== undefined) throw new OperationRefused(problem);
    const newGroup = projections.groups.all().find(({ name }) => name === normalGroupName(input.name));
    return { id: newGroup?.id, name: newGroup?.name };
  }),

  'group list': streamingOperation(z.strictObject({}), async function* (_input, { projections }) {
    for (const { id, name } of projections.groups.all()) yield { id, name };
  }),
};
