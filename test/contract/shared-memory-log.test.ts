import { sharedMemoryLog } from '../support/shared-memory-log.ts';
import { describeEventLog } from './event-log.contract.ts';

describeEventLog('one view of a shared memory log', async () => ({ log: sharedMemoryLog().attach(() => 0) }), {
  isDurable: false,
});
