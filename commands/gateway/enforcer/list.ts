import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { command } from '../../../cli/declare.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'
import { renderTable, shortTime } from '../../../cli/table.ts'

export default command({
  summary: 'List the gateways of an environment with what each reports',
  examples: ['svc gateway enforcer list production'],
  arguments: [environmentArgument],
  options: {},
  dataSchema: enforcersApi.list.response,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(enforcersApi.list, { params: { environment_id: args.environment }, query })
    const rows = found.enforcers.map((it) => [
      it.label,
      it.engine,
      it.state,
      it.lastSeenAt === null ? 'never' : shortTime(it.lastSeenAt),
      it.version ?? '',
      it.lastError ?? '',
    ])
    const text =
      rows.length === 0
        ? 'No gateways. Add one: svc gateway enforcer create ENVIRONMENT LABEL --engine coraza-caddy\n'
        : renderTable(['LABEL', 'ENGINE', 'STATE', 'LAST SEEN', 'VERSION', 'ERROR'], rows)
    return { data: found, text }
  },
})
