import { Type } from '@sinclair/typebox'
import { repositoriesApi } from '../../src/api/repositories.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { branchOption, fileIdOf, repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Import files of a repository, and import each again when it changes',
  description:
    'Several files become one job with an item for each. With --dry-run the job stores nothing: it says which project and version each file becomes, its grade, its breaking changes, and why one is refused. --planned then imports what it did not refuse, at the same commit.',
  examples: [
    'svc repository import 01a1fdb6-5607-74ce-8102-e0af632fd4cf openapi.yaml --project-slug shop',
    'svc repository import 01a1fdb6-5607-74ce-8102-e0af632fd4cf apis/orders.yaml apis/stock.yaml --dry-run',
    'svc repository import 01a1fdb6-5607-74ce-8102-e0af632fd4cf --planned 01a1fdb6-9d3c-7b40-8a2e-55d0c1f7e6a4',
  ],
  arguments: [
    repositoryArgument,
    { name: 'paths', required: false, variadic: true, summary: 'paths of files on one branch' },
  ],
  options: {
    ...branchOption,
    'project-slug': {
      type: 'string',
      placeholder: 'SLUG',
      summary: 'the project, for one file (default: by the title of the document)',
    },
    version: {
      type: 'string',
      placeholder: 'LABEL',
      summary: 'the version, for one file (default: that of the document)',
    },
    'dry-run': { type: 'boolean', summary: 'plan the import, store nothing' },
    planned: { type: 'string', placeholder: 'JOB', summary: 'import what this dry run did not refuse' },
    'auto-refresh': {
      type: 'boolean',
      default: true,
      summary: 'import again what changes in the repository',
    },
  },
  dataSchema: Type.Union([repositoriesApi.importFile.response, repositoriesApi.importFiles.response]),
  async run({ args, options, connection }) {
    const { planned, version, 'project-slug': slug, 'dry-run': isPlan, 'auto-refresh': autoRefresh } = options
    const [first, ...more] = args.paths
    if ((planned === undefined) === (first === undefined))
      throw new SvcError('usage', { reason: 'Give the paths of files, or --planned with a dry run of them' })
    const isOne = first !== undefined && more.length === 0 && !isPlan
    if (!isOne && (slug !== undefined || version !== undefined))
      throw new SvcError('usage', {
        reason: '--project-slug and --version are for the import of one file: several are named by their documents',
      })
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), repository_id: args.id }
    const branch = options.branch ?? (await call(repositoriesApi.get, { params })).repository.default_branch ?? ''
    const begun = isOne
      ? await call(repositoriesApi.importFile, {
          params: { ...params, file_id: fileIdOf(branch, first) },
          body: { project_slug: slug ?? null, version: version ?? null, auto_refresh: autoRefresh },
        })
      : await call(repositoriesApi.importFiles, {
          params,
          body: {
            ...(planned === undefined
              ? { file_ids: args.paths.map((path) => fileIdOf(branch, path)), dry_run: isPlan }
              : { planned }),
            auto_refresh: autoRefresh,
          },
        })
    return { data: begun, text: `Started: svc import status ${begun.job_id} --wait\n` }
  },
})
