import { command } from '../cli/declare.ts'
import { processOptions } from '../cli/serve/options.ts'
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
  options: {
    ...processOptions('port; 0 chooses a free one (8080; $SVC_PORT)'),
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
