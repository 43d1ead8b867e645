import { z } from 'zod';
import { answering, BY_OPERATOR, streaming, type Operation } from './operation.ts';
import { OperationRefused } from './refused.ts';

export const groupOperations: Readonly<Record<string, Operation>> = {
  'group add': answering(z.strictObject({ name: z.string().min(1) }), async ({ name }, { createGroup }) => {
    const group = await createGroup(name, BY_OPERATOR);
    if (group === undefined) throw new OperationRefused(`there is a group ${JSON.stringify(name)} already`);
    return { id: group.id, name: group.name };
  }),

  'group list': streaming(z.strictObject({}), async function* (_input, { groups }) {
    for (const { id, name } of groups.all()) yield { id, name };
  }),
};
