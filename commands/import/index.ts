import { listImportFormats } from '../../src/import/importer.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'Import documents into projects and versions',
  description:
    'Every format of --list is a command: "svc import FORMAT PATH", where PATH is a file, an archive, a folder, an http(s) URL or - for standard input. "auto" detects the format, "git" reads a repository, "preflight" grades without storing.',
  examples: [
    'svc import auto api.yaml',
    'svc import openapi api.yaml --publish public --min-grade B',
    'svc import auto specs.zip --bulk --dry-run',
    'svc import --list',
  ],
  arguments: [],
  options: { list: { type: 'boolean', summary: 'list the import formats' } },
  run({ options }) {
    if (!options.list)
      throw new SvcError('usage', { reason: 'Missing format, as in "svc import auto FILE"; --list lists them.' })
    const formats = listImportFormats().map(({ id, summary }) => ({ id, summary }))
    const text = () =>
      renderTable(['FORMAT', ''], [...formats.map(({ id, summary }) => [id, summary]), ['auto', 'detect the format']])
    return Promise.resolve({ data: formats, text })
  },
})
