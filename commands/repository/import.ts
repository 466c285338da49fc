import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { branchOption, fileIdOf, repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Import a file of a repository, and import it again when it changes',
  examples: ['svc repository import 01a1fdb6-5607-74ce-8102-e0af632fd4cf openapi.yaml --project-slug shop'],
  arguments: [repositoryArgument, { name: 'path', required: true, summary: 'path of the file' }],
  options: {
    ...branchOption,
    'project-slug': {
      type: 'string',
      placeholder: 'SLUG',
      summary: 'the project (default: by the title of the document)',
    },
    version: { type: 'string', placeholder: 'LABEL', summary: 'the version (default: that of the document)' },
    'auto-refresh': { type: 'boolean', default: true, summary: 'import it again when it changes in the repository' },
  },
  dataSchema: repositoriesApi.importFile.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), repository_id: args.id }
    const branch = options.branch ?? (await call(repositoriesApi.get, { params })).repository.default_branch ?? ''
    const begun = await call(repositoriesApi.importFile, {
      params: { ...params, file_id: fileIdOf(branch, args.path) },
      body: {
        project_slug: options['project-slug'] ?? null,
        version: options.version ?? null,
        auto_refresh: options['auto-refresh'],
      },
    })
    return { data: begun, text: `Started: svc import status ${begun.job_id} --wait\n` }
  },
})
