// Loaded into a server before its code. Measures memory after a garbage collection and event loop delay in the process,
// and replies to messages from its parent.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

const MEASUREMENTS = {
  async memory() {
    for (let count = 0; count < 3; count += 1) {
      collect();
      await setTimeout(100); // lets other threads release memory
    }
    return process.memoryUsage();
  },
  async pauses() {
    const [longest, p99] = [delay.max / 1e6, delay.percentile(99) / 1e6];
    delay.reset();
    return { longest, p99 };
  },
};

process.on('message', ({ probe }) => void MEASUREMENTS[probe]().then((result) => process.send(result)));
process.channel.unref(); // does not keep the server alive
