import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { branchOption, fileIdOf, repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Print a file of a repository',
  examples: ['svc repository file 01a1fdb6-5607-74ce-8102-e0af632fd4cf openapi.yaml'],
  arguments: [repositoryArgument, { name: 'path', required: true, summary: 'path of the file' }],
  options: branchOption,
  dataSchema: repositoriesApi.content.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), repository_id: args.id }
    const branch = options.branch ?? (await call(repositoriesApi.get, { params })).repository.default_branch ?? ''
    const found = await call(repositoriesApi.content, { params: { ...params, file_id: fileIdOf(branch, args.path) } })
    const { encoding, content } = found
    return { data: found, text: encoding === 'utf-8' ? content : Buffer.from(content, 'base64').toString('latin1') }
  },
})
