import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import {
  controlsOf,
  environmentArgument,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Make an older version of a policy the newest one again',
  examples: ['svc gateway policy restore production 3 --dry-run'],
  arguments: [environmentArgument, { name: 'version', required: true, summary: 'number of the version' }],
  options: writeOptions,
  dataSchema: gatewayApi.restorePolicyVersion.response,
  async run({ args, options, connection }) {
    const version = Number(args.version)
    if (!/^[1-9]\d{0,8}$/.test(args.version))
      throw new SvcError('usage', { reason: `A version is a number, not "${args.version}"` })
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment, version }
    const written = await call(gatewayApi.restorePolicyVersion, { params, query, body: controlsOf(options) })
    return { data: written, text: writtenText(written) }
  },
})
