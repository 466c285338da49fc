import { command } from '../cli/declare.ts'
import { processOptions } from '../cli/serve/options.ts'
import { runService } from '../cli/serve/run.ts'

export default command({
  summary: 'Do what waits: imports, webhooks, polling, mail',
  description:
    'One of several processes on a database, the same as "svc serve --roles worker". It answers /healthz, /readyz and /metrics alone, on a free port where none is set.',
  examples: ['SVC_DATABASE_URL=postgres://… svc worker', 'svc worker --host 0.0.0.0 --port 9100'],
  arguments: [],
  options: {
    ...processOptions('port; 0, the default, chooses a free one ($SVC_PORT)'),
  },
  graceful: true,
  run: (invocation) => runService(invocation, 'worker'),
})
