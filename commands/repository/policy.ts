import { repositoriesApi } from '../../src/api/repositories.ts'
import { conflictPolicies } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Show or set what happens to drafts that were edited here and in the repository',
  description:
    'overwrite takes the file of the repository and keeps the edited draft beside it; hold-for-review changes nothing and reports the file as diverged; new-branch creates another draft.',
  examples: [
    'svc repository policy 01a1fdb6-5607-74ce-8102-e0af632fd4cf --set new-branch',
    'svc repository policy 01a1fdb6-5607-74ce-8102-e0af632fd4cf --set overwrite --branch main --path openapi.yaml',
  ],
  arguments: [repositoryArgument],
  options: {
    set: {
      type: 'string',
      placeholder: 'POLICY',
      choices: [...conflictPolicies, 'inherit'],
      summary: 'the policy; inherit clears that of a file',
    },
    branch: { type: 'string', placeholder: 'BRANCH', summary: 'with --path: the branch of the file' },
    path: { type: 'string', placeholder: 'PATH', summary: 'set the policy of this file only' },
  },
  dataSchema: repositoriesApi.conflictPolicy.response,
  async run({ args, options, connection }) {
    const { set, branch, path } = options
    if ((path === undefined) !== (branch === undefined))
      throw new SvcError('usage', { reason: 'Give --branch and --path together' })
    if (set === undefined ? path !== undefined : set === 'inherit' && path === undefined)
      throw new SvcError('usage', { reason: 'A file needs --set, and --set inherit needs a file' })
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), repository_id: args.id }
    const found =
      set === undefined
        ? await call(repositoriesApi.conflictPolicy, { params })
        : path === undefined || branch === undefined
          ? await call(repositoriesApi.setConflictPolicy, { params, body: { policy: set } })
          : await call(repositoriesApi.setFilePolicy, {
              params,
              body: { branch, path, policy: set === 'inherit' ? null : set },
            })
    const { policy, overrides } = found.conflictPolicy
    const files = overrides.map((it) => `${it.branch}:${it.path}  ${it.policy}\n`).join('')
    return { data: found, text: `${policy}\n${files}` }
  },
})
