import { createMemoryLog } from '../../src/eventsourcing/engines/memory.ts';
import { describeEventLog } from './event-log.contract.ts';

describeEventLog('memory', async () => ({ log: createMemoryLog() }), { isDurable: false });
