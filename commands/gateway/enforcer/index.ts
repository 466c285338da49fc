import { Enforcer, enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { SvcError } from '../../../src/errors.ts'
import { engineKinds } from '../../../src/gateway/door.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { enforcerArgument, enforcerText, keyText } from '../../../cli/gateway/enforcer.ts'
import { environmentArgument, securityCall, approvalOptions } from '../../../cli/gateway/command-parts.ts'
import { shortTime } from '../../../cli/table.ts'

export default group({
  summary: 'Manage the gateways that enforce the policy of an environment',
  commands: {
    list: derive(enforcersApi.list, {
      summary: 'List the gateways of an environment with their status',
      examples: ['svc gateway enforcer list production'],
      arguments: [environmentArgument],
      rows: 'enforcers',
      empty: 'No gateways. Add one: svc gateway enforcer create ENVIRONMENT LABEL --engine coraza-caddy\n',
      columns: {
        LABEL: (it) => it.label,
        ENGINE: (it) => it.engine,
        STATE: (it) => it.state,
        'LAST SEEN': (it) => (it.lastSeenAt === null ? 'never' : shortTime(it.lastSeenAt)),
        VERSION: (it) => it.version ?? '',
        ERROR: (it) => it.lastError ?? '',
      },
    }),
    rotate: derive(enforcersApi.rotate, {
      examples: ['svc gateway enforcer rotate production edge-1'],
      arguments: [environmentArgument, enforcerArgument],
      text: keyText,
    }),
    delete: derive(enforcersApi.remove, {
      description:
        'The gateway keeps the release that it has. Where approvals are required, another person approves it first.',
      examples: ['svc gateway enforcer delete production edge-1'],
      arguments: [environmentArgument, enforcerArgument],
      options: approvalOptions,
      text: (_, { args }) => `Removed ${args.gateway}.\n`,
    }),
    show: command({
      summary: 'Show a gateway: its state, its release and its last error',
      examples: ['svc gateway enforcer show production edge-1'],
      arguments: [environmentArgument, enforcerArgument],
      options: {},
      dataSchema: Enforcer,
      async run({ args, connection }) {
        const { call, query } = await securityCall(connection)
        const { enforcers } = await call(enforcersApi.list, { params: { environment_id: args.environment }, query })
        const found = enforcers.find(({ id, label }) => id === args.gateway || label === args.gateway)
        if (found === undefined) throw new SvcError('enforcer-not-found', { enforcer: args.gateway })
        return { data: found, text: enforcerText(found) }
      },
    }),
    create: command({
      summary: 'Add a gateway to an environment; its key is shown only once',
      examples: ['svc gateway enforcer create production edge-1 --engine coraza-caddy'],
      arguments: [environmentArgument, { name: 'label', required: true, summary: 'what the gateway is called' }],
      options: {
        engine: {
          type: 'string',
          placeholder: 'ENGINE',
          required: true,
          choices: engineKinds,
          summary: 'engine of the gateway',
        },
      },
      dataSchema: enforcersApi.create.response,
      async run({ args, options, connection }) {
        const { call, query } = await securityCall(connection)
        const params = { environment_id: args.environment }
        const made = await call(enforcersApi.create, {
          params,
          query,
          body: { label: args.label, engine: options.engine },
        })
        return { data: made, text: keyText(made) }
      },
    }),
  },
})
