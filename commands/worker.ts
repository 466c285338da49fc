import { settings } from '../server/settings/settings.ts'
import { command } from '../cli/declare.ts'
import { runService } from '../cli/serve/run.ts'

export default command({
  summary: 'Do what waits: imports, webhooks, polling, mail',
  description:
    'One of several processes on a database, the same as "svc serve --roles worker". It answers /healthz, /readyz and /metrics alone, on a free port where none is set.',
  examples: ['SVC_DATABASE_URL=postgres://… svc worker', 'svc worker --host 0.0.0.0 --port 9100'],
  arguments: [],
  options: {
    host: { type: 'string', placeholder: 'HOST', summary: 'address to listen on (127.0.0.1; $SVC_HOST)' },
    port: { type: 'integer', min: 0, max: 65_535, summary: 'port; 0, the default, chooses a free one ($SVC_PORT)' },
    'database-url': {
      type: 'string',
      placeholder: 'URL',
      summary: 'postgres:// URL (safer in $SVC_DATABASE_URL: other users can see command lines)',
    },
    'log-level': {
      type: 'string',
      placeholder: 'LEVEL',
      choices: settings.logLevel.choices,
      summary: 'minimum log level of the JSON log on standard error (info; warn on a terminal; $SVC_LOG_LEVEL)',
    },
  },
  graceful: true,
  run: (invocation) => runService(invocation, 'worker'),
})
