import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { describeEventLog } from './event-log.contract.ts';

describeEventLog('memory', async () => ({ log: createMemoryLog() }), { isDurable: false });
