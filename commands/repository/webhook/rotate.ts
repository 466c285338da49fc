import { repositoryHooksApi } from '../../../src/api/repository-hooks.ts'
import { command } from '../../../cli/declare.ts'
import { repositoryArgument } from '../../../cli/repository/shared.ts'
import { readHookSecret, renderHook, secretOption } from '../../../cli/repository/webhook.ts'

export default command({
  summary: 'Rotate the secret of a webhook; the one before verifies until the end of the grace window',
  examples: ['svc repository webhook rotate 01a1fdb6-5607-74ce-8102-e0af632fd4cf --grace 1h'],
  arguments: [repositoryArgument],
  options: {
    ...secretOption,
    grace: { type: 'duration', summary: 'how long the previous secret verifies: 5m to 168h (default: 24h)' },
  },
  dataSchema: repositoryHooksApi.rotate.response,
  async run(invocation) {
    const { args, options, connection, io } = invocation
    const secret = await readHookSecret(invocation, options['secret-stdin'])
    const { call, tenant } = await connection()
    const rotated = await call(repositoryHooksApi.rotate, {
      params: { tenant_slug: await tenant(), repository_id: args.id },
      body: { secret, graceSeconds: options.grace === undefined ? null : Math.round(options.grace / 1000) },
    })
    if (rotated.providerError !== null)
      io.log.warn(`The provider does not have the new secret: ${rotated.providerError}`)
    return { data: rotated, text: renderHook(rotated.subscription) }
  },
})
