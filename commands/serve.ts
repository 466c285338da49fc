import { settings } from '../server/settings/settings.ts'
import { command } from '../cli/declare.ts'
import { runService } from '../cli/serve/run.ts'

export default command({
  summary: 'Start the service: REST API, web application and MCP endpoint',
  description:
    'Uses the same workspace as the other commands: what they import is served. With a database URL it uses Postgres, which several servers can share.',
  examples: [
    'svc serve',
    'svc serve --port 0',
    'SVC_DATABASE_URL=postgres://… svc serve --host 0.0.0.0',
    'svc serve --roles web',
  ],
  arguments: [],
  // No defaults here: what is absent comes from the variables, the configuration file, the defaults of the settings.
  options: {
    host: { type: 'string', placeholder: 'HOST', summary: 'address to listen on (127.0.0.1; $SVC_HOST)' },
    port: { type: 'integer', min: 0, max: 65_535, summary: 'port; 0 chooses a free one (8080; $SVC_PORT)' },
    'public-url': {
      type: 'string',
      placeholder: 'URL',
      summary: 'public URL of the service ($SVC_PUBLIC_URL)',
    },
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
    roles: {
      type: 'string',
      placeholder: 'ROLES',
      summary: 'what this process does: web, worker, gateway, with commas between them (all; $SVC_ROLES)',
    },
    sample: { type: 'boolean', summary: 'add a sample project to an empty workspace' },
  },
  graceful: true,
  run: (invocation) => runService(invocation, null),
})
