import { repositoriesApi } from '../../src/api/repositories.ts'
import { filePresets } from '../../src/api/repository-shapes.ts'
import { command } from '../../cli/declare.ts'
import { branchOption, repositoryArgument } from '../../cli/repository/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the files of an indexed branch',
  examples: ['svc repository files 01a1fdb6-5607-74ce-8102-e0af632fd4cf --preset openapi'],
  arguments: [repositoryArgument],
  options: {
    ...branchOption,
    preset: { type: 'string', placeholder: 'PRESET', choices: filePresets, default: 'specs', summary: 'which files' },
    glob: { type: 'string', placeholder: 'GLOB', summary: 'only paths that match, such as specs/**/*.yaml' },
    hidden: { type: 'boolean', summary: 'also files whose path has a name that begins with a dot' },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'most files' },
    offset: { type: 'integer', min: 0, max: 10_000, default: 0, summary: 'files to leave out' },
  },
  dataSchema: repositoriesApi.files.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const { branch, preset, glob, limit, offset } = options
    const found = await call(repositoriesApi.files, {
      params: { tenant_slug: await tenant(), repository_id: args.id },
      query: {
        preset,
        limit,
        offset,
        include_hidden: options.hidden,
        ...(branch === undefined ? {} : { branch }),
        ...(glob === undefined ? {} : { glob }),
      },
    })
    const rows = found.files.map((it) => [it.path, it.kind ?? '-', it.import?.refresh_status ?? '-', it.reason ?? ''])
    const left = found.total - offset - found.files.length
    const more = left > 0 ? `${left} more: --offset ${offset + found.files.length}\n` : ''
    const table = rows.length === 0 ? 'No files.\n' : renderTable(['PATH', 'KIND', 'IMPORT', ''], rows)
    return { data: found, text: () => table + more }
  },
})
