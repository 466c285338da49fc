import { repositoryHooksApi } from '../../../src/api/repository-hooks.ts'
import { command } from '../../../cli/declare.ts'
import { repositoryArgument } from '../../../cli/repository/shared.ts'
import { readHookSecret, renderHook, secretOption } from '../../../cli/repository/webhook.ts'

export default command({
  summary: 'Create the webhook of a repository, at its provider or for one that you create yourself',
  description:
    'Without --secret-stdin the linked account of the repository creates it at the provider. With it, create a webhook for pushes with the printed address, content type JSON and that secret.',
  examples: [
    'svc repository webhook create 01a1fdb6-5607-74ce-8102-e0af632fd4cf',
    'pass show hook | svc repository webhook create 01a1fdb6-5607-74ce-8102-e0af632fd4cf --secret-stdin',
  ],
  arguments: [repositoryArgument],
  options: secretOption,
  dataSchema: repositoryHooksApi.create.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const secret = await readHookSecret(invocation, options['secret-stdin'])
    const { call, tenant } = await connection()
    const made = await call(repositoryHooksApi.create, {
      params: { tenant_slug: await tenant(), repository_id: args.id },
      body: { create: secret === null ? 'provider' : 'manual', secret },
    })
    return { data: made, text: renderHook(made.subscription) }
  },
})
