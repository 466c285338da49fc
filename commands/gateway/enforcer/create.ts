import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { enforcerKinds } from '../../../src/gateway/enforcer.ts'
import { command } from '../../../cli/declare.ts'
import { keyText } from '../../../cli/gateway/enforcer.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Add a gateway to an environment; its key is shown only once',
  examples: ['svc gateway enforcer create production edge-1 --engine coraza-caddy'],
  arguments: [environmentArgument, { name: 'label', required: true, summary: 'what the gateway is called' }],
  options: {
    engine: {
      type: 'string',
      placeholder: 'ENGINE',
      required: true,
      choices: enforcerKinds,
      summary: 'what kind of gateway it is',
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
})
