// Loaded into a server before its own code, when what is asked cannot be seen from outside: memory after a collection, and how long
// the event loop stood still. Answers its parent; does nothing by itself but count.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

const ANSWERS = {
  async memory() {
    for (let count = 0; count < 3; count += 1) {
      collect();
      await setTimeout(100); // what was let go of is given back by others
    }
    return process.memoryUsage();
  },
  async pauses() {
    const [longest, p99] = [delay.max / 1e6, delay.percentile(99) / 1e6];
    delay.reset();
    return { longest, p99 };
  },
};

process.on('message', ({ probe }) => void ANSWERS[probe]().then((said) => process.send(said)));
process.channel.unref(); // the server ends as it would without
