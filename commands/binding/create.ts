import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { renderDetail, versionArguments } from '../../cli/binding/shared.ts'

export default command({
  summary: 'Bind a draft to a ref and a path of a repository',
  description: 'The ref is read before anything is stored. Nothing of the draft changes.',
  examples: [
    'svc binding create shop 2.0.0 https://github.com/acme/specs --path openapi.yaml',
    'svc binding create shop 2.0.0 --repository 01a1fdb6-5607-74ce-8102-e0af632fd4cf --ref main --path specs/**/*.yaml',
  ],
  arguments: [...versionArguments, { name: 'repo_url', summary: 'https address, where no --repository is given' }],
  options: {
    repository: { type: 'string', placeholder: 'ID', summary: 'a registered repository' },
    ref: { type: 'string', placeholder: 'REF', summary: 'branch or tag (default: the default branch)' },
    path: { type: 'string', placeholder: 'PATH', summary: 'a file, a folder or a glob (default: the whole tree)' },
    account: { type: 'string', placeholder: 'ID', summary: 'your linked account that reads it' },
    replace: { type: 'boolean', summary: 'release the present binding' },
  },
  dataSchema: bindingsApi.create.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const made = await call(bindingsApi.create, {
      params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
      body: {
        repository_id: options.repository ?? null,
        repo_url: args.repo_url ?? null,
        ref: options.ref ?? null,
        path: options.path ?? '',
        linked_account_id: options.account ?? null,
        replace: options.replace,
      },
    })
    return { data: made, text: renderDetail(made) }
  },
})
